import BlueZSimulator
import FoundationEssentials
import TestSupport
import Testing

@testable import CoreBlueZ

/// The timeout of a connection attempt, which other libraries call its watchdog.
@Suite(.virtualTime) struct ConnectTimeoutTests {
    @Test("An attempt that takes longer than its timeout ends once, with the code that says so, and leaves no link")
    @BluetoothActor func watchdog() async throws {
        let fixture = try await PeripheralFixture()
        let peripheral = try await fixture.find()
        await fixture.simulator.vanish()
        var ends: [BluetoothError.Code?] = []
        peripheral.connect(options: ConnectOptions(timeout: .milliseconds(50))) { ends.append($0?.code) }
        try await eventually("the end") { !ends.isEmpty }
        await fixture.central.settle()
        #expect(ends == [.connectionTimedOut])
        #expect(ConnectOptions().timeout == .seconds(45))
        #expect(peripheral.state == .disconnected)
        await fixture.simulator.peripheral.simulateReturn()
        try await peripheral.connect()
        #expect(peripheral.isConnected)
    }

    @Test("Two attempts at a time each end once")
    @BluetoothActor func each() async throws {
        let fixture = try await PeripheralFixture()
        let peripheral = try await fixture.find()
        var ends: [String] = []
        peripheral.connect { ends.append("first \($0?.code.rawValue ?? "ok")") }
        peripheral.connect { ends.append("second \($0?.code.rawValue ?? "ok")") }
        try await eventually("both ends") { ends.count == 2 }
        #expect(Set(ends) == ["first ok", "second ok"])
    }

    @Test("A subclass's own connect() is called where the code is synchronous; elsewhere the name is the async form")
    @BluetoothActor func ownConnect() async throws {
        let fixture = try await PeripheralFixture()
        fixture.central.peripheralBuilder = { OwnConnect($0) }
        let peripheral = try #require(try await fixture.find() as? OwnConnect)
        try await peripheral.connect()
        #expect(peripheral.isConnected)
        #expect(peripheral.ends == 0)
        let begin: @BluetoothActor () -> Void = { peripheral.connect() }
        begin()
        try await eventually("the end") { peripheral.ends == 1 }
    }
}

/// A peripheral with the method of YmsCoreBluetooth's article.
private final class OwnConnect: Peripheral {
    var ends = 0

    func connect() {
        connect { [weak self] _ in self?.ends += 1 }
    }
}
