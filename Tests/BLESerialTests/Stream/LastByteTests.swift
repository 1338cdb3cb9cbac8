import BLESerial
import BlueZSimulator
import CoreBlueZ
import Foundation
import SimulatedSerial
import TestSupport
import Testing

extension SerialPorts {
    /// What arrives just before a stream ends.
    @Suite struct LastByteTests {
        @Test(
            "The last bytes before the link's end come before the end, in every round",
            arguments: [SerialOptions.Reading.acquired, .signals])
        func roundsOfLastBytes(_ reading: SerialOptions.Reading) async throws {
            try await SerialStage.run(SerialWorld()) { stage in
                let service = try await stage.peripheral.discoverSerialService()
                for round in 0..<Rounds.count(10) {
                    try await stage.connectAgain()
                    try await service.open(.reading(reading))
                    stage.arrived = Data()
                    stage.ends = []
                    var countAtEnd: Int?
                    service.receiveHandler = { stage.arrived += $0 }
                    service.endHandler = {
                        stage.ends.append($0)
                        countAtEnd = stage.arrived.count
                    }
                    let pieces = 1 + round % 30
                    await stage.world.perform { world in
                        for piece in 0..<pieces { world.send([UInt8](pattern(9, from: 9 * piece))) }
                        world.disconnect()
                    }
                    try await Patience.wait(for: "the end") { countAtEnd != nil }
                    #expect(stage.arrived == pattern(9 * pieces) && countAtEnd == 9 * pieces, "in round \(round)")
                    #expect(stage.ends.map { $0?.code } == [.disconnected])
                }
            }
        }

        @Test("A reply that arrived before the link's end is the reply, in every round")
        func roundsOfLastReplies() async throws {
            let world = try await SerialWorld()
            await world.perform { $0.device.script = FarewellScript($0) }
            try await SerialStage.run(world) { stage in
                let service = try await stage.peripheral.discoverSerialService()
                for round in 0..<Rounds.count(10) {
                    try await stage.connectAgain()
                    try await service.open()
                    let exchange = Exchange(FramedStream(service, framing: TerminatorFraming()))
                    let request = Data("request \(round)".utf8)
                    #expect(try await exchange.exchange(request, timeout: Patience.timeout) == request)
                    try await Patience.wait(for: "the end") { !service.isOpen }
                }
            }
        }

        @Test(
            "What is left of a stream that has ended comes before the end, whether or not somebody knew of it",
            arguments: [false, true])
        func left(_ isKnown: Bool) async throws {
            try await SerialStage.run(SerialWorld()) { stage in
                let service = try await stage.open()
                if isKnown { service.endHandler = { stage.ends.append($0) } }
                await stage.world.send("left")
                try await Patience.wait(for: "the bytes") { service.received == 4 }
                await stage.world.disconnect()
                try await Patience.wait(for: "the end") { !service.isOpen && stage.ends.count == (isKnown ? 1 : 0) }
                var taken = Data()
                let error = await stage.failure { for try await bytes in service.received() { taken += bytes } }
                #expect(error?.code == .disconnected)
                #expect(taken == Data("left".utf8))
            }
        }

        @Test("A framing over what is left of a stream gets it before the end")
        func leftMessages() async throws {
            try await SerialStage.run(SerialWorld()) { stage in
                let service = try await stage.open()
                await stage.world.send("one\ntwo\nthr")
                try await Patience.wait(for: "the bytes") { service.received == 11 }
                await stage.world.disconnect()
                try await Patience.wait(for: "the end") { !service.isOpen }
                let framed = FramedStream(service, framing: TerminatorFraming(Data("\n".utf8)))
                var told: [String] = []
                framed.endHandler = { told.append($0.map { "\($0.code)" } ?? "closed") }
                framed.receiveHandler = {
                    switch $0 {
                    case .success(let line): told.append(String(decoding: line, as: UTF8.self))
                    case .failure: told.append("cut off")
                    }
                }
                try await Patience.wait(for: "the end's report") { told.contains("disconnected") }
                #expect(told == ["one", "two", "cut off", "disconnected"])
            }
        }
    }
}

extension SerialStage {
    fileprivate func connectAgain() async throws {
        if !peripheral.isConnected { try await peripheral.connect() }
    }
}

/// Sends back what it receives, and ends the link at once.
private final class FarewellScript: SerialScript {
    private weak var world: SerialWorld?

    init(_ world: SerialWorld) { self.world = world }

    func received(_ bytes: [UInt8]) -> [[UInt8]] {
        SimulatorActor.schedule(after: .zero) { [weak world] in world?.disconnect() }
        return [bytes]
    }
}
