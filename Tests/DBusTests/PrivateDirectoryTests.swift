import Foundation
import Testing
import UnixSockets

@testable import DBus

@Suite("Private directories")
struct PrivateDirectoryTests {
    @Test("A listener's directory is this user's alone, and goes with it")
    func ends() throws {
        var listener: UnixListener? = try UnixListener()
        let directory = URL(fileURLWithPath: try #require(listener?.path)).deletingLastPathComponent().path
        let mode = try FileManager.default.attributesOfItem(atPath: directory)[.posixPermissions] as? Int
        #expect(mode == 0o700)
        listener = nil
        #expect(!FileManager.default.fileExists(atPath: directory))
    }

    @Test("A process that ends by exit leaves no directory behind")
    func exits() async throws {
        let result = try #require(
            await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
                let listener = try UnixListener()
                FileHandle.standardOutput.write(Data("|\(listener.path)|".utf8))
                withExtendedLifetime(listener) { exit(EXIT_SUCCESS) }
            })
        let output = String(decoding: result.standardOutputContent, as: UTF8.self)
        let path = try #require(output.split(separator: "|").first { $0.hasSuffix("/socket") })
        let directory = URL(fileURLWithPath: String(path)).deletingLastPathComponent().path
        #expect(!FileManager.default.fileExists(atPath: directory))
    }
}
