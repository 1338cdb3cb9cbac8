import BlueZClient
import BlueZDBus
import BlueZSimulator
import CoreBlueZ
import Foundation
import TestSupport
import Testing

/// The clock of these tests.
@Suite(.virtualTime, .enabled(if: VirtualTime.isOn, "needs the virtual clock")) struct VirtualTimeTests {
    @Test("The clock stands while anything is in progress")
    @BluetoothActor func stands() async throws {
        let fixture = try await PeripheralFixture()
        let peripheral = try await fixture.connect()
        let start = MonotonicInstant.now
        for _ in 0..<100 { _ = try await fixture.value(of: peripheral).readValue() }
        #expect(MonotonicInstant.now == start)
    }

    @Test("A sleep ends when its time has come, to the nanosecond, and before those that end later")
    @BluetoothActor func sleeps() async throws {
        let start = MonotonicInstant.now
        var ends: [Duration] = []
        let sleeps = [3000, 1, 60].map { seconds in
            Task {
                try await BluetoothActor.sleep(for: .seconds(seconds))
                ends.append(MonotonicInstant.now - start)
            }
        }
        for sleep in sleeps { try await sleep.value }
        #expect(ends == [.seconds(1), .seconds(60), .seconds(3000)])
    }

    @Test("A timeout passes as soon as nothing else can happen, at its time")
    @BluetoothActor func timeout() async throws {
        let fixture = try await PeripheralFixture()
        let value = try fixture.value(of: try await fixture.connect())
        await fixture.simulator.delay(.seconds(1000))
        fixture.central.attributeTimeout = .seconds(20)
        let start = MonotonicInstant.now
        #expect(await fixture.failureCode { try await value.readValue() } == .timedOut)
        #expect(MonotonicInstant.now - start == .seconds(20))
    }

    @Test("What is waited for in vain fails within its limit, and the error says which call has no reply")
    @BluetoothActor func vain() async throws {
        let fixture = try await PeripheralFixture()
        let value = try fixture.value(of: try await fixture.connect())
        await fixture.simulator.delay(.seconds(1000))
        fixture.central.attributeTimeout = .seconds(2000)
        value.readValue { _, _ in }
        let start = MonotonicInstant.now
        let error = await #expect(throws: Patience.Exhausted.self) {
            try await eventually("nothing", within: .seconds(10)) { false }
        }
        #expect(error?.description.hasPrefix("waited in vain for: nothing. Without a reply: :1.") == true)
        #expect(error?.description.contains(" ReadValue /org/bluez/hci0/dev_") == true)
        #expect(MonotonicInstant.now - start == .seconds(10))
    }

    @Test("A test that waits for another process is not given up, however far the clock has run ahead")
    func otherProcess() async {
        let ticks = Task {
            while !Task.isCancelled { try await BluetoothActor.sleep(for: .seconds(3000)) }
        }
        await #expect(processExitsWith: .success) {
            var sum = 0
            for number in 0..<50_000_000 { sum &+= number }
            exit(sum == 0 ? 1 : 0)
        }
        ticks.cancel()
        _ = await ticks.result
    }

    @Test("Tasks that belong to no actor run on the loop, too")
    func tasks() async {
        let start = MonotonicInstant.now
        let isOnLoop = await Task.detached { BluetoothActor.loop.isCurrent }.value
        #expect(isOnLoop && MonotonicInstant.now == start)
    }
}
