import BlueZScript
import SystemPackage

/// Where a recording or a page is written: a new file for this user only, or the standard output.
final class RecordingOutput {
    /// How many bytes are written at once.
    private static let chunk = 1 << 16

    private let path: String?
    private let file: FileDescriptor?
    private var waiting: [UInt8] = []

    /// Creates the file; nil is the standard output.
    init(_ path: String?) throws(CommandFailure) {
        self.path = path
        guard let path else {
            file = nil
            return
        }
        do {
            file = try FileDescriptor.open(
                FilePath(path), .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec],
                permissions: .ownerReadWrite)
        } catch {
            throw CommandFailure(.cannotCreate, "The file \(path) cannot be created: \(error)")
        }
    }

    deinit {
        try? file?.close()
    }

    /// Writes whole lines, sooner or later.
    func write(_ lines: some Sequence<UInt8>) throws(CommandFailure) {
        waiting += lines
        if waiting.count >= Self.chunk { try finish() }
    }

    /// Writes what waits.
    func finish() throws(CommandFailure) {
        guard !waiting.isEmpty else { return }
        defer { waiting.removeAll(keepingCapacity: true) }
        guard let file, let path else { return try StandardOutput.write(waiting) }
        do {
            try file.writeAll(waiting)
        } catch {
            throw CommandFailure(.inputOutput, "The file \(path) cannot be written: \(error)")
        }
    }
}
