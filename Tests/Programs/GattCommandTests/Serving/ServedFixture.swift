import BlueZSimulator
import CoreBlueZ
import Foundation
import PeripheralServer
import TestSupport
import Testing

@testable import gatt

/// A simulator in which a file is served, and a central that is connected.
@BluetoothActor final class ServedFixture {
    nonisolated let bluez: SimulatedBlueZ
    nonisolated let central: SimulatedCentral
    let served: ServedPeripheral
    private let behaviour: FileBehaviour
    /// The lines of the events.
    private(set) var lines: [String] = []

    private init(_ text: String) async throws {
        bluez = try await SimulatorFixture.start()
        central = await bluez.addCentral()
        let description = try ServedDescription(SimulationFile(Data(text.utf8), path: "file"))
        let manager = PeripheralManager(bus: .address(bluez.address))
        try await manager.waitUntilPoweredOn(timeout: Patience.timeout)
        let (peripheral, behaviour) = try await description.peripheral()
        self.behaviour = behaviour
        served = await ServedPeripheral(peripheral, by: manager)
        served.eventHandler = { [weak self] event in self?.lines.append(Record(event).servedLine) }
        try await served.publish()
    }

    static func run(_ text: String, _ body: @BluetoothActor (ServedFixture) async throws -> Void) async throws {
        try await BluetoothActor.run {
            let fixture = try await ServedFixture(text)
            try await fixture.connect()
            try await body(fixture)
            await fixture.served.unpublish()
        }
    }

    private func connect() async throws {
        try await simulate { central in
            try await central.connect(timeout: Patience.timeout)
            try await central.discover()
        }
    }

    /// Connects again, when the end of the link has been noticed.
    func reconnect() async throws {
        let count = ends
        await simulate { $0.disconnect() }
        try await Patience.wait(for: "the end of the link") { ends > count }
        await simulate { $0.forgetUpdates() }
        try await connect()
    }

    private var ends: Int { lines.count { $0.contains("\tdisconnected\t") } }

    /// Does something in the simulator.
    @discardableResult
    func simulate<R: Sendable>(_ body: @SimulatorActor (SimulatedCentral) async throws -> R) async rethrows -> R {
        let central = central
        return try await SimulatorActor.run { try await body(central) }
    }

    func read(_ uuid: BluetoothUUID) async throws -> Result<[UInt8], ATTError> {
        try await simulate { try await $0.read(#require($0.characteristic(uuid)).handle) }
    }

    func write(_ value: [UInt8], _ uuid: BluetoothUUID) async throws -> Result<[UInt8], ATTError> {
        try await simulate { try await $0.write(value, to: #require($0.characteristic(uuid)).handle) }
    }

    func readDescriptor(_ descriptor: BluetoothUUID, of uuid: BluetoothUUID) async throws -> Result<[UInt8], ATTError> {
        try await simulate { central in
            let found = try #require(central.characteristic(uuid)).descriptors.first { $0.value == descriptor }
            return try await central.read(#require(found).key)
        }
    }

    func configure(_ value: UInt16, _ uuid: BluetoothUUID) async throws {
        let result = try await simulate { try await $0.configure(#require($0.characteristic(uuid)), value) }
        #expect(result == .success([]))
    }

    /// The values that the central has received.
    func updates(_ count: Int) async throws -> [[UInt8]] {
        try await Patience.wait(for: "\(count) updates") { await central.updates.count >= count }
        return await central.updates.map(\.value)
    }

    /// The lines of reads and writes.
    func events(_ count: Int) async throws -> [String] {
        try await Patience.wait(for: "\(count) events") { requests.count >= count }
        return requests
    }

    private var requests: [String] { lines.filter { ["read", "write"].contains($0.split(separator: "\t")[1]) } }
}
