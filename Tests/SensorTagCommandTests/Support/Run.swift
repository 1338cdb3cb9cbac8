import Foundation
import TestSupport
import Testing

/// A run of the built executable; its outputs go to files, so that nothing waits for a reader.
final class Run {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private let process = Process()
    private let arguments: [String]
    private let folder: URL
    private var outputURL: URL { folder.appendingPathComponent("output") }
    private var errorURL: URL { folder.appendingPathComponent("errors") }
    let input = Pipe()

    /// Keeps the process's number and, at its end, its status. Foundation notices the end of a process only when all
    /// others are gone that were started at the same time.
    private static let keeper = """
        d=$1; shift
        sh -c 'echo $$ >"$0/number"; exec "$@"' "$d" "$@"
        echo $? >"$d/part"; mv "$d/part" "$d/status"
        """

    /// The executable, in the folder of the tests' own.
    static var executable: String {
        get throws {
            let own = URL(fileURLWithPath: try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
            let candidates = [own] + CommandLine.arguments.map { URL(fileURLWithPath: $0) }
            for url in candidates {
                let path = url.deletingLastPathComponent().appendingPathComponent("sensortag").path
                if FileManager.default.isExecutableFile(atPath: path) { return path }
            }
            throw Failure(description: "sensortag was not built next to \(own.path)")
        }
    }

    init(
        _ arguments: [String],
        environment: [String: String] = [:],
        output: FileHandle? = nil,
        through wrapper: [String] = []
    ) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("sensortag-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        self.arguments = wrapper.isEmpty ? [try Self.executable] + arguments : wrapper
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", Self.keeper, "sh", folder.path] + self.arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        for url in [outputURL, errorURL] { _ = FileManager.default.createFile(atPath: url.path, contents: nil) }
        process.standardOutput = try output ?? FileHandle(forWritingTo: outputURL)
        process.standardError = try FileHandle(forWritingTo: errorURL)
        process.standardInput = input
        try process.run()
    }

    deinit {
        if status == nil { signal(SIGKILL) }
        try? FileManager.default.removeItem(at: folder)
    }

    private var status: Int32? { number("status") }

    private func number(_ file: String) -> Int32? {
        Int32(text(folder.appendingPathComponent(file)).trimmingCharacters(in: .whitespacesAndNewlines))
    }

    var output: String { text(outputURL) }
    var errors: String { text(errorURL) }
    var lines: [Substring] { output.split(separator: "\n") }

    private func text(_ url: URL) -> String {
        (try? Data(contentsOf: url)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    func signal(_ number: Int32) {
        if let process = self.number("number") { kill(process, number) }
    }

    func type(_ text: String) throws {
        try input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
    }

    /// Waits for the end.
    @discardableResult
    func status(within limit: Duration = .seconds(60)) async throws -> Int32 {
        try await wait(for: "the end of \(arguments)", within: limit) { status != nil }
        return try #require(status)
    }

    func wait(
        for what: @autoclosure () -> String,
        within limit: Duration = .seconds(60),
        until condition: () -> Bool
    ) async throws {
        try await Patience.wait(for: "\(what()); output: \(output); errors: \(errors)", within: limit) { condition() }
    }
}

extension [Substring] {
    /// The lines as JSON objects.
    func objects() throws -> [[String: Any]] {
        try map { line in
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
            return try #require(object as? [String: Any], "\(line)")
        }
    }
}
