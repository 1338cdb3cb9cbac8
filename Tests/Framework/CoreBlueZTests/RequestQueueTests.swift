import BlueZDBus
import BlueZSimulator
import FoundationEssentials
import TestSupport
import Testing

@testable import BlueZClient
@testable import CoreBlueZ

/// What waits in a queue has not begun.
@Suite(.virtualTime) struct RequestQueueTests {
    enum End: CaseIterable { case unregistered, managerGone, tasksCancelled, linkLost }

    @Test("What ends while it waits is never sent", arguments: End.allCases)
    @BluetoothActor func unsent(end: End) async throws {
        let simulator = try await SimulatorFixture()
        let other = try await PeripheralFixture.poweredOn(simulator)
        var fixture = Optional(PeripheralFixture(simulator, adapter: nil))
        try await fixture?.central.waitUntilPoweredOn(timeout: .seconds(20))
        let peripheral = try #require(try await fixture?.connect())
        let value = try #require(try fixture?.value(of: peripheral))
        await simulator.delay(.seconds(20))
        await simulator.keepCalls()
        var codes: [BluetoothError.Code?] = []
        let tasks = (0..<10).map { number in
            Task { @BluetoothActor in
                do throws(BluetoothError) {
                    try await value.writeValue(Data([UInt8(number)]))
                    codes.append(nil)
                } catch {
                    codes.append(error.code)
                }
            }
        }
        try await eventually("the first write") { await simulator.calls("WriteValue").count == 1 }
        switch end {
        case .unregistered: fixture?.central.removePeripheral(peripheral)
        case .managerGone: fixture = nil
        case .tasksCancelled: for task in tasks { task.cancel() }
        case .linkLost: await simulator.disconnect()
        }
        for task in tasks { await task.value }
        let code: BluetoothError.Code = end == .linkLost ? .disconnected : .cancelled
        #expect(codes == Array(repeating: code, count: 10))
        try await other.barrier()
        #expect(await simulator.calls("WriteValue").count == 1)
    }

    @Test("The time that a request may take begins when it is sent")
    @BluetoothActor func clock() async throws {
        let fixture = try await PeripheralFixture()
        let value = try fixture.value(of: try await fixture.connect())
        let delay = Duration.milliseconds(80).stretched
        let limit = delay * 9
        await fixture.simulator.delay(delay)
        fixture.central.attributeTimeout = limit
        let start = MonotonicInstant.now
        var codes: [BluetoothError.Code?] = []
        for number: UInt8 in 0..<10 { value.writeValue(Data([number])) { codes.append($0?.code) } }
        try await eventually("ten writes") { codes.count == 10 }
        #expect(codes == Array(repeating: nil, count: 10))
        #expect(MonotonicInstant.now - start > limit)
    }

    @Test("A request that waits too long is not sent, and its error names the queue")
    @BluetoothActor func tooLong() async throws {
        let fixture = try await PeripheralFixture()
        let value = try fixture.value(of: try await fixture.connect())
        await fixture.simulator.perform {
            $0.peripheral.characteristic(SimulatorFixture.value)?.faults.losesReplies = true
        }
        await fixture.simulator.keepCalls()
        fixture.central.queueTimeout = .milliseconds(50)
        var first: [BluetoothError?] = []
        value.readValue { first.append($1) }
        let error = await fixture.failure { try await value.writeValue(Data([1])) }
        #expect(error?.code == .timedOut)
        #expect(error?.message.contains("queue") == true)
        #expect(first.isEmpty)
        fixture.central.removeAllPeripherals()
        try await fixture.central.barrier()
        #expect(await fixture.simulator.calls("WriteValue").isEmpty)
        #expect(first.map { $0?.code } == [.cancelled])
    }

    @Test("Thousands that end as soon as their turn comes leave the stack as it is")
    @BluetoothActor func thousands() async throws {
        let fixture = try await PeripheralFixture()
        let updates = try fixture.updates(of: try await fixture.connect())
        let count = 20_000
        var ends = 0
        for _ in 0..<count {
            updates.setNotifyValue(true) { error in
                #expect(error == nil)
                ends += 1
            }
        }
        try await eventually("all of them") { ends == count }
        #expect(updates.isNotifying)
    }

    @Test("At the end of an operation come the state, then the completion, then the next operation")
    @BluetoothActor func order() async throws {
        let fixture = try await PeripheralFixture()
        let updates = try fixture.updates(of: try await fixture.connect())
        await fixture.simulator.keepCalls()
        await fixture.simulator.keepSilent("StartNotify", of: BlueZ.gattCharacteristic)
        fixture.central.attributeTimeout = .milliseconds(300).stretched
        var log: [String] = []
        updates.setNotifyValue(true) { error in
            log.append("failed: \(error?.code.rawValue ?? "no"), notifying: \(updates.isNotifying)")
            log.append("operations: \(fixture.central.operations.count)")
            #expect(updates.pendingSubscriptions == 2)
        }
        updates.setNotifyValue(true) { error in
            log.append("succeeded: \(error == nil), notifying: \(updates.isNotifying)")
            log.append("operations: \(fixture.central.operations.count)")
            // The third begins after this closure only.
            updates.setNotifyValue(true) { _ in log.append("fourth") }
            log.append("end of second")
        }
        updates.setNotifyValue(true) { _ in log.append("third") }
        try await eventually("the last") { log.last == "fourth" }
        #expect(
            log == [
                "failed: timedOut, notifying: false", "operations: 2", "succeeded: true, notifying: true",
                "operations: 1", "end of second", "third", "fourth",
            ])
    }

    @Test("What waits behind an operation of its own characteristic is overtaken by one of another")
    @BluetoothActor func overtaken() async throws {
        let fixture = try await PeripheralFixture()
        let peripheral = try await fixture.connect()
        let (value, updates) = (try fixture.value(of: peripheral), try fixture.updates(of: peripheral))
        let mark = await fixture.simulator.peripheral.log.count
        var ends = 0
        value.writeByte(1) { _ in ends += 1 }
        value.writeByte(2) { _ in ends += 1 }
        updates.readValue { _, _ in ends += 1 }
        try await eventually("all of them") { ends == 3 }
        let log = await fixture.simulator.peripheral.log.dropFirst(mark).map { "\($0.operation) \($0.value)" }
        #expect(log == ["write [1]", "read []", "write [2]"])
    }
}
