import Glibc

/// Directories that only this user can enter.
package enum PrivateDirectory {
    static let log = "bus.log"
    package static let socket = "socket"

    /// The directories of this process. If it ends by `exit`, nothing else would remove them.
    private static let live: Lock<Set<String>> = {
        atexit {
            for directory in PrivateDirectory.live.withLock({ $0 }) { PrivateDirectory.remove(directory) }
        }
        return Lock([])
    }()

    /// Makes a new directory, mode 0700, under XDG_RUNTIME_DIR, TMPDIR or /tmp.
    package static func make() throws(DBusError) -> String {
        let base = environment("XDG_RUNTIME_DIR") ?? environment("TMPDIR") ?? "/tmp"
        // The path of a Unix socket can have at most 107 bytes.
        let parent = base.utf8.count < 60 ? base : "/tmp"
        guard let directory = make(in: parent) ?? make(in: "/tmp") else { throw .system("mkdtemp", errno) }
        live.withLock { _ = $0.insert(directory) }
        return directory
    }

    private static func make(in parent: String) -> String? {
        var template = Array("\(parent)/corebluez-XXXXXX".utf8CString)
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

    static func write(_ text: String, to path: String) throws(DBusError) {
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .system("open", errno) }
        defer { close(descriptor) }
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { throw .system("write", errno) }
            rest = rest.dropFirst(count)
        }
    }

    /// Removes a directory and the files in it; missing files do not matter.
    package static func remove(_ directory: String) {
        for file in ["bus", "bus.conf", log, socket] { unsafe unlink("\(directory)/\(file)") }
        unsafe rmdir(directory)
        live.withLock { _ = $0.remove(directory) }
    }

    /// The beginning of a file's text; empty if it cannot be read.
    static func read(_ path: String) -> String {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return "" }
        defer { close(descriptor) }
        var buffer = [UInt8](repeating: 0, count: 2048)
        let count = unsafe Glibc.read(descriptor, &buffer, buffer.count)
        return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
    }
}
