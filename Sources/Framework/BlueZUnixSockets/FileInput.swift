import BlueZDBus
import Glibc

/// The bytes of a file, of a pipe or of the standard input, in pieces.
public final class FileInput: Sendable {
    private let descriptor: UnixFileDescriptor?

    /// Opens a file, or the standard input if the path is `-`.
    ///
    /// - Throws: `DBusError` if the file can't be opened, or is a folder.
    public init(_ path: String) throws(DBusError) {
        guard path != "-" else {
            descriptor = nil
            return
        }
        let opened = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard opened >= 0 else { throw .system("open", errno) }
        descriptor = UnixFileDescriptor(owning: opened)
    }

    /// Returns the next bytes, at most 64 KiB. Empty at the end.
    ///
    /// - Throws: `DBusError` if the kernel can't read them.
    public func read() throws(DBusError) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = unsafe Glibc.read(descriptor?.rawValue ?? STDIN_FILENO, &buffer, buffer.count)
            if count >= 0 { return Array(buffer[..<count]) }
            guard errno == EINTR else { throw .system("read", errno) }
        }
    }
}
