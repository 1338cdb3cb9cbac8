import BlueZDBus
import BlueZSimulator
import Foundation
import TestSupport
import Testing

@testable import CoreBlueZ

/// The file of found peripherals is written aside, while a scan goes on.
@Suite(.virtualTime) struct StoredPeripheralsTests {
    @Test("Many found peripherals are one file, written aside, and nothing is lost at the end")
    @BluetoothActor func storedSoon() async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "corebluez-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: directory) }
        let path = directory.path
        let addresses = try (10..<99).map { number in
            try #require(BluetoothAddress("00:00:00:00:00:\(number)"))
        }
        var store = Optional(try StoredPeripherals(directory: path))
        for address in addresses + addresses { store?.addSoon(address) }
        #expect(store?.identifiers == addresses)
        try await eventually("the first") {
            try StoredPeripherals(directory: path).identifiers.first == addresses.first
        }
        store = nil
        #expect(try StoredPeripherals(directory: path).identifiers == addresses)
        let again = try StoredPeripherals(directory: path)
        again.addSoon(try #require(BluetoothAddress("00:00:00:00:00:01")))
        try again.removeAll()
        let last = again
        last.writeSoon()
        last.flush()
        #expect(try StoredPeripherals(directory: path).identifiers.isEmpty)
    }

