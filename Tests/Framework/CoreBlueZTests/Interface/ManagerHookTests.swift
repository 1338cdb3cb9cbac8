import BlueZSimulator
import FoundationEssentials
import TestSupport
import Testing

@testable import CoreBlueZ

/// What a subclass of the manager hears of its state, and what the closures of the same purpose hear.
@Suite(.virtualTime) struct ManagerHookTests {
    private final class Manager: CentralManager {
        var log: [String] = []

        override func centralManagerDidUpdateState() {
            log.append("\(state)")
            super.centralManagerDidUpdateState()
        }
        override func didPowerOn() { log.append("on") }
        override func didPowerOff() { log.append("off") }
        override func didReset() { log.append("reset") }
        override func didBecomeUnsupported() { log.append("unsupported") }
        override func didBecomeUnauthorized() { log.append("unauthorized") }
        override func didBecomeUnknown() { log.append("unknown") }
    }

    @Test("Power on and off call their hooks, after the handlers for every state")
    @BluetoothActor func power() async throws {
        let simulator = try await SimulatorFixture()
        let central = Manager(bus: simulator.bus)
        central.stateHandler = { [weak central] in central?.log.append("handler \($0.state)") }
        try await eventually("the adapter") { central.log == ["poweredOn", "handler poweredOn", "on"] }
        central.log = []
        await simulator.powerOff()
        try await eventually("the end of power") {
            central.log == ["poweredOff", "handler poweredOff", "off"]
        }
    }

    @Test("A lost bluetoothd calls didReset, keeps the objects, and ends links and what was discovered")
    @BluetoothActor func reset() async throws {
        let simulator = try await SimulatorFixture()
        let central = Manager(bus: simulator.bus)
        let peripheral = try await central.firstPeripheral(timeout: .ample)
        try await peripheral.connect()
        let service = try #require(try await peripheral.discoverServices().first)
        var ends: [BluetoothError.Code?] = []
        peripheral.disconnectHandler = { ends.append($1?.code) }
        central.log = []
        await simulator.bluez.simulateCrash()
        try await eventually("the loss") { central.log == ["resetting", "reset"] }
        #expect(ends == [.daemonUnavailable])
        #expect(central.peripherals.map(ObjectIdentifier.init) == [ObjectIdentifier(peripheral)])
        #expect(!service.isDiscovered)
        await simulator.restart()
        try await eventually("bluetoothd") { central.state == .poweredOn }
        #expect(central.peripherals.first === peripheral)
        try await peripheral.connect()
        try await peripheral.discoverServices()
        #expect(service.isDiscovered)
    }

    @Test("A bus that is not there calls the hook for what is not supported")
    @BluetoothActor func unsupported() async throws {
        let central = Manager(bus: .address("unix:path=/nonexistent/corebluez"))
        try await eventually("the state") { central.log == ["unsupported", "unsupported"] }
        #expect(central.stateError?.code == .busUnavailable)
    }

    @Test("A bus that refuses this user calls the hook for what is not authorized")
    @BluetoothActor func unauthorized() async throws {
        let simulator = try await SimulatorFixture()
        // The manager asks again and again.
        await simulator.refuse(
            "GetManagedObjects", of: "org.freedesktop.DBus.ObjectManager", SimulatorFixture.busError + "AccessDenied",
            "No", times: 100)
        let central = Manager(bus: simulator.bus)
        try await eventually("the state") { central.log == ["unauthorized", "unauthorized"] }
        #expect(central.stateError?.code == .accessDenied)
    }

    @Test("Links are events of every manager, whoever makes them")
    @BluetoothActor func events() async throws {
        let simulator = try await SimulatorFixture()
        let witness = CentralManager(bus: simulator.bus)
        var events: [String] = []
        witness.eventHandler = { event in
            switch event {
            case .connected(let peripheral): events.append("+\(peripheral.displayName)")
            case .disconnected(let peripheral): events.append("-\(peripheral.displayName)")
            default: break
            }
        }
        let central = CentralManager(bus: simulator.bus)
        let peripheral = try await central.firstPeripheral(timeout: .ample)
        try await peripheral.connect()
        try await peripheral.disconnect()
        try await eventually("the events") { events == ["+Watch", "-Watch"] }
    }

    @Test("The version is three numbers, and the newest of the changelog")
    func version() throws {
        #expect(CentralManager.version.split(separator: ".").compactMap { Int($0) }.count == 3)
        let package = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../..").standardized
        let changes = try String(contentsOf: package.appending(path: "CHANGELOG.md"), encoding: .utf8)
        let newest = try #require(changes.split(separator: "\n").first { $0.hasPrefix("## ") })
        #expect(newest.hasPrefix("## [\(CentralManager.version)]"))
    }
}

extension SimulatorFixture {
    func powerOff() { for adapter in bluez.adapters { adapter.simulatePower(false) } }
}
