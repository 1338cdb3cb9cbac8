import BlueZSimulator
import TestSupport
import Testing

@testable import CoreBluetooth

/// Links that others use too.
@MainActor @Suite struct SharedLinkTests {
    private nonisolated static let device = "/org/bluez/hci0/dev_BC_6A_29_00_00_01"

    @Test("A link of another program is found and used, and stays after its end here")
    func stranger() async throws {
        let stand = try await Stand()
        let peripheral = try await stand.find()
        let other = try await Stranger(stand.simulator.bus)
        try await other.call("org.bluez", "Connect", of: "org.bluez.Device1", at: Self.device, [])
        try await eventually("the link") {
            stand.central.retrieveConnectedPeripherals(withServices: [Stand.service]) == [peripheral]
        }
        #expect(stand.central.retrieveConnectedPeripherals(withServices: [CBUUID(string: "180D")]).isEmpty)
        #expect(stand.central.retrieveConnectedPeripherals(withServices: []).isEmpty)
        #expect(peripheral.state == .disconnected)
        try await stand.next("connected") { stand.central.connect(peripheral) }
        let updates = try await stand.discover(Stand.updates, of: peripheral)
        try await stand.next("notifying true") { peripheral.setNotifyValue(true, for: updates) }
        try await stand.next("disconnected") { stand.central.cancelPeripheralConnection(peripheral) }
        #expect(peripheral.state == .disconnected && stand.recorder.error == nil)
        // The use has ended, but not the link.
        try await eventually("the end of notifications") {
            await stand.simulator.perform { $0.bluez.notificationSessions(of: $0.peripheral).isEmpty }
        }
        #expect(await stand.simulator.perform { $0.peripheral.isConnected })
    }

    @Test("A link that two managers use ends with the second")
    func twoManagers() async throws {
        let simulator = try await SimulatorFixture()
        let stands = [try await Stand(simulator), try await Stand(simulator)]
        let peripherals = [try await stands[0].find(), try await stands[1].find()]
        #expect(peripherals[0] !== peripherals[1] && peripherals[0].identifier == peripherals[1].identifier)
        for index in 0...1 {
            try await stands[index].next("connected") { stands[index].central.connect(peripherals[index]) }
        }
        // The manager that has made it gives it up first.
        try await stands[0].next("disconnected") { stands[0].central.cancelPeripheralConnection(peripherals[0]) }
        #expect(peripherals[1].state == .connected)
        let value = try await stands[1].discover(Stand.value, of: peripherals[1])
        try await stands[1].next("value") { peripherals[1].readValue(for: value) }
        #expect(value.value == Data([1, 2, 3]))
        try await stands[1].next("disconnected") { stands[1].central.cancelPeripheralConnection(peripherals[1]) }
        #expect(await simulator.perform { !$0.peripheral.isConnected })
    }

    @Test("A pending attempt that one manager cancels goes on in the other", arguments: [0, 1])
    func twoAttempts(cancelled: Int) async throws {
        let simulator = try await SimulatorFixture()
        let stands = [try await Stand(simulator), try await Stand(simulator)]
        let peripherals = [try await stands[0].find(), try await stands[1].find()]
        await simulator.perform {
            $0.peripheral.simulateRangeLoss()
            $0.keepCalls()
        }
        stands[0].central.connect(peripherals[0])
        try await eventually("the attempt") { await !simulator.calls("Connect").isEmpty }
        stands[1].central.connect(peripherals[1])
        // The second attempt waits for the first one.
        let bridge = stands[1].central.bridge
        let identifier = peripherals[1].identifier
        try await eventually("the second attempt") { await bridge.peripheral(identifier)?.state == .connecting }
        try await stands[cancelled].next("disconnected") {
            stands[cancelled].central.cancelPeripheralConnection(peripherals[cancelled])
        }
        #expect(await simulator.calls("Disconnect").isEmpty)
        await simulator.perform { $0.peripheral.simulateReturn() }
        try await eventually("the link") { peripherals[1 - cancelled].state == .connected }
        #expect(peripherals[cancelled].state == .disconnected)
        #expect(await simulator.calls("Disconnect").isEmpty)
    }

    @Test("A peripheral whose private address is resolved keeps its object, its identifier and its link")
    func resolvedAddress() async throws {
        let stand = try await Stand()
        let (peripheral, value) = try await stand.discover(Stand.value)
        let identifier = peripheral.identifier
        // What pairing changes: the path stays (src/device.c: device_update_addr).
        try await stand.simulate {
            try $0.bluez.simulateSignal(
                "PropertiesChanged", of: "org.freedesktop.DBus.Properties", from: Self.device,
                [
                    .string("org.bluez.Device1"),
                    .properties([
                        "Address": .string("C0:FF:EE:00:00:01"), "AddressType": .string("random"),
                        "Paired": .boolean(true),
                    ]), .strings([]),
                ])
        }
        try await stand.next("value") { peripheral.readValue(for: value) }
        #expect(peripheral.state == .connected && value.value == Data([1, 2, 3]))
        #expect(stand.central.retrieveConnectedPeripherals(withServices: [Stand.service]) == [peripheral])
        #expect(stand.central.retrievePeripherals(withIdentifiers: [identifier]) == [peripheral])
        #expect(peripheral.identifier == identifier)
        // A later run of the program knows it by the new address.
        let second = try await Stand(stand.simulator)
        let again = try #require(second.central.retrieveConnectedPeripherals(withServices: [Stand.service]).first)
        #expect(again.identifier != identifier)
        #expect(second.central.retrievePeripherals(withIdentifiers: [identifier]).isEmpty)
        try await stand.next("disconnected") { stand.central.cancelPeripheralConnection(peripheral) }
        #expect(await stand.simulator.perform { !$0.peripheral.isConnected })
    }

    @Test("A peripheral keeps its object and its identifier, and bluetoothd's devices are retrieved by it")
    func identity() async throws {
        let stand = try await Stand()
        let peripheral = try await stand.connect()
        #expect(stand.central.retrievePeripherals(withIdentifiers: [peripheral.identifier, UUID()]) == [peripheral])
        // A later run of the program.
        let second = try await Stand(stand.simulator)
        let again = second.central.retrievePeripherals(withIdentifiers: [UUID(), peripheral.identifier])
        #expect(again.map(\.identifier) == [peripheral.identifier])
        #expect(again.first?.name == "Watch" && again.first !== peripheral)
    }

    @Test("A peripheral that the program no longer holds loses its link")
    func unused() async throws {
        let simulator = try await SimulatorFixture()
        let central = CBCentralManager(delegate: nil, queue: nil, options: simulator.options)
        do {
            let recorder = DelegateRecorder()
            central.delegate = recorder
            try await eventually("power") { central.state == .poweredOn }
            central.scanForPeripherals(withServices: nil)
            try await eventually("a peripheral") { !recorder.discoveries.isEmpty }
            central.stopScan()
            central.connect(recorder.discoveries[0].peripheral)
            try await eventually("the link") { recorder.count("connected") == 1 }
        }
        try await eventually("the end") { await simulator.perform { !$0.peripheral.isConnected } }
    }
}
