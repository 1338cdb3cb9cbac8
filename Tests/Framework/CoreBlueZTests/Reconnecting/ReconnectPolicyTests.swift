import BlueZSimulator
import CoreBlueZ
import TestSupport
import Testing

@Suite(.virtualTime) struct ReconnectPolicyTests {
    @Test(
        "Waits grow by the factor up to the longest",
        arguments: [(0, 500), (1, 1000), (2, 2000), (5, 16000), (6, 30000), (1000, 30000)])
    func waits(number: Int, milliseconds: Int) {
        #expect(ReconnectPolicy().delay(beforeAttempt: number) == .milliseconds(milliseconds))
    }

    @Test("Odd numbers make no odd waits")
    func oddNumbers() {
        let policy = ReconnectPolicy(firstDelay: .seconds(-1), factor: -3, longestDelay: .seconds(-5))
        #expect(policy.delay(beforeAttempt: -7) == .zero)
        #expect(ReconnectPolicy(factor: .nan).delay(beforeAttempt: 9) == .milliseconds(500))
        #expect(ReconnectPolicy(factor: .infinity).delay(beforeAttempt: 9) == .seconds(30))
    }

    @Test("With the attempts used up the program is notified once, and nothing goes on")
    @BluetoothActor func givesUp() async throws {
        let simulator = try await SimulatorFixture()
        let central = CentralManager(bus: simulator.bus)
        let peripheral = try await central.firstPeripheral()
        try await peripheral.connect()
        var givenUp: [BluetoothError] = []
        peripheral.reconnectHandler = { _, _ in Issue.record("It was connected again") }
        peripheral.reconnectPolicy = ReconnectPolicy(
            attempts: 3, firstDelay: .milliseconds(1),
            options: ConnectOptions(timeout: .milliseconds(50), retries: 0)
        ) { _, error in
            givenUp.append(error)
        }
        await simulator.vanish()
        try await eventually("the policy to give up") { !givenUp.isEmpty }
        #expect(givenUp.map(\.code) == [.connectionTimedOut])
        #expect(!peripheral.isReconnecting)
        #expect(peripheral.state == .disconnected)
    }

    @Test("After bluetoothd's restart the link and the subscriptions are brought back")
    @BluetoothActor func restart() async throws {
        let simulator = try await SimulatorFixture()
        let central = CentralManager(bus: simulator.bus)
        let peripheral = try await central.firstPeripheral()
        try await peripheral.connect()
        try await peripheral.discoverServices()
        let updates = try #require(peripheral[SimulatorFixture.service]?[SimulatorFixture.updates])
        try await updates.setNotifyValue(true)
        var returns = 0
        var values = 0
        updates.service?.updateHandler = { _, error in values += error == nil ? 1 : 0 }
        peripheral.reconnectPolicy = ReconnectPolicy(firstDelay: .milliseconds(1))
        peripheral.reconnectHandler = { _, error in
            #expect(error == nil)
            returns += 1
        }
        await simulator.restart()
        try await eventually("the link") { returns == 1 }
        #expect(updates.isNotifying)
        await simulator.notify([7])
        try await eventually("the value") { values > 0 }
        #expect(updates.value?.first == 7)
    }

    @Test("A manager that goes ends the attempts")
    @BluetoothActor func managerGoes() async throws {
        let simulator = try await SimulatorFixture()
        var central: CentralManager? = CentralManager(bus: simulator.bus)
        let peripheral = try await #require(central).firstPeripheral()
        try await peripheral.connect()
        peripheral.reconnectPolicy = ReconnectPolicy(firstDelay: .milliseconds(1))
        let gone = Flag()
        peripheral.disconnectHandler = { _, _ in gone.isSet = true }
        await simulator.vanish()
        try await eventually("an attempt") { gone.isSet && peripheral.state == .connecting }
        weak let weakPeripheral = peripheral
        central = nil
        #expect(weakPeripheral?.state != .connecting)
    }
}

@BluetoothActor final class Flag {
    var isSet = false

    @Test(
        "What another program ended counts as lost, unless the policy says otherwise and BlueZ reports the reason",
        arguments: [("Local", true, true), ("Local", false, false), ("Timeout", false, true), (nil, false, true)]
            as [(String?, Bool, Bool)])
    @BluetoothActor func localDisconnect(reason: String?, policy: Bool, reconnects: Bool) async throws {
        let simulator = try await SimulatorFixture()
        let central = CentralManager(bus: simulator.bus)
        let peripheral = try await central.firstPeripheral()
        try await peripheral.connect()
        var losses = 0
        peripheral.disconnectHandler = { _, _ in losses += 1 }
        // The first attempt comes after the end of the test.
        peripheral.reconnectPolicy = ReconnectPolicy(
            firstDelay: .seconds(30), reconnectsAfterLocalDisconnect: policy)
        if let reason {
            try await simulator.bluez.simulateSignal(
                "Disconnected", of: "org.bluez.Device1", from: SimulatorFixture.device,
                [.string("org.bluez.Reason." + reason), .string("Connection was ended")])
        }
        await simulator.disconnect()
        try await eventually("the loss") { losses == 1 }
        #expect(peripheral.isReconnecting == reconnects)
    }
}
