import BlueZJSONLine
import BlueZScript
import BlueZSimulator
import FoundationEssentials

/// The input of `gatt simulate`: one peripheral, `adapters` and `peripherals`, or the records of `gatt inspect`.
/// Documentation/gatt.md describes it.
struct SimulationFile {
    enum Key: String, CaseIterable { case adapters, peripherals, instant }

    /// A search for an address takes time in proportion to their number.
    private static let mostPeripherals = 10_000
    /// As many as the kernel's tools usually expect.
    private static let mostAdapters = 16

    let path: String
    var adapters = [AdapterSpecification(address: "00:AA:01:00:00:42", name: "simulator 0")]
    /// Whether a link ends immediately. bluetoothd ends it two seconds after the request.
    var isInstant = false
    var peripherals: [Peripheral] = []

    static func read(_ path: String) throws(CommandFailure) -> SimulationFile {
        let data = try Input.read(path)
        do throws(FileError) {
            return try SimulationFile(data, path: path)
        } catch {
            throw CommandFailure(.data, "\(path):\(error.line): \(error.message)")
        }
    }

    init(_ data: Data, path: String) throws(FileError) {
        self.path = path
        let nodes = try JSONParser.values(in: data)
        guard let first = nodes.first else { throw FileError(1, "The file is empty") }
        let value = FileValue(node: first, path: "")
        if Peripheral.isRecord(first) {
            peripherals = [try Peripheral(records: nodes)]
        } else if nodes.count > 1 {
            throw FileError(nodes[1].line, "A second value follows: put peripherals into a list")
        } else if Self.isPeripheral(first) {
            peripherals = [try Peripheral(value, index: 0)]
        } else {
            try decode(try FileObject<Key>(value, "the file"))
        }
    }

    private static func isPeripheral(_ node: JSONNode) -> Bool {
        guard case .object(let members) = node.content else { return false }
        let keys = members.map(\.key)
        return !keys.contains { Key(rawValue: $0) != nil } && keys.contains { Peripheral.Key(rawValue: $0) != nil }
    }

    private mutating func decode(_ object: FileObject<Key>) throws(FileError) {
        isInstant = try object[.instant]?.flag() ?? false
        if let list = object[.adapters] {
            adapters = []
            var taken: Set<String> = []
            for element in try list.elements() {
                guard adapters.count < Self.mostAdapters else {
                    throw element.error("There are more than \(Self.mostAdapters) adapters")
                }
                let adapter = try AdapterSpecification(element, index: adapters.count)
                guard taken.insert(adapter.address).inserted else {
                    throw element.error("Another adapter has the address \(adapter.address)")
                }
                adapters.append(adapter)
            }
        }
        var taken: Set<String> = []
        for element in try object.required(.peripherals).elements() {
            guard peripherals.count < Self.mostPeripherals else {
                throw element.error("There are more than \(Self.mostPeripherals) peripherals")
            }
            let peripheral = try Peripheral(element, index: peripherals.count)
            guard taken.insert(peripheral.specification.address).inserted else {
                throw element.error("Another peripheral has the address \(peripheral.specification.address)")
            }
            peripherals.append(peripheral)
        }
    }
}

extension AdapterSpecification {
    private enum Key: String, CaseIterable { case address, name, powered }

    fileprivate init(_ value: FileValue, index: Int) throws(FileError) {
        let object = try FileObject<Key>(value, "an adapter")
        self.init(
            address: try object[.address]?.address() ?? FileValue.address("00:AA:01", 0x42 + index),
            name: try object[.name]?.name() ?? "simulator \(index)", isPowered: try object[.powered]?.flag() ?? true)
    }
}

extension FileValue {
    /// An address of three given bytes and a number.
    static func address(_ prefix: String, _ number: Int) -> String {
        let bytes = [16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
        return prefix + bytes.map { ":" + ValueFormat.hex(Data([$0])).uppercased() }.joined()
    }

    /// A name has at most 248 bytes (Core Specification, volume 3, part C, 12.1), and D-Bus has no text with a NUL.
    func name() throws(FileError) -> String {
        let name = try text()
        guard name.utf8.count <= 248 else { throw error("The name has \(name.utf8.count) bytes; the limit is 248") }
        guard !name.utf8.contains(0) else {
            throw error("The name has the character U+0000, which BlueZ does not permit")
        }
        return name
    }
}
