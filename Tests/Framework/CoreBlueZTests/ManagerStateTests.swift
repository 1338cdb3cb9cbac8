import BlueZSimulator
import FoundationEssentials
import TestSupport
import Testing

@testable import CoreBlueZ

/// Every manager gets its states, from the first on, after its initializer has returned.
@Suite(.virtualTime) struct ManagerStateTests {
    final class Witness: CentralManager {
        var log: [String] = []
        private var isInitialized = false

        init(on bus: BusAddress) {
            super.init(bus: bus)
            isInitialized = true
        }

        override func centralManagerDidUpdateState() { log.append("\(state), initialized: \(isInitialized)") }
        override func didReset() { log.append("reset") }
        override func didBecomeUnknown() { log.append("unknown") }
        override func didBecomeUnsupported() { log.append("unsupported") }
        override func didPowerOn() { log.append("on") }
    }

    @Test("The second manager of a program gets its state too, and what the first already knew")
    @BluetoothActor func second() async throws {
        let fixture = try await PeripheralFixture()
        let peripheral = try await fixture.connect()
        #expect(fixture.central.state == .poweredOn)
        let witness = Witness(on: fixture.simulator.bus)
        #expect(witness.state == .unknown)
        #expect(witness.log.isEmpty)
        var events: [String] = []
        witness.eventHandler = { event in
            switch event {
            case .adapterAdded(let adapter): events.append("adapter \(adapter.identifier)")
            case .connected(let other): events.append("connected \(other.displayName)")
            default: events.append("\(event)")
            }
        }
        // Nothing is asked of it: it reports by itself.
        try await eventually("the state and what is known") { events.count == 2 }
        #expect(witness.log == ["poweredOn, initialized: true", "on"])
        #expect(events == ["adapter hci0", "connected \(peripheral.displayName)"])
    }

    @Test("A loss that lasts is no longer a passing one, and what comes back begins as unknown")
    @BluetoothActor func lasting() async throws {
        let simulator = try await SimulatorFixture()
        let witness = Witness(on: simulator.bus)
        witness.client.timeouts.loss = .milliseconds(50)
        try await witness.waitUntilPoweredOn(timeout: .seconds(20))
        await simulator.bluez.simulateCrash()
        try await eventually("the end of hope") { witness.log.last == "unsupported" }
        #expect(witness.stateError?.code == .daemonUnavailable)
        await simulator.restart()
        try await eventually("bluetoothd") { witness.state == .poweredOn }
        #expect(
            witness.log == [
                "poweredOn, initialized: true", "on", "resetting, initialized: true", "reset",
                "unsupported, initialized: true", "unsupported", "unknown, initialized: true", "unknown",
                "poweredOn, initialized: true", "on",
            ])
    }
}
