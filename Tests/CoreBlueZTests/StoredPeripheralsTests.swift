import BlueZSimulator
import Foundation
import TestSupport
import Testing

@testable import CoreBlueZ

/// The file of found peripherals is written aside, while a scan goes on.
@Suite struct StoredPeripheralsTests {
    @Test("Many found peripherals are one file, written aside, and nothing is lost at the end")
    func storedSoon() async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "corebluez-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: directory) }
        try await BluetoothActor.run {
            let path = directory.path
            let addresses = try (10..<99).map { number in
                try #require(BluetoothAddress("00:00:00:00:00:\(number)"))
            }
            var store = Optional(try StoredPeripherals(directory: path))
            for address in addresses + addresses { store?.addSoon(address) }
            #expect(store?.identifiers == addresses)
            try await Patience.wait(for: "the first") {
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
            try await TrapStage.run { stage in
                try await stage.world.addOther()
                stage.central.knownPeripheralNames = ["World"]
                stage.central.storedPeripherals = try StoredPeripherals(directory: path)
                let peripheral = try await stage.find()
                #expect(stage.central.storedPeripherals?.identifiers == [World.address])
                try await Patience.wait(for: "the file") {
                    try StoredPeripherals(directory: path).identifiers == [World.address]
                }
                let next = CentralManager(bus: stage.world.bus)
                try await next.waitUntilPoweredOn(timeout: Patience.timeout)
                #expect(next.retrieveStoredPeripherals().isEmpty)
                next.storedPeripherals = try StoredPeripherals(directory: path)
                #expect(next.retrieveStoredPeripherals().map(\.address) == [World.address])
                stage.central.removePeripheral(peripheral)
                #expect(try StoredPeripherals(directory: path).identifiers.isEmpty)
            }
        }
    }

    @Test("Nothing is stored where no store is set")
    func unwanted() async throws {
        try await TrapStage.run { stage in
            _ = try await stage.find()
            #expect(stage.central.storedPeripherals == nil)
            #expect(stage.central.retrieveStoredPeripherals().isEmpty)
        }
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

    private static func inDirectory(_ body: @BluetoothActor (String) async throws -> Void) async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "corebluez-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: directory) }
        try await BluetoothActor.run { try await body(directory.appending(path: "state").path) }
    }
}
