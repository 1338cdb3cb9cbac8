import FoundationEssentials
import Glibc

/// Directories that only this user can enter.
package enum PrivateDirectory {
    private static let prefix = "corebluez-"
    static let log = "bus.log"
    package static let socket = "socket"

    /// A file in each directory, locked while its process lives.
    private static let owner = "owner"

    /// The directories of this process, with the descriptors of their locks. If the process ends with `exit`, nothing
    /// else removes them.
    private static let live: Lock<[String: CInt]> = {
        atexit { PrivateDirectory.removeAll() }
        return Lock([:])
    }()

    /// Creates a directory, mode 0700, in XDG_RUNTIME_DIR, TMPDIR or /tmp. Removes directories there that killed
    /// processes have left.
    package static func make() throws(DBusError) -> String {
        let base = environment("XDG_RUNTIME_DIR") ?? environment("TMPDIR") ?? "/tmp"
        // The path of a Unix socket can have at most 107 bytes.
        let parent = base.utf8.count < 60 ? base : "/tmp"
        removeAbandoned(in: parent)
        guard let directory = make(in: parent) ?? make(in: "/tmp") else { throw .system("mkdtemp", errno) }
        let lock = unsafe open("\(directory)/\(owner)", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        if lock >= 0, flock(lock, LOCK_EX | LOCK_NB) != 0 { unsafe unlink("\(directory)/\(owner)") }
        live.withLock { $0[directory] = lock }
        return directory
    }

    /// Removes the directories of this user's processes that a signal or a crash has ended. Those of the last minute
    /// stay, because their process may not have locked them yet.
    private static func removeAbandoned(in parent: String) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? [] {
            guard name.hasPrefix(prefix), name.utf8.count == prefix.utf8.count + 6 else { continue }
            let directory = "\(parent)/\(name)"
            var status = stat()
            guard unsafe lstat(directory, &status) == 0, status.st_uid == geteuid(), status.st_mode & S_IFMT == S_IFDIR,
                time(nil) - status.st_mtim.tv_sec > 60
            else { continue }
            let lock = unsafe open("\(directory)/\(owner)", O_RDWR | O_CLOEXEC | O_NOFOLLOW)
            guard lock >= 0 else { continue }
            if flock(lock, LOCK_EX | LOCK_NB) == 0 { remove(directory) }
            close(lock)
        }
    }

    private static func make(in parent: String) -> String? {
        var template = Array("\(parent)/\(prefix)XXXXXX".utf8CString)
        return unsafe template.withUnsafeMutableBufferPointer { buffer in
            guard let start = buffer.baseAddress, unsafe mkdtemp(start) != nil else { return nil }
            return unsafe String(cString: start)
        }
    }

    private static func environment(_ name: String) -> String? {
        guard let value = unsafe getenv(name) else { return nil }
        let text = unsafe String(cString: value)
        return text.hasPrefix("/") ? text : nil
    }

    static func write(_ text: String, to path: String, syncs: Bool = false) throws(DBusError) {
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .system("open", errno) }
        defer { close(descriptor) }
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { throw .system("write", errno) }
            rest = rest.dropFirst(count)
        }
        guard !syncs || fsync(descriptor) == 0 else { throw .system("fsync", errno) }
    }

    /// Removes a directory and its files. Missing files are ignored.
    package static func remove(_ directory: String) {
        for file in ["bus", "bus.conf", log, socket, owner] { unsafe unlink("\(directory)/\(file)") }
        unsafe rmdir(directory)
        if let lock = live.withLock({ $0.removeValue(forKey: directory) }), lock >= 0 { close(lock) }
    }

    /// Removes all directories of this process, before it ends.
    package static func removeAll() {
        for directory in live.withLock({ $0.keys.sorted() }) { remove(directory) }
    }

    /// Returns the beginning of a file's text; empty if it cannot be read.
    static func read(_ path: String) -> String {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return "" }
        defer { close(descriptor) }
        var buffer = [UInt8](repeating: 0, count: 2048)
        let count = unsafe Glibc.read(descriptor, &buffer, buffer.count)
        return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
    }
}
