import BlueZSimulator
import CoreBlueZ
import TestSupport
import Testing

@Suite(.virtualTime) struct StateWaiterTests {
    @Test("Whoever waited for Bluetooth may wait and scan again in the completion")
    @BluetoothActor func waitsAgain() async throws {
        let simulator = try await SimulatorFixture()
        let central = CentralManager(bus: simulator.bus)
        var events: [String] = []
        central.waitUntilPoweredOn { error in
            #expect(error == nil)
            events.append("on")
            central.waitUntilPoweredOn { _ in events.append("again") }
            central.scanForPeripherals { _, _, _ in
                central.stopScan()
            } completion: { _ in
                events.append("scan")
            }
        }
        try await eventually("all of them") { events.count == 3 }
        #expect(events.sorted() == ["again", "on", "scan"])
    }
}
