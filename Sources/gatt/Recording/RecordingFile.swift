import CommandLineSupport
import FoundationEssentials
import SystemPackage

/// The file of a recording in progress. Each line is written at once, so that only whole lines are there, however the
/// program ends.
final class RecordingFile {
    private let path: String
    private let file: FileDescriptor

    /// Creates the file, for this user only.
    ///
    /// - Parameter overwrites: whether a file with that path is replaced.
    /// - Throws: `CommandFailure` with the status `cannotCreate`.
    init(_ path: String, overwrites: Bool) throws(CommandFailure) {
        self.path = path
        if overwrites { try Self.remove(path) }
        do {
            file = try FileDescriptor.open(
                FilePath(path), .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec],
                permissions: .ownerReadWrite)
        } catch Errno.fileExists {
            throw CommandFailure(.cannotCreate, "The file \(path) exists; replace it with --overwrite")
        } catch {
            throw CommandFailure(.cannotCreate, "The file \(path) cannot be created: \(error)")
        }
    }

    deinit {
        try? file.close()
    }

    /// Writes a line with its line feed.
    func write(_ line: [UInt8]) throws(CommandFailure) {
        do {
            try file.writeAll(line)
        } catch {
            throw CommandFailure(.inputOutput, "The file \(path) cannot be written: \(error)")
        }
    }

    /// Removes the file, because there is nothing to record.
    func discard() {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Removes a regular file; another kind of file stays, and then exists.
    private static func remove(_ path: String) throws(CommandFailure) {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        guard attributes?[.type] as? FileAttributeType == .typeRegular else { return }
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch {
            throw CommandFailure(.cannotCreate, "The file \(path) cannot be replaced: \(error)")
        }
    }
}
