import Foundation

/// A run of a built program; its outputs go to files, so that nothing waits for a reader.
public final class ProgramRun {
    /// Why there is no run.
    public struct Failure: Error, CustomStringConvertible {
        /// For users.
        public let description: String
    }

    private let process = Process()
    private let arguments: [String]
    private let folder: URL
    private var outputURL: URL { folder.appendingPathComponent("output") }
    private var errorURL: URL { folder.appendingPathComponent("errors") }
    /// What the program reads.
    public let input = Pipe()

    /// Keeps the process's number and, at its end, its status. Foundation notices the end of a process only when all
    /// others are gone that were started at the same time.
    private static let keeper = """
        d=$1; shift
        sh -c 'echo $$ >"$0/number"; exec "$@"' "$d" "$@"
        echo $? >"$d/part"; mv "$d/part" "$d/status"
        """

    /// A built program, in the folder of the tests' own.
    public static func executable(_ name: String) throws -> String {
        let own = URL(fileURLWithPath: try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
        let candidates = [own] + CommandLine.arguments.map { URL(fileURLWithPath: $0) }
        for url in candidates {
            let path = url.deletingLastPathComponent().appendingPathComponent(name).path
            if FileManager.default.isExecutableFile(atPath: path) { return path }
        }
        throw Failure(description: "\(name) was not built next to \(own.path)")
    }

    /// Starts a built program.
    ///
    /// - Parameters:
    ///   - name: the program's.
    ///   - environment: what is added to this process's.
    ///   - output: where its standard output goes; nil keeps it.
    ///   - wrapper: another command to run, instead of the program and its arguments.
    public init(
        program name: String,
        _ arguments: [String],
        environment: [String: String] = [:],
        output: FileHandle? = nil,
        through wrapper: [String] = []
    ) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("\(name)-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        self.arguments = wrapper.isEmpty ? [try Self.executable(name)] + arguments : wrapper
        // What started the tests may ignore signals, as a shell does for what it runs in the background.
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments =
            ["--default-signal=INT,HUP,TERM,QUIT", "/bin/sh", "-c", Self.keeper, "sh", folder.path] + self.arguments
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

    /// Its status, once it has ended; 128 and the signal if one ended it.
    public var status: Int32? { number("status") }

    private func number(_ file: String) -> Int32? {
        Int32(text(folder.appendingPathComponent(file)).trimmingCharacters(in: .whitespacesAndNewlines))
    }

    /// What it has printed so far.
    public var output: String { text(outputURL) }
    /// What it has printed on the standard error.
    public var errors: String { text(errorURL) }
    /// The lines of its output.
    public var lines: [Substring] { output.split(separator: "\n") }

    private func text(_ url: URL) -> String {
        (try? Data(contentsOf: url)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// Sends it a signal.
    public func signal(_ number: Int32) {
        if let process = self.number("number") { kill(process, number) }
    }

    /// Whether it was stopped by a signal.
    public var isStopped: Bool {
        guard let process = number("number") else { return false }
        return text(URL(fileURLWithPath: "/proc/\(process)/status")).contains("\nState:\tT")
    }

    /// Types text into it.
    public func type(_ text: String) throws {
        try input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
    }

    /// Waits for the end.
    @discardableResult
    public func status(within limit: Duration = .seconds(60)) async throws -> Int32 {
        try await wait(for: "the end of \(arguments)", within: limit) { status != nil }
        guard let status else { throw Failure(description: "\(arguments) has no status") }
        return status
    }

    /// Waits until the condition holds.
    public func wait(
        for what: @autoclosure () -> String,
        within limit: Duration = .seconds(60),
        until condition: () -> Bool
    ) async throws {
        try await Patience.wait(for: "\(what()); output: \(output); errors: \(errors)", within: limit) { condition() }
    }
}
