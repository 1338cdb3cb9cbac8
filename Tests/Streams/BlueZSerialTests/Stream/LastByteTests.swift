import BlueZSerial
import BlueZSimulatedSerial
import BlueZSimulator
import CoreBlueZ
import Foundation
import TestSupport
import Testing

extension SerialPorts {
    /// What arrives just before a stream ends.
    @Suite(.virtualTime) struct LastByteTests {
        @Test(
            "The last bytes before the link's end come before the end, in every round",
            arguments: [SerialOptions.Reading.acquired, .signals])
        @BluetoothActor func roundsOfLastBytes(_ reading: SerialOptions.Reading) async throws {
            let fixture = try await SerialFixture(SerialSimulator())
            let service = try await fixture.peripheral.discoverSerialService()
            for round in 0..<Rounds.count(10) {
                try await fixture.connectAgain()
                try await service.open(.reading(reading))
                fixture.arrived = Data()
                fixture.ends = []
                var countAtEnd: Int?
                service.receiveHandler = { fixture.arrived += $0 }
                service.endHandler = {
                    fixture.ends.append($0)
                    countAtEnd = fixture.arrived.count
                }
                let pieces = 1 + round % 30
                await fixture.simulator.perform { simulator in
                    for piece in 0..<pieces { simulator.send([UInt8](pattern(9, from: 9 * piece))) }
                    simulator.disconnect()
                }
                try await eventually("the end") { countAtEnd != nil }
                #expect(fixture.arrived == pattern(9 * pieces) && countAtEnd == 9 * pieces, "in round \(round)")
                #expect(fixture.ends.map { $0?.code } == [.disconnected])
            }
        }

        @Test("A reply that arrived before the link's end is the reply, in every round")
        @BluetoothActor func roundsOfLastReplies() async throws {
            let simulator = try await SerialSimulator()
            await simulator.perform { $0.device.script = FarewellScript($0) }
            let fixture = try await SerialFixture(simulator)
            let service = try await fixture.peripheral.discoverSerialService()
            for round in 0..<Rounds.count(10) {
                try await fixture.connectAgain()
                try await service.open()
                let exchange = Exchange(FramedStream(service, framing: TerminatorFraming()))
                let request = Data("request \(round)".utf8)
                #expect(try await exchange.exchange(request, timeout: .ample) == request)
                try await eventually("the end") { !service.isOpen }
            }
        }

        @Test(
            "What is left of a stream that has ended comes before the end, whether or not somebody knew of it",
            arguments: [false, true])
        @BluetoothActor func left(_ isKnown: Bool) async throws {
            let fixture = try await SerialFixture(SerialSimulator())
            let service = try await fixture.open()
            if isKnown { service.endHandler = { fixture.ends.append($0) } }
            await fixture.simulator.send("left")
            try await eventually("the bytes") { service.received == 4 }
            await fixture.simulator.disconnect()
            try await eventually("the end") { !service.isOpen && fixture.ends.count == (isKnown ? 1 : 0) }
            var taken = Data()
            let error = await fixture.failure { for try await bytes in service.received() { taken += bytes } }
            #expect(error?.code == .disconnected)
            #expect(taken == Data("left".utf8))
        }

        @Test("A framing over what is left of a stream gets it before the end")
        @BluetoothActor func leftMessages() async throws {
            let fixture = try await SerialFixture(SerialSimulator())
            let service = try await fixture.open()
            await fixture.simulator.send("one\ntwo\nthr")
            try await eventually("the bytes") { service.received == 11 }
            await fixture.simulator.disconnect()
            try await eventually("the end") { !service.isOpen }
            let framed = FramedStream(service, framing: TerminatorFraming(Data("\n".utf8)))
            var told: [String] = []
            framed.endHandler = { told.append($0.map { "\($0.code)" } ?? "closed") }
            framed.receiveHandler = {
                switch $0 {
                case .success(let line): told.append(String(decoding: line, as: UTF8.self))
                case .failure: told.append("cut off")
                }
            }
            try await eventually("the end's report") { told.contains("disconnected") }
            #expect(told == ["one", "two", "cut off", "disconnected"])
        }
    }
}

extension SerialFixture {
    fileprivate func connectAgain() async throws {
        if !peripheral.isConnected { try await peripheral.connect() }
    }
}

/// Sends back what it receives, and ends the link at once.
private final class FarewellScript: SerialScript {
    private weak var simulator: SerialSimulator?

    init(_ simulator: SerialSimulator) { self.simulator = simulator }

    func received(_ bytes: [UInt8]) -> [[UInt8]] {
        SimulatorActor.schedule(after: .zero) { [weak simulator] in simulator?.disconnect() }
        return [bytes]
    }
}
