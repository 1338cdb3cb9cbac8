import BlueZSerial
import BlueZSimulator
import CoreBlueZ
import Foundation
import TestSupport
import Testing

extension SerialPorts {
    @Suite(.virtualTime) struct RFCOMMStreamTests {
        private static let options = ConnectOptions(timeout: .ample, transport: .bredr)

        /// Runs `body` with the stream to a classic device, whose end is in its `channels`.
        private func run(
            echoes: Bool = true,
            _ body: @BluetoothActor (RFCOMMStream, SimulatedPeripheral) async throws -> Void
        ) async throws {
            let specification = PeripheralSpecification(
                name: "Port", address: "00:AA:02:00:00:78",
                advertisement: AdvertisementData(), advertisingInterval: .milliseconds(100),
                classic: ClassicSpecification())
            let simulator = try await SimulatorFixture(peripheral: specification)
            if echoes { await simulator.perform { $0.peripheral.channelHandler = { $0.echo() } } }
            try await CentralFixture.run(simulator) { fixture in
                let found = try await fixture.central.firstPeripheral(timeout: .ample, transport: .bredr)
                try await body(try await found.openRFCOMMStream(options: Self.options), simulator.peripheral)
            }
        }

        @Test("A framing works on an RFCOMM channel as on any byte stream")
        func framing() async throws {
            try await run { stream, _ in
                #expect(stream.isOpen && stream.title == "Port" && stream.hasSpace)
                let framed = FramedStream(stream, framing: TerminatorFraming())
                var lines: [Data] = []
                framed.receiveHandler = { if case .success(let line) = $0 { lines.append(line) } }
                try await framed.send(Data("one".utf8))
                try await framed.send(Data("two".utf8))
                try await eventually("two lines") { lines.count == 2 }
                #expect(lines == [Data("one".utf8), Data("two".utf8)])
            }
        }

        @Test("A stream that is full has no space, and says when it has again")
        func space() async throws {
            try await run(echoes: false) { stream, device in
                var spaces = 0
                stream.spaceHandler = { spaces += 1 }
                var isSent = false
                stream.send(pattern(4 << 20)) { isSent = $0 == nil }
                try await eventually("a full stream") { stream.handedOver > 0 && !stream.hasSpace }
                #expect(spaces == 0 && !isSent)
                await SimulatorActor.run { device.channels.last?.receiveHandler = { _ in } }
                try await eventually("all of it") { isSent }
                #expect(spaces == 1 && stream.hasSpace && stream.handedOver == 4 << 20)
            }
        }

        @Test("Closing the stream takes back what waits, once, and ends it without an error")
        func closing() async throws {
            try await run(echoes: false) { stream, _ in
                var results: [BluetoothError.Code?] = []
                var ends: [BluetoothError?] = []
                stream.endHandler = { ends.append($0) }
                stream.send(pattern(4 << 20)) { results.append($0?.code) }
                try await eventually("a full stream") { stream.handedOver > 0 && !stream.hasSpace }
                stream.close()
                try await eventually("the end") { ends.count == 1 }
                #expect(ends == [nil] && results == [.cancelled])
                var refused: BluetoothError.Code?
                stream.send(Data([1])) { refused = $0?.code }
                try await eventually("the refusal") { refused == .notConnected }
            }
        }

        @Test(
            "What is left of a stream that has ended comes before the end, whether or not somebody knew of it",
            arguments: [false, true])
        func left(_ isKnown: Bool) async throws {
            try await run(echoes: false) { stream, device in
                var ends = 0
                if isKnown { stream.endHandler = { _ in ends += 1 } }
                let bytes = pattern(100_000)
                try await eventually("the channel") { await SimulatorActor.run { !device.channels.isEmpty } }
                await SimulatorActor.run {
                    device.channels.last?.send([UInt8](bytes))
                    device.channels.last?.closeWhenSent()
                }
                try await eventually("the end") { !stream.isOpen && ends == (isKnown ? 1 : 0) }
                var taken = Data()
                let error = await #expect(throws: BluetoothError.self) {
                    for try await piece in stream.received() { taken += piece }
                }
                #expect(error?.code == .disconnected)
                #expect(taken == bytes)
            }
        }

        @Test("The device's end of the channel ends the stream, behind the last byte")
        func ending() async throws {
            try await run { stream, device in
                let received = stream.received()
                await SimulatorActor.run {
                    device.channels.last?.send(Array("last".utf8))
                    device.channels.last?.closeWhenSent()
                }
                var taken = Data()
                let error = await #expect(throws: BluetoothError.self) {
                    for try await bytes in received { taken += bytes }
                }
                #expect(error?.code == .disconnected)
                #expect(taken == Data("last".utf8))
            }
        }
    }
}