    @Test("Addresses are kept once, in the order in which they came, until they are taken out")
    func addresses() async throws {
        try await Self.inDirectory { path in
            let addresses = try ["00:00:00:00:00:02", "00:00:00:00:00:01"].map { try #require(BluetoothAddress($0)) }
            let store = try StoredPeripherals(directory: path)
            #expect(store.identifiers.isEmpty)
            #expect(!FileManager.default.fileExists(atPath: store.path))
            for address in addresses + addresses { try store.add(address) }
            #expect(store.identifiers == addresses)
            #expect(try StoredPeripherals(directory: path).identifiers == addresses)
            try store.remove(addresses[0])
            try store.remove(addresses[0])
            #expect(try StoredPeripherals(directory: path).identifiers == [addresses[1]])
            try store.removeAll()
            #expect(try StoredPeripherals(directory: path).identifiers.isEmpty)
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber
            #expect(mode?.intValue == 0o700)
        }
    }

    @Test("What a scan reports is stored, retrieved in another run, and taken out with its object")
    func found() async throws {
        try await Self.inDirectory { path in
            try await PeripheralFixture.run { fixture in
                try await fixture.simulator.add("Other", "BC:6A:29:00:00:02")
                fixture.central.knownPeripheralNames = ["Watch"]
                fixture.central.storedPeripherals = try StoredPeripherals(directory: path)
                let peripheral = try await fixture.find()
                #expect(fixture.central.storedPeripherals?.identifiers == [SimulatorFixture.address])
                try await eventually("the file") {
                    try StoredPeripherals(directory: path).identifiers == [SimulatorFixture.address]
                }
                let next = CentralManager(bus: fixture.simulator.bus)
                try await next.waitUntilPoweredOn(timeout: .ample)
                #expect(next.retrieveStoredPeripherals().isEmpty)
                next.storedPeripherals = try StoredPeripherals(directory: path)
                #expect(next.retrieveStoredPeripherals().map(\.address) == [SimulatorFixture.address])
                fixture.central.removePeripheral(peripheral)
                #expect(try StoredPeripherals(directory: path).identifiers.isEmpty)
            }
        }
    }

    @Test("Of random addresses only those that are static are stored: private ones change")
    func privateAddresses() async throws {
        let fixed = "C4:6A:29:00:00:02"
        let addresses = ["resolvable": "44:6A:29:00:00:02", "not resolvable": "04:6A:29:00:00:02", "static": fixed]
        try await Self.inDirectory { path in
            try await PeripheralFixture.run { fixture in
                try await fixture.simulator.perform { simulator in
                    for (name, address) in addresses {
                        try simulator.bluez.add(
                            PeripheralSpecification(
                                name: name, address: address, addressType: .random,
                                advertisingInterval: .milliseconds(100)))
                    }
                }
                fixture.central.storedPeripherals = try StoredPeripherals(directory: path)
                fixture.central.scanForPeripherals { _, _, _ in
                } completion: { _ in
                }
                try await eventually("all") { fixture.central.peripheralCount == 1 + addresses.count }
                let expected: Set<BluetoothAddress?> = [SimulatorFixture.address, BluetoothAddress(fixed)]
                #expect(fixture.central.storedPeripherals.map { Set($0.identifiers) } == expected)
                fixture.central.stopScan()
                try await eventually("the file") {
                    try Set(StoredPeripherals(directory: path).identifiers) == expected
                }
            }
        }
    }

    @Test("Nothing is stored where no store is set")
    @BluetoothActor func unwanted() async throws {
        let fixture = try await PeripheralFixture()
        _ = try await fixture.find()
        #expect(fixture.central.storedPeripherals == nil)
        #expect(fixture.central.retrieveStoredPeripherals().isEmpty)
    }

    @Test("A file that is no store is an error, and so is a name that is no directory's")
    func refused() async throws {
        try await Self.inDirectory { path in
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            try Data("{".utf8).write(to: URL(filePath: "\(path)/peripherals.json"))
            let error = #expect(throws: BluetoothError.self) { try StoredPeripherals(directory: path) }
            #expect(error?.code == .invalidData)
            for name in ["", "../x", ".x", "a/b", "a\0"] {
                let error = #expect(throws: BluetoothError.self) { try StoredPeripherals(application: name) }
                #expect(error?.code == .invalidArguments)
            }
            let application = try StoredPeripherals(application: "corebluez-test")
            #expect(application.path.hasSuffix("/corebluez-test/peripherals.json"))
        }
    }

    private static func addresses(_ numbers: Range<UInt64>) throws -> [BluetoothAddress] {
        try numbers.map { number in
            let digits = Array(String(format: "%012llx", number))
            let pairs = stride(from: 0, to: 12, by: 2).map { String(digits[$0..<$0 + 2]) }
            return try #require(BluetoothAddress(pairs.joined(separator: ":")))
        }
    }

    @Test("A thousand addresses are stored; the oldest leaves, and is stored again when it is found again")
    func limit() async throws {
        try await Self.inDirectory { path in
            let limit = StoredPeripherals.limit
            #expect(limit == 1_000)
            let addresses = try Self.addresses(0..<UInt64(limit) + 200)
            let store = try StoredPeripherals(directory: path)
            for address in addresses { store.addSoon(address) }
            #expect(store.identifiers == Array(addresses.suffix(limit)))
            store.flush()
            #expect(store.identifiers == Array(addresses.suffix(limit)))
            #expect(try StoredPeripherals(directory: path).identifiers == Array(addresses.suffix(limit)))
            store.addSoon(addresses[0])
            store.flush()
            let expected = Array(addresses.suffix(limit - 1)) + [addresses[0]]
            #expect(try StoredPeripherals(directory: path).identifiers == expected)
            try store.add(addresses[1])
            #expect(store.identifiers == Array(expected.dropFirst()) + [addresses[1]])
        }
    }

    @Test("Directories that are missing are created, up to one that is no directory")
    func directories() async throws {
        try await Self.inDirectory { path in
            let file = "\(path)/local/state/application/file"
            try PrivateFile.replace(file, with: "text")
            for directory in ["", "/local", "/local/state", "/local/state/application"] {
                let attributes = try FileManager.default.attributesOfItem(atPath: path + directory)
                #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o700, "\(directory)")
            }
            let error = #expect(throws: DBusError.self) { try PrivateFile.replace("\(file)/x/y", with: "text") }
            #expect(error?.message.contains("Not a directory") == true)
        }
    }

    @Test("Only the user can read the file, even if others can read its directory")
    func mode() async throws {
        try await Self.inDirectory { path in
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
            let store = try StoredPeripherals(directory: path)
            try store.add(try Self.addresses(0..<1)[0])
            for file in try FileManager.default.contentsOfDirectory(atPath: path) {
                let attributes = try FileManager.default.attributesOfItem(atPath: "\(path)/\(file)")
                #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600, "\(file)")
            }
        }
    }

    @Test("Links in place of the files lead nowhere: what they point to stays as it is")
    func links() async throws {
        try await Self.inDirectory { path in
            let addresses = try Self.addresses(0..<2)
            let store = try StoredPeripherals(directory: path)
            try store.add(addresses[0])
            let files = try FileManager.default.contentsOfDirectory(atPath: path)
            let target = path + ".target"
            let theirs = Data("{\"peripherals\": []}".utf8)
            try theirs.write(to: URL(fileURLWithPath: target))
            defer { try? FileManager.default.removeItem(atPath: target) }
            for file in files {
                try FileManager.default.removeItem(atPath: "\(path)/\(file)")
                try FileManager.default.createSymbolicLink(atPath: "\(path)/\(file)", withDestinationPath: target)
                try? store.add(addresses[1])
                #expect(try Data(contentsOf: URL(fileURLWithPath: target)) == theirs, "\(file)")
                try FileManager.default.removeItem(atPath: "\(path)/\(file)")
            }
            #expect(files.count == 2)
        }
    }

    /// What `Scripts/measure failing-calls` runs.
    private nonisolated static let directory = ProcessInfo.processInfo.environment["COREBLUEZ_TEST_STORE"]

    @Test("An address is stored in the directory of the environment", .enabled(if: directory != nil))
    @BluetoothActor func storedByScript() async throws {
        try StoredPeripherals(directory: try #require(Self.directory)).add(try Self.addresses(0..<1)[0])
    }

    @Test("Two stores of a directory keep each other's addresses, and what one removes stays away")
    func merging() async throws {
        try await Self.inDirectory { path in
            let addresses = try Self.addresses(0..<5)
            let one = try StoredPeripherals(directory: path)
            let other = try StoredPeripherals(directory: path)
            try one.add(addresses[0])
            try other.add(addresses[1])
            #expect(other.identifiers == [addresses[0], addresses[1]])
            one.addSoon(addresses[2])
            other.addSoon(addresses[3])
            try one.add(addresses[4])
            try await eventually("both") {
                try Set(StoredPeripherals(directory: path).identifiers) == Set(addresses)
            }
            try other.remove(addresses[0])
            one.addSoon(try Self.addresses(5..<6)[0])
            one.flush()
            #expect(!one.identifiers.contains(addresses[0]))
            #expect(try StoredPeripherals(directory: path).identifiers == one.identifiers)
            #expect(one.identifiers.count == 5)
            try one.removeAll()
            #expect(try StoredPeripherals(directory: path).identifiers.isEmpty)
        }
    }

    @Test("While another program writes the file, storing waits, and then fails without a change")
    func locked() async throws {
        try await Self.inDirectory { path in
            let addresses = try Self.addresses(0..<2)
            let store = try StoredPeripherals(StoredFile("\(path)/peripherals.json", timeout: .milliseconds(30)))
            try store.add(addresses[0])
            var claim = try PrivateFile.claim(store.path)
            try #require(claim != nil)
            for change in [{ try store.add(addresses[1]) }, { try store.remove(addresses[0]) }] {
                let error = #expect(throws: BluetoothError.self) { try change() }
                #expect(error?.code == .failed)
                #expect(error?.message.contains("\(store.path).lock") == true)
            }
            #expect(store.identifiers == [addresses[0]])
            store.addSoon(addresses[1])
            store.flush()
            #expect(try StoredPeripherals(directory: path).identifiers == [addresses[0]])
            claim = nil
            store.flush()
            #expect(try StoredPeripherals(directory: path).identifiers == addresses)
        }
    }

    @Test("A lock ends with its holder, although a process that is being started has a copy of its descriptor")
    func copiedDescriptor() async throws {
        try await Self.inDirectory { path in
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            let file = "\(path)/peripherals.json"
            var claim = try PrivateFile.claim(file)
            try #require(claim != nil)
            let own = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").first { name in
                (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)")) == "\(file).lock"
            }
            let copy = dup(try #require(own.flatMap { CInt($0) }))
            try #require(copy >= 0)
            defer { close(copy) }
            #expect(try PrivateFile.claim(file) == nil)
            claim = nil
            claim = try PrivateFile.claim(file)
            #expect(claim != nil)
        }
    }

    private static func inDirectory(_ body: @BluetoothActor (String) async throws -> Void) async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "corebluez-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: directory) }
        try await BluetoothActor.run { try await body(directory.appending(path: "state").path) }
    }
}
