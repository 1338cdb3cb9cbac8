import BlueZSimulator
import DBus
import Foundation
import Testing

@testable import CoreBlueZ

/// The tests of the traps that BlueZ sets its clients. Each is named after its row in Tests/BlueZTraps.md, which is
/// made of these names. One at a time: each starts a bus of its own, and all at once would wait for one another.
@Suite(.serialized) struct Traps {}

/// A simulated bluetoothd with one peripheral, and a central manager on it. Runs on the framework's actor.
@BluetoothActor final class TrapStage {
    let world: World
    let central: CentralManager
    nonisolated static let device = "/org/bluez/hci0/dev_BC_6A_29_00_00_01"

    init(_ world: World, adapter: String? = nil) {
        self.world = world
        central = CentralManager(bus: world.bus, adapter: adapter)
    }

    static func run(
        _ configuration: SimulatedBlueZ.Configuration = .init(timing: .instant),
        _ body: @BluetoothActor (TrapStage) async throws -> Void
    ) async throws {
        let world = try await World(configuration)
        try await BluetoothActor.run {
            let stage = TrapStage(world)
            try await stage.central.waitUntilPoweredOn(timeout: Patience.timeout)
            try await body(stage)
        }
    }

    func find() async throws -> Peripheral {
        try await central.firstPeripheral(timeout: Patience.timeout)
    }

    /// Waits until bluetoothd scans for the manager, which has then reported what bluetoothd already hears.
    func waitUntilScanning() async throws {
        try await Patience.wait(for: "the scan") { central.scans.values.contains(where: \.isUnderWay) }
    }

    func connect() async throws -> Peripheral {
        let peripheral = try await find()
        try await peripheral.connect()
        for service in try await peripheral.discoverServices() { try await service.discoverCharacteristics() }
        return peripheral
    }

    func value(of peripheral: Peripheral) throws -> Characteristic {
        try #require(peripheral[World.service]?[World.value])
    }

    func updates(of peripheral: Peripheral) throws -> Characteristic {
        try #require(peripheral[World.service]?[World.updates])
    }

    /// The error that an operation must end with.
    func failure<Value>(_ body: @BluetoothActor () async throws -> Value) async -> BluetoothError? {
        do {
            _ = try await body()
            Issue.record("There was no error")
            return nil
        } catch {
            return error as? BluetoothError
        }
    }
}

extension World {
    static let bluezError = "org.bluez.Error."
    static let busError = "org.freedesktop.DBus.Error."

    func refuse(_ member: String, of interface: String, _ name: String, _ message: String, times: Int = 1) {
        bluez.simulateReply(.error(name: name, message: message), to: member, of: interface, times: times)
    }

    func keepSilent(_ member: String, of interface: String, times: Int = 1) {
        bluez.simulateReply(.silence, to: member, of: interface, times: times)
    }

    func succeedWithoutEffect(_ member: String, of interface: String, times: Int = 1) {
        bluez.simulateReply(.success, to: member, of: interface, times: times)
    }

    func keepCalls() {
        bluez.forgetCalls()
        bluez.keepsCalls = true
    }

    /// The methods that were called, without the bus's own.
    var members: [String] { bluez.calls.map(\.member) }

    func calls(_ member: String) -> [ReceivedCall] { bluez.calls.filter { $0.member == member } }

    func propertiesChanged(
        _ path: String, _ interface: String, _ properties: [String: Value], invalidated: [String] = []
    ) throws {
        try bluez.simulateSignal(
            "PropertiesChanged", of: "org.freedesktop.DBus.Properties", from: path,
            [.string(interface), .properties(properties), .strings(invalidated)]
        )
    }

    func deviceChanged(_ properties: [String: Value], invalidated: [String] = []) throws {
        try propertiesChanged(TrapStage.device, "org.bluez.Device1", properties, invalidated: invalidated)
    }

    func added(_ path: String, _ interfaces: [String: [String: Value]]) throws {
        let entries = interfaces.map { (Value.string($0.key), Value.properties($0.value)) }
        try bluez.simulateSignal(
            "InterfacesAdded", of: "org.freedesktop.DBus.ObjectManager", from: "/",
            [
                .objectPath(ObjectPath(path)),
                .dictionary(key: "s", value: "a{sv}", Dictionary(uniqueKeysWithValues: entries)),
            ]
        )
    }

    func removed(_ path: String, _ interfaces: [String]) throws {
        try bluez.simulateSignal(
            "InterfacesRemoved", of: "org.freedesktop.DBus.ObjectManager", from: "/",
            [.objectPath(ObjectPath(path)), .strings(interfaces)]
        )
    }

    var services: [BluetoothUUID] { peripheral.services.map(\.uuid) }

    func perform(_ body: @SimulatorActor (World) throws -> Void) rethrows { try body(self) }
}
