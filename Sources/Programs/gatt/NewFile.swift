import BlueZScript
import FoundationEssentials
import SystemPackage

/// A file that a command with `--overwrite` creates. What is given to `write` is written at once, so that a recording in
/// progress has only whole lines, however the program ends.
final class NewFile {
    private let path: String
    private let file: FileDescriptor

    /// Creates the file.
    ///
    /// - Parameters:
    ///   - overwrites: whether a file with that path is replaced.
    ///   - permissions: those of the file, from which the process's mask takes some away.
    /// - Throws: `CommandFailure` with the status `cannotCreate`.
    init(_ path: String, overwrites: Bool, permissions: FilePermissions) throws(CommandFailure) {
        self.path = path
        if overwrites { try Self.remove(path) }
        do {
            file = try FileDescriptor.open(
                FilePath(path), .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec],
                permissions: permissions)
        } catch Errno.fileExists {
            throw Self.exists(path)
        } catch {
            throw CommandFailure(.cannotCreate, "The file \(path) cannot be created: \(error)")
        }
    }

    deinit {
        try? file.close()
    }

    /// Writes whole lines, with their line feeds.
    func write(_ lines: some Sequence<UInt8>) throws(CommandFailure) {
        do {
            try file.writeAll(lines)
        } catch {
            throw CommandFailure(.inputOutput, "The file \(path) cannot be written: \(error)")
        }
    }

    /// Throws if there is a file with the path already. For a command that creates it much later.
    static func refuse(existing path: String) throws(CommandFailure) {
        // Also a symbolic link to nothing.
        if (try? FileManager.default.attributesOfItem(atPath: path)) != nil { throw exists(path) }
    }

    private static func exists(_ path: String) -> CommandFailure {
        CommandFailure(.cannotCreate, "The file \(path) exists; replace it with --overwrite")
    }

    /// Removes the file, because there is nothing to write.
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
