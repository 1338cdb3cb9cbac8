import CoreBlueZ
import Foundation
import SensorTagProgram
import TestSupport
import Testing

@testable import sensortag_web

@Suite("Downloads are whole, and cost little while nobody reads them") struct DownloadTests {
    @Test("A recording that begins anew is another file: who downloads the one before gets all of it")
    func anew() async throws {
        try await withRecording { stand, recording in
            let client = try await stand.connect(stand.request("GET \(recording.path)"), reads: false)
            try await stand.sendQueue(of: client) { $0 > 0 }
            try await stand.record(recording.tag)
            try await client.read()
            try await Patience.wait(for: "the recording after \(client.text.utf8.count) bytes") {
                client.text.hasSuffix(recording.end)
            }
            let parts = client.text.split(separator: "\r\n\r\n", maxSplits: 1)
            let length = try #require(parts[0].firstMatch(of: /(?i:Content-Length): (\d+)/))
            #expect(Int(length.1) == parts[1].utf8.count)
            try await Patience.wait(for: "the removal of the old one") { try stand.files.count == 1 }
        }
    }

    @Test("A download ends when the second recording after it begins, which frees the space") func second() async throws
    {
        try await withRecording { stand, recording in
            let client = try await stand.connect(stand.request("GET \(recording.path)"), reads: false)
            try await stand.sendQueue(of: client) { $0 > 0 }
            for _ in 0..<2 { try await stand.record(recording.tag) }
            try await Patience.wait(for: "the space") {
                try stand.files.values.reduce(0, +) < recording.size
            }
            try await client.read()
            try await client.ends()
            #expect(!client.text.hasSuffix(recording.end))
        }
    }

    @Test("What a browser does not read waits in the file, not in the kernel") func slow() async throws {
        try await withRecording { stand, recording in
            let client = try await stand.connect(stand.request("GET \(recording.path)"), reads: false)
            var (most, looks) = (0, 0)
            // Until it has not grown for a while.
            try await stand.sendQueue(of: client) { size in
                looks = size > most || size == 0 ? 0 : looks + 1
                most = max(most, size)
                return looks == 50
            }
            // The kernel counts its own data too, twice as much in all, and exceeds that by one packet of 64 KiB.
            #expect((1...3 * PageServer.buffers.sending).contains(most), "\(most)")
            try await client.read()
            try await Patience.wait(for: "the rest") { client.text.hasSuffix(recording.end) }
        }
    }

    @Test("A connection that ends leaves nothing in the kernel") func remains() async throws {
        try await withRecording(mostConnections: 1) { stand, recording in
            let client = try await stand.connect(stand.request("GET \(recording.path)"), reads: false)
            try await stand.sendQueue(of: client) { $0 > 0 }
            // The first ones may come while it still has a moment for its response.
            for _ in 0..<3 { try await stand.connect(stand.request("GET /icon.svg")).receives("</svg>") }
            try await Patience.wait(for: "the end of the socket") { try stand.sendQueue(of: client) == nil }
        }
    }

    /// A recording that has ended, of some megabytes.
    private struct Ended {
        let tag: String
        let path: String
        let size: Int
        /// Its last line.
        let end = "the end\n"
    }

    /// Serves a simulated tag that has a recording.
    private func withRecording(
        mostConnections: Int = 256, _ body: (WebStand, Ended) async throws -> Void
    ) async throws {
        let bus = try await SimulatedBus.start([.cc2541])
        try await WebStand.run(mostConnections: mostConnections, bus: bus.address) { stand in
            let mailbox = try #require(stand.hub.subscribe())
            await stand.station.start()
            var tag = ""
            try await Patience.wait(for: "a tag") {
                guard let id = mailbox.fetch()?.snapshot?.firstMatch(of: /"id":"([0-9A-F:]{17})"/) else { return false }
                tag = String(id.1)
                return true
            }
            stand.hub.unsubscribe(mailbox)
            #expect(await stand.station.perform(PageCommand(tag: tag, action: .connect)) == nil)
            try await stand.record(tag)
            #expect(await stand.station.perform(PageCommand(tag: tag, action: .record, isOn: false)) == nil)
            let name = try #require(try stand.files.keys.first)
            let size = 8 << 20
            let file = try FileHandle(forWritingTo: stand.recordings.url.appending(path: name))
            try file.seekToEnd()
            try file.write(contentsOf: Data(repeating: UInt8(ascii: "x"), count: size) + Data("the end\n".utf8))
            try file.close()
            let path = "/recordings/\(tag.filter { $0 != ":" }).csv"
            try await body(stand, Ended(tag: tag, path: path, size: size))
            _ = await stand.station.stop()
        }
        await bus.stop()
    }
}

extension WebStand {
    /// The sizes of the files of recordings.
    fileprivate var files: [String: Int] {
        get throws {
            let names = try FileManager.default.contentsOfDirectory(atPath: recordings.url.path)
            // A file may be removed meanwhile.
            let sizes = names.compactMap { name in
                (try? FileManager.default.attributesOfItem(atPath: recordings.url.appending(path: name).path))
                    .flatMap { $0[.size] as? Int }.map { (name, $0) }
            }
            return Dictionary(uniqueKeysWithValues: sizes)
        }
    }

    /// Ends the recording of a tag, and begins another, as soon as it is connected.
    fileprivate func record(_ tag: String) async throws {
        _ = await station.perform(PageCommand(tag: tag, action: .record, isOn: false))
        try await Patience.wait(for: "a recording") {
            await station.perform(PageCommand(tag: tag, action: .record, isOn: true)) == nil
        }
    }

    /// The bytes that wait in the kernel on the server's side of a connection, from proc_pid_net(5); nil without a
    /// socket.
    fileprivate func sendQueue(of client: WebClient) throws -> Int? {
        guard let other = client.port else { return nil }
        let table = try String(contentsOfFile: "/proc/self/net/tcp", encoding: .utf8)
        return table.split(separator: "\n").dropFirst().lazy.map { $0.split(separator: " ") }.first { fields in
            Int(fields[1].suffix(4), radix: 16) == port && Int(fields[2].suffix(4), radix: 16) == other
        }.flatMap { fields in Int(fields[4].prefix(8), radix: 16) }
    }

    /// Waits until they satisfy a condition.
    fileprivate func sendQueue(of client: WebClient, until condition: (Int) -> Bool) async throws {
        try await Patience.wait(for: "bytes in the kernel") { condition(try sendQueue(of: client) ?? 0) }
    }
}
