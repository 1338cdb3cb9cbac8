import BlueZDBus
import BlueZSerial
import BlueZSimulatedSerial
import BlueZSimulator
import CoreBlueZ
import Foundation
import TestSupport
import Testing

extension SerialPorts {
    /// What the simulated devices do, as a stream sees it.
    @Suite(.virtualTime) struct SimulatedSerialTests {
        private func answer(
            _ script: @SimulatorActor () -> any SerialScript, to bytes: Data, count: Int,
            _ change: @SimulatorActor (SimulatedSerialDevice) -> Void = { _ in }
        ) async throws -> (bytes: Data, notifications: [Int], time: Duration) {
            let simulator = try await SerialSimulator(script: script)
            await simulator.perform { change($0.device) }
            var result = (bytes: Data(), notifications: [Int](), time: Duration.zero)
            try await SerialFixture.run(simulator) { fixture in
                let service = try await fixture.open()
                fixture.collect(service)
                let start = MonotonicInstant.now
                try await service.send(bytes)
                try await fixture.waitForBytes(count)
                result = (fixture.arrived, await simulator.notifications.map(\.count), MonotonicInstant.now - start)
            }
            return result
        }

        @Test("An echo is what was sent, in one notification")
        func echo() async throws {
            let result = try await answer({ EchoScript() }, to: pattern(30), count: 30)
            #expect(result.bytes == pattern(30) && result.notifications == [30])
        }

        @Test("A reply comes late and in fragments, with time between them")
        func fragments() async throws {
            let result = try await answer({ EchoScript() }, to: pattern(30), count: 30) {
                $0.cutting = .length(8)
                $0.delay = .milliseconds(40)
                $0.interval = .milliseconds(20)
            }
            #expect(result.bytes == pattern(30) && result.notifications == [8, 8, 8, 6])
            #expect(result.time >= .milliseconds(100))
        }

        @Test("Chance cuts in the same way for the same seed")
        func random() async throws {
            let cut = { @SimulatorActor (device: SimulatedSerialDevice) in
                device.cutting = .random(upTo: 20)
                device.seed(CountingGenerator())
            }
            let first = try await answer({ EchoScript() }, to: pattern(200), count: 200, cut)
            let second = try await answer({ EchoScript() }, to: pattern(200), count: 200, cut)
            #expect(first.bytes == pattern(200) && first.notifications == second.notifications)
            #expect(first.notifications.count > 10 && first.notifications.allSatisfy { $0 <= 20 })
        }

        @Test("Many frames come in one notification, and one frame over many")
        func frames() async throws {
            let frames: [[UInt8]] = [[2, 1], [2, 2], [2, 3, 3]]
            let script = { @SimulatorActor in ResponseScript([ResponseScript.Response([7], frames)]) }
            let apart = try await answer(script, to: Data([7]), count: 7)
            #expect(apart.notifications == [2, 2, 3])
            let joined = try await answer(script, to: Data([7]), count: 7) { $0.cutting = .joined }
            #expect(joined.notifications == [7] && joined.bytes == apart.bytes)
            let over = try await answer(script, to: Data([7]), count: 7) { $0.cutting = .length(1) }
            #expect(over.notifications == [Int](repeating: 1, count: 7) && over.bytes == apart.bytes)
        }

        @Test("Garbage is as long as what it answers, and the same for the same seed")
        func garbage() async throws {
            let first = try await answer({ GarbageScript(seed: 3) }, to: pattern(40), count: 40)
            let second = try await answer({ GarbageScript(seed: 3) }, to: pattern(40), count: 40)
            #expect(first.bytes == second.bytes && first.bytes.count == 40 && first.bytes != pattern(40))
        }

        @Test("A silent device takes bytes and sends only what it is asked to")
        @BluetoothActor func silence() async throws {
            let simulator = try await SerialSimulator(script: { SilentScript() })
            let fixture = try await SerialFixture(simulator)
            let service = try await fixture.open()
            fixture.collect(service)
            try await service.send(pattern(700))
            #expect(await simulator.device.receivedCount == 700)
            #expect(await simulator.notifications.isEmpty)
            await simulator.send([UInt8](pattern(600)))
            try await fixture.waitForBytes(600)
            #expect(await simulator.notifications.map(\.count) == [514, 86])
        }

        @Test("An answer that is late for its link goes nowhere")
        @BluetoothActor func late() async throws {
            let simulator = try await SerialSimulator()
            await simulator.perform { $0.device.delay = .milliseconds(100) }
            let fixture = try await SerialFixture(simulator)
            let service = try await fixture.open()
            try await service.send(Data([1]))
            await fixture.simulator.disconnect()
            try await eventually("the link's end") { !fixture.peripheral.isConnected }
            await simulator.perform { $0.device.delay = .milliseconds(150) }
            try await fixture.peripheral.connect()
            try await service.open()
            fixture.collect(service)
            try await service.send(Data([2]))
            try await fixture.waitForBytes(1)
            #expect(fixture.arrived == Data([2]))
        }

        @Test(
            "A table answers whole commands, however they are cut",
            arguments: [
                (["AT"], ["OK"]), (["A", "T"], ["OK"]), (["ATAT"], ["OK", "OK"]), (["xxAT"], ["OK"]),
                (["AVAT"], ["OK"]), (["VE", "R"], ["1", ".2"]), (["nothing"], []),
            ])
        func table(_ writes: [String], _ answers: [String]) async {
            await SimulatorActor.run {
                let script = ResponseScript.responding(["AT": ["OK"], "VER": ["1", ".2"]])
                let pieces = writes.flatMap { script.received(Array($0.utf8)) }
                #expect(pieces == answers.map { Array($0.utf8) })
            }
        }
    }
}

private struct CountingGenerator: RandomNumberGenerator {
    private var state: UInt64 = 0

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        return state ^ state >> 29
    }
}
