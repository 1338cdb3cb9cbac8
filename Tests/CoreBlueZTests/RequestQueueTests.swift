import BlueZSimulator
import FoundationEssentials
import TestSupport
import Testing

@testable import BlueZClient
@testable import CoreBlueZ

/// What waits in a queue has not begun.
@Suite struct RequestQueueTests {
    enum End: CaseIterable { case unregistered, managerGone, tasksCancelled, linkLost }

    @Test("What ends while it waits is never sent", arguments: End.allCases)
    func unsent(end: End) async throws {
        let world = try await World()
        try await BluetoothActor.run {
            let other = CentralManager(bus: world.bus)
            try await other.waitUntilPoweredOn(timeout: .seconds(20))
            var stage = Optional(TrapStage(world))
            try await stage?.central.waitUntilPoweredOn(timeout: .seconds(20))
            let peripheral = try #require(try await stage?.connect())
            let value = try #require(try stage?.value(of: peripheral))
            await world.delay(.seconds(20))
            await world.keepCalls()
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
            try await Patience.wait(for: "the first write") { await world.calls("WriteValue").count == 1 }
            switch end {
            case .unregistered: stage?.central.removePeripheral(peripheral)
            case .managerGone: stage = nil
            case .tasksCancelled: for task in tasks { task.cancel() }
            case .linkLost: await world.disconnect()
            }
            for task in tasks { await task.value }
            let code: BluetoothError.Code = end == .linkLost ? .disconnected : .cancelled
            #expect(codes == Array(repeating: code, count: 10))
            try await other.barrier()
            #expect(await world.calls("WriteValue").count == 1)
        }
    }

    @Test("The time that a request may take begins when it is sent")
    func clock() async throws {
        try await TrapStage.run { stage in
            let value = try stage.value(of: try await stage.connect())
            await stage.world.delay(Patience.scaled(.milliseconds(200)))
            stage.central.attributeTimeout = Patience.scaled(.milliseconds(1600))
            var codes: [BluetoothError.Code?] = []
            for number: UInt8 in 0..<10 { value.writeValue(Data([number])) { codes.append($0?.code) } }
            try await Patience.wait(for: "ten writes") { codes.count == 10 }
            #expect(codes == Array(repeating: nil, count: 10))
        }
    }

    @Test("A request that waits too long is not sent, and its error names the queue")
    func tooLong() async throws {
        try await TrapStage.run { stage in
            let value = try stage.value(of: try await stage.connect())
            await stage.world.perform { $0.peripheral.characteristic(World.value)?.faults.losesReplies = true }
            await stage.world.keepCalls()
            stage.central.queueTimeout = .milliseconds(50)
            var first: [BluetoothError?] = []
            value.readValue { first.append($1) }
            let error = await stage.failure { try await value.writeValue(Data([1])) }
            #expect(error?.code == .timedOut)
            #expect(error?.message.contains("queue") == true)
            #expect(first.isEmpty)
            stage.central.removeAllPeripherals()
            try await stage.central.barrier()
            #expect(await stage.world.calls("WriteValue").isEmpty)
            #expect(first.map { $0?.code } == [.cancelled])
        }
    }

    @Test("Thousands that end as soon as their turn comes leave the stack as it is")
    func thousands() async throws {
        try await TrapStage.run { stage in
            let updates = try stage.updates(of: try await stage.connect())
            let count = 20_000
            var ends = 0
            for _ in 0..<count {
                updates.setNotifyValue(true) { error in
                    #expect(error == nil)
                    ends += 1
                }
            }
            try await Patience.wait(for: "all of them") { ends == count }
            #expect(updates.isNotifying)
        }
    }

    @Test("At the end of an operation come the state, then the completion, then the next operation")
    func order() async throws {
        try await TrapStage.run { stage in
            let updates = try stage.updates(of: try await stage.connect())
            await stage.world.keepCalls()
            await stage.world.keepSilent("StartNotify", of: BlueZ.gattCharacteristic)
            stage.central.attributeTimeout = Patience.scaled(.milliseconds(300))
            var log: [String] = []
            updates.setNotifyValue(true) { error in
                log.append("failed: \(error?.code.rawValue ?? "no"), notifying: \(updates.isNotifying)")
                log.append("operations: \(stage.central.operations.count)")
                #expect(updates.pendingSubscriptions == 2)
            }
            updates.setNotifyValue(true) { error in
                log.append("succeeded: \(error == nil), notifying: \(updates.isNotifying)")
                log.append("operations: \(stage.central.operations.count)")
                // The third begins after this closure only.
                updates.setNotifyValue(true) { _ in log.append("fourth") }
                log.append("end of second")
            }
            updates.setNotifyValue(true) { _ in log.append("third") }
            try await Patience.wait(for: "the last") { log.last == "fourth" }
            #expect(
                log == [
                    "failed: timedOut, notifying: false", "operations: 2", "succeeded: true, notifying: true",
                    "operations: 1", "end of second", "third", "fourth",
                ])
        }
    }

    @Test("What waits behind an operation of its own characteristic is overtaken by one of another")
    func overtaken() async throws {
        try await TrapStage.run { stage in
            let peripheral = try await stage.connect()
            let (value, updates) = (try stage.value(of: peripheral), try stage.updates(of: peripheral))
            let mark = await stage.world.peripheral.log.count
            var ends = 0
            value.writeByte(1) { _ in ends += 1 }
            value.writeByte(2) { _ in ends += 1 }
            updates.readValue { _, _ in ends += 1 }
            try await Patience.wait(for: "all of them") { ends == 3 }
            let log = await stage.world.peripheral.log.dropFirst(mark).map { "\($0.operation) \($0.value)" }
            #expect(log == ["write [1]", "read []", "write [2]"])
        }
    }
}
