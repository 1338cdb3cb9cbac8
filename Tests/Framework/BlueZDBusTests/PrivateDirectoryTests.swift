import BlueZUnixSockets
import Foundation
import Testing

@testable import BlueZDBus

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

    /// A directory as a process leaves it that is killed, a while ago.
    private static func abandon(in parent: String, _ name: String) throws -> String {
        let directory = "\(parent)/corebluez-\(name)"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        for file in ["bus", "owner"] { try Data().write(to: URL(filePath: "\(directory)/\(file)")) }
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -3600)], ofItemAtPath: directory)
        return directory
    }

    @Test("What a killed process has left is removed by the next one, but for what is new, in use or something else")
    func abandoned() async throws {
        let result = try #require(
            await #expect(processExitsWith: .signal(SIGKILL), observing: [\.standardOutputContent]) {
                let base = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString.prefix(8)).path
                try FileManager.default.createDirectory(atPath: base, withIntermediateDirectories: true)
                unsafe setenv("XDG_RUNTIME_DIR", base, 1)
                let old = try Self.abandon(in: base, "abcdef")
                let used = try Self.abandon(in: base, "uvwxyz")
                let other = try Self.abandon(in: base, "something")
                let lock = unsafe open("\(used)/owner", O_RDWR)
                flock(lock, LOCK_EX)
                let fresh = try PrivateDirectory.make()
                let next = try PrivateDirectory.make()
                let isThere = [old, used, other, fresh, next].map { FileManager.default.fileExists(atPath: $0) }
                FileHandle.standardOutput.write(Data("|\(fresh)|\(isThere == [false, true, true, true, true])|".utf8))
                PrivateDirectory.removeAll()
                FileHandle.standardOutput.write(Data("\(!FileManager.default.fileExists(atPath: fresh))|".utf8))
                try FileManager.default.removeItem(atPath: base)
                kill(getpid(), SIGKILL)
            })
        let output = String(decoding: result.standardOutputContent, as: UTF8.self)
        #expect(output.contains("|true|true|"), "\(output)")
    }
}
