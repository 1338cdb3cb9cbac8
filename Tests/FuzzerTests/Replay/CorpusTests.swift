import Foundation
import Testing

/// What `Scripts/fuzz coverage` has kept: inputs that together reach what its targets' code can do.
@Suite("The corpora of the fuzzers") struct CorpusTests {
    @Test("What must hold for any bytes holds for each input", arguments: FuzzTarget.allCases)
    func corpus(_ target: FuzzTarget) throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Corpora/\(target.rawValue)")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        #expect(!files.isEmpty)
        for file in files {
            let bytes = [UInt8](try Data(contentsOf: file))
            #expect(throws: Never.self, "\(file.lastPathComponent)") { try target.test(bytes) }
            // Beginnings, too: what ends early is what a stranger sends first.
            for count in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 16)) {
                #expect(throws: Never.self) { try target.test(Array(bytes.prefix(count))) }
            }
        }
    }
}
