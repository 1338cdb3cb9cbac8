import Foundation
import TestSupport
import Testing

/// What `Scripts/fuzz coverage` has kept: inputs that together reach what its targets' code can do.
@Suite("The corpora of the fuzzers") struct CorpusTests {
    @Test("What must hold for any bytes holds for each input", arguments: FuzzTarget.allCases)
    func corpus(_ target: FuzzTarget) async throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Corpora/\(target.rawValue)")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        var inputs = try files.map { ($0.lastPathComponent, [UInt8](try Data(contentsOf: $0))) }
        #expect(!inputs.isEmpty)
        let found = try String(contentsOf: folder.appendingPathExtension("base64"), encoding: .utf8)
        for line in found.split(separator: "\n") {
            inputs.append((String(line), [UInt8](try #require(Data(base64Encoded: String(line))))))
        }
        for (name, bytes) in inputs {
            await #expect(throws: Never.self, "\(name)") { try await target.test(bytes) }
            // The beginning of calls is calls.
            if target == .calls { continue }
            // Beginnings, too: what ends early is what a stranger sends first.
            for count in stride(from: 0, to: bytes.count, by: max(1, bytes.count / Rounds.count(2))) {
                await #expect(throws: Never.self) { try await target.test(Array(bytes.prefix(count))) }
            }
        }
    }
}
