import BlueZDBus
import TestSupport
import Testing

@testable import BlueZClient
@testable import CoreBlueZ

/// A device is set up over each new link.
extension KeptConnectionTests {
    @Test("A device is set up over each new link before it is connected, also over one that was there already")
    @BluetoothActor func setUp() async throws {
        let fixture = try await PeripheralFixture()
        try await fixture.find().connect()
        let record = Record()
        let connection = fixture.central.keepConnected(to: try #require(Self.address), policy: Self.policy) {
            record.note($0)
        } setUp: { peripheral in
            record.note("set-up")
            for service in try await peripheral.discoverServices() { try await service.discoverCharacteristics() }
            record.note("value \(try await fixture.value(of: peripheral).readValue().count)")
        }
        try await eventually("the link") { record.count("connected Watch") == 1 }
        await fixture.simulator.disconnect()
        try await eventually("the next link") { record.count("connected Watch") == 2 }
        let each = ["connecting Watch", "set-up", "value 3", "connected Watch"]
        #expect(record.words == ["searching"] + each + ["disconnected"] + each)
        try await connection.stop()
    }

    @Test(
        "A set-up that fails ends the link, and the next attempts follow after the delays of the policy",
        arguments: [nil, 3])
    @BluetoothActor func failingSetUp(attempts: Int?) async throws {
        let fixture = try await PeripheralFixture()
        await fixture.simulator.keepCalls()
        let record = Record()
        var times: [MonotonicInstant] = []
        let policy = ReconnectPolicy(
            attempts: attempts, firstDelay: .milliseconds(100), longestDelay: .milliseconds(300))
        let connection = fixture.central.keepConnected(named: "Watch", policy: policy) { record.note($0) }
        connection.setUpHandler = { peripheral, completion in
            times.append(.now)
            #expect(peripheral.isConnected)
            completion(times.count < 5 ? BluetoothError(.invalidData, "no") : nil)
        }
        guard attempts == nil else {
            try await eventually("the end") { record.count("stopped") == 1 }
            #expect(times.count == attempts)
            #expect(record.codes("stopped") == [.invalidData])
            return
        }
        try await eventually("the link") { record.count("connected Watch") == 1 }
        #expect(
            record.words == ["searching"]
                + Array(repeating: ["connecting Watch", "disconnected"], count: 4).joined() + [
                    "connecting Watch", "connected Watch",
                ])
        #expect(record.codes("disconnected") == Array(repeating: .invalidData, count: 4))
        let pauses = zip(times, times.dropFirst()).map { $1 - $0 }
        for (pause, least) in zip(pauses, [200, 300, 300, 300].map(Duration.milliseconds)) {
            #expect(pause >= least)
            if VirtualTime.isOn { #expect(pause < least + .milliseconds(50)) }
        }
        #expect(await fixture.simulator.calls("Disconnect").count == 4)
        try await connection.stop()
    }

    @Test("A link that is given up is ended, made again after the first delay, and set up", arguments: [true, false])
    @BluetoothActor func renewal(isOwn: Bool) async throws {
        let fixture = try await PeripheralFixture()
        let other = CentralManager(bus: fixture.simulator.bus)
        if !isOwn { try await other.firstPeripheral(timeout: .ample).connect() }
        await fixture.simulator.keepCalls()
        let record = Record()
        let policy = ReconnectPolicy(firstDelay: .milliseconds(100))
        let connection = fixture.central.keepConnected(to: try #require(Self.address), policy: policy) {
            record.note($0)
        } setUp: { _ in
            record.note("set-up")
        }
        connection.renew(BluetoothError(.invalidData, "not connected yet"))
        try await eventually("the link") { record.count("connected Watch") == 1 }
        let start = MonotonicInstant.now
        connection.renew(BluetoothError(.invalidData, "of no use"))
        try await eventually("the next link") { record.count("connected Watch") == 2 }
        #expect(MonotonicInstant.now - start >= policy.firstDelay)
        let each = ["connecting Watch", "set-up", "connected Watch"]
        #expect(record.words.filter { $0 != "searching" } == each + ["disconnected"] + each)
        #expect(record.codes("disconnected") == [.invalidData])
        #expect(await fixture.simulator.calls("Disconnect").count == (isOwn ? 1 : 0))
        connection.cancel()
    }

    @Test("A link of another program stays when the set-up fails")
    @BluetoothActor func foreignLink() async throws {
        let fixture = try await PeripheralFixture()
        let other = CentralManager(bus: fixture.simulator.bus)
        let theirs = try await other.firstPeripheral(timeout: .ample)
        try await theirs.connect()
        var count = 0
        let connection = fixture.central.keepConnected(
            to: try #require(Self.address), policy: Self.policy,
            setUp: { peripheral in
                count += 1
                if count < 3 { throw CancellationError() }
            })
        let record = Record()
        connection.stateHandler = { record.note($0) }
        try await eventually("the link") { record.count("connected Watch") == 1 }
        #expect(record.codes("disconnected") == [.failed, .failed])
        #expect(theirs.isConnected)
        connection.cancel()
        #expect(record.words.last == "stopped")
        #expect(theirs.isConnected)
    }

    enum Interruption: CaseIterable { case loss, stop, cancel }

    @Test("The task of a set-up is cancelled when its link is lost or no longer kept", arguments: Interruption.allCases)
    @BluetoothActor func interruptedSetUp(by interruption: Interruption) async throws {
        let fixture = try await PeripheralFixture()
        let record = Record()
        let connection = fixture.central.keepConnected(named: "Watch", policy: Self.policy) {
            record.note($0)
        } setUp: { _ in
            record.note("set-up")
            guard record.count("set-up") == 1 else { return }
            do {
                try await BluetoothActor.sleep(for: .seconds(60))
            } catch {
                record.note("cancelled")
                throw error
            }
        }
        try await eventually("the set-up") { record.count("set-up") == 1 }
        switch interruption {
        case .loss: await fixture.simulator.disconnect()
        case .stop: try await connection.stop()
        case .cancel: connection.cancel()
        }
        try await eventually("the cancellation") { record.count("cancelled") == 1 }
        if interruption == .loss {
            try await eventually("the next link") { record.count("connected Watch") == 1 }
            #expect(record.codes("disconnected") == [.disconnected])
        } else {
            #expect(
                record.words.filter { $0 != "cancelled" } == ["searching", "connecting Watch", "set-up", "stopped"])
        }
        try await connection.stop()
    }
}
