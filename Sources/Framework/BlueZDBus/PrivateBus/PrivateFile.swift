import Glibc

/// Small files that only this user can read, in directories that only this user can enter.
package enum PrivateFile {
    /// A lock on a file, for as long as this object exists. It ends with the process, however that ends.
    package final class Claim: Sendable {
        private let descriptor: CInt

        fileprivate init(descriptor: CInt) {
            self.descriptor = descriptor
        }

        deinit {
            // A process that is being started holds a copy of the descriptor until it runs its program (fork(2)), and a
            // copy that is still open keeps the lock.
            flock(descriptor, LOCK_UN)
            close(descriptor)
        }
    }

    /// Claims a file for this process, with a lock on a file next to it. Creates the directory, like `replace`.
    ///
    /// - Returns: nil if another process, or another claim of this one, has locked it.
    package static func claim(_ path: String) throws(DBusError) -> Claim? {
        try makeDirectory(of: path)
        let descriptor = unsafe open("\(path).lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .system("open", errno) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let error = errno
            close(descriptor)
            guard error == EWOULDBLOCK else { throw .system("flock", error) }
            return nil
        }
        return Claim(descriptor: descriptor)
    }

    /// Claims a file like `claim(_:)`, and waits for another claim to end.
    ///
    /// - Parameter timeout: how long to wait. The thread sleeps in the meantime.
    /// - Returns: nil if another claim has still locked it then.
    package static func claim(_ path: String, within timeout: Duration) throws(DBusError) -> Claim? {
        let end = MonotonicInstant.real.advanced(by: timeout)
        while true {
            if let claim = try claim(path) { return claim }
            guard MonotonicInstant.real < end else { return nil }
            usleep(5_000)
        }
    }

    /// Creates the directory of a file and, as the XDG Base Directory Specification requires, those above it.
    private static func makeDirectory(of path: String) throws(DBusError) {
        let directory = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        guard !directory.isEmpty, unsafe mkdir(directory, 0o700) != 0, errno != EEXIST else { return }
        guard errno == ENOENT, directory.contains("/") else { throw .system("mkdir", errno) }
        try makeDirectory(of: directory)
        if unsafe mkdir(directory, 0o700) != 0, errno != EEXIST { throw .system("mkdir", errno) }
    }

    /// Replaces a file as a whole (mode 0600), so that a reader or a crash never sees half of it. Creates its directory
    /// and those above it (mode 0700) if they are missing. Claim the file first.
    ///
    /// - Parameter syncs: whether to wait for the disk, so that the file is complete even after a loss of power.
    package static func replace(_ path: String, with text: String, syncs: Bool = false) throws(DBusError) {
        try makeDirectory(of: path)
        // A killed process may have left one.
        let temporary = "\(path).new"
        unsafe unlink(temporary)
        do throws(DBusError) {
            try PrivateDirectory.write(text, to: temporary, syncs: syncs)
            guard unsafe rename(temporary, path) == 0 else { throw .system("rename", errno) }
        } catch {
            unsafe unlink(temporary)
            throw error
        }
    }

    /// Returns the text of a file of at most this many bytes, or nil if it is missing, larger or unreadable.
    package static func read(_ path: String, limit: Int) -> String? {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = unsafe Glibc.read(descriptor, &buffer, buffer.count)
            guard count >= 0, bytes.count + count <= limit else { return nil }
            guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
            bytes.append(contentsOf: buffer.prefix(count))
        }
    }
}
