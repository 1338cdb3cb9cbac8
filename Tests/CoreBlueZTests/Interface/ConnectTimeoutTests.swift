import BlueZSimulator
import FoundationEssentials
import TestSupport
import Testing

@testable import CoreBlueZ

/// The timeout of a connection attempt, which other libraries call its watchdog.
@Suite struct ConnectTimeoutTests {
    @Test("An attempt that takes longer than its timeout ends once, with the code that says so, and leaves no link")
    func watchdog() async throws {
        try await PeripheralFixture.run { fixture in
            let peripheral = try await fixture.find()
            await fixture.simulator.vanish()
            var ends: [BluetoothError.Code?] = []
            peripheral.connect(options: ConnectOptions(timeout: .milliseconds(50))) { ends.append($0?.code) }
            try await Patience.wait(for: "the end") { !ends.isEmpty }
            await fixture.central.settle()
            #expect(ends == [.connectionTimedOut])
            #expect(ConnectOptions().timeout == .seconds(45))
            #expect(peripheral.state == .disconnected)
            await fixture.simulator.peripheral.simulateReturn()
            try await peripheral.connect()
            #expect(peripheral.isConnected)
        }
    }

    @Test("Two attempts at a time each end once")
    func each() async throws {
        try await PeripheralFixture.run { fixture in
            let peripheral = try await fixture.find()
            var ends: [String] = []
            peripheral.connect { ends.append("first \($0?.code.rawValue ?? "ok")") }
            peripheral.connect { ends.append("second \($0?.code.rawValue ?? "ok")") }
            try await Patience.wait(for: "both ends") { ends.count == 2 }
            #expect(Set(ends) == ["first ok", "second ok"])
        }
    }
}
