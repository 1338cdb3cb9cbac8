import BlueZJSONLine
import BlueZPrintableText
import BlueZScript
import BlueZSimulator
import FoundationEssentials

/// The input of `gatt simulate`: one peripheral, `adapters` and `peripherals`, or the records of `gatt inspect`.
/// Documentation/gatt.md describes it.
struct SimulationFile {
    /// A search for an address takes time in proportion to their number.
    private static let mostPeripherals = 10_000
    /// As many as the kernel's tools usually expect.
    private static let mostAdapters = 16

    private(set) var path: String
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
        if Peripheral.isRecord(first) {
            peripherals = [try Peripheral(records: nodes)]
        } else if nodes.count > 1 {
            throw FileError(nodes[1].line, "A second value follows: put peripherals into a list")
        } else if Self.isPeripheral(first) {
            peripherals = [try JSONField.peripheral.read(first)]
            setAddresses()
        } else {
            try JSONKeys.update(&self, from: first, "the file", isStrict: true) { $0.code(&$1) }
        }
    }

    private static func isPeripheral(_ node: JSONNode) -> Bool {
        guard case .object(let members) = node.content, !members.isEmpty else { return false }
        return !members.contains { $0.key.nearest(among: ["adapters", "peripherals", "instant"]) != nil }
    }

    private mutating func code(_ keys: inout JSONKeys) {
        keys.add("adapters", orElse: &adapters, .list(.adapter))
        setAddresses()
        Self.check(adapters.map(\.address), most: Self.mostAdapters, "adapter", &keys)
        keys.add("peripherals", required: &peripherals, .list(.peripheral))
        keys.add("instant", &isInstant, unless: false, .flag)
        setAddresses()
        Self.check(peripherals.map(\.specification.address), most: Self.mostPeripherals, "peripheral", &keys)
    }

    /// Gives an address to those that have none.
    private mutating func setAddresses() {
        for index in adapters.indices {
            if adapters[index].address.isEmpty { adapters[index].address = Self.address("00:AA:01", 0x42 + index) }
            if adapters[index].name.isEmpty { adapters[index].name = "simulator \(index)" }
        }
        for index in peripherals.indices where peripherals[index].specification.address.isEmpty {
            peripherals[index].specification.address = Self.address("00:AA:02", index + 1)
        }
    }

    /// An address of three given bytes and a number.
    private static func address(_ prefix: String, _ number: Int) -> String {
        let bytes = [16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
        return prefix + bytes.map { ":" + String(hexadecimal: $0, digits: 2, uppercase: true) }.joined()
    }

    private static func check(_ addresses: [String], most: Int, _ kind: String, _ keys: inout JSONKeys) {
        var taken: Set<String> = []
        for (index, address) in addresses.enumerated() {
            if index == most {
                return keys.refuse("There are more than \(most) \(kind)s", at: ["\(kind)s", "\(index)"])
            }
            guard taken.insert(address).inserted else {
                return keys.refuse("Another \(kind) has the address \(address)", at: ["\(kind)s", "\(index)"])
            }
        }
    }
}

extension JSONField<AdapterSpecification> {
    fileprivate static var adapter: JSONField {
        .object("an adapter", AdapterSpecification(address: "", name: ""), isStrict: true) { adapter, keys in
            keys.add("address", &adapter.address, unless: "", .address)
            keys.add("name", &adapter.name, unless: "", .name)
            keys.add("powered", &adapter.isPowered, unless: true, .flag)
        }
    }
}
