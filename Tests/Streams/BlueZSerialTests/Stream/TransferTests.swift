import BlueZSerial
import BlueZSimulatedSerial
import BlueZSimulator
import CoreBlueZ
import Foundation
import TestSupport
import Testing

@testable import StreamBenchmark

extension SerialPorts {
    @Suite(.virtualTime) struct TransferTests {
        static let total = 1 << 18

        @Test(
            "A quarter of a megabyte goes both ways at once, cut at random: hashes match",
            arguments: [SerialOptions.Reading.acquired, .signals])
        func bothWays(_ reading: SerialOptions.Reading) async throws {
            try await transfer(disconnections: 0, .reading(reading))
        }

        @Test("A quarter of a megabyte goes both ways over links that break at random moments: hashes match")
        func disconnections() async throws {
            try await transfer(disconnections: 20, SerialOptions())
        }

        private func transfer(disconnections: Int, _ options: SerialOptions) async throws {
            let peer = await TransferPeer(total: Self.total, seed: 2, disconnections: disconnections)
            let simulator = try await SerialSimulator(script: { peer })
            await simulator.perform {
                peer.use($0.peripheral)
                $0.device.cutting = .random(upTo: 514)
            }
            try await SerialFixture.run(simulator) { fixture in
                let transfer = Transfer(fixture.peripheral, total: Self.total, seed: 1, options: options)
                try await transfer.run(peerSeed: 2)
                #expect(await peer.count == Self.total)
                #expect(await peer.disconnections == disconnections)
                #expect(transfer.links >= disconnections + 1)
            }
        }

        @Test("A byte of a pattern depends on its place and seed only")
        func pattern() {
            let pattern = TransferPattern(seed: 5)
            let whole = pattern.bytes(0..<100)
            #expect(whole == pattern.bytes(0..<3) + pattern.bytes(3..<17) + pattern.bytes(17..<100))
            #expect(whole != TransferPattern(seed: 6).bytes(0..<100))
            var hash = TransferHash()
            hash.add(whole)
            #expect(hash == TransferHash(pattern, count: 100))
        }
    }
}
