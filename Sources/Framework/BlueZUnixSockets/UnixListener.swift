import BlueZDBus
import CBlueZDBus
import Glibc

// libdbus has a DBusError too.
import struct BlueZDBus.DBusError

/// A Unix stream socket in the file system that only this user can connect to (mode 0600). Its file is removed when the
/// listener is released.
public final class UnixListener: Sendable {
    /// The socket's path.
    public let path: String
    /// The descriptor to watch in an event loop. It is readable when a client has connected.
    public let descriptor: UnixFileDescriptor

    private let directory: String?

    /// Creates a listener at a path. A socket that a terminated program has left there is replaced.
    ///
    /// - Throws: `DBusError` if the path is longer than 107 bytes, is in use, or cannot be created.
    public init(path: String) throws(DBusError) {
        directory = nil
        self.path = path
        descriptor = try Self.listen(at: path)
    }

    /// Creates a listener in a new directory that only this user can enter (mode 0700). The directory is removed with
    /// the listener.
    ///
    /// - Throws: `DBusError` if the directory cannot be created.
    public init() throws(DBusError) {
        let directory = try PrivateDirectory.make()
        self.directory = directory
        path = "\(directory)/\(PrivateDirectory.socket)"
        do throws(DBusError) {
            descriptor = try Self.listen(at: path)
        } catch {
            PrivateDirectory.remove(directory)
            throw error
        }
    }

    deinit {
        unsafe unlink(path)
        if let directory { PrivateDirectory.remove(directory) }
    }

    /// Accepts the next connection, or returns nil if none is waiting.
    ///
    /// - Throws: `DBusError` if the process or the system has no descriptor or memory left. The connection still waits
    ///   then, and `descriptor` stays readable, so stop watching it for a while.
    public func accept() throws(DBusError) -> StreamSocket? { try StreamSocket(acceptedFrom: descriptor) }

    private static func listen(at path: String) throws(DBusError) -> UnixFileDescriptor {
        let descriptor = try makeSocket()
        // The file gets the mode of the socket that is bound to it, so other users can never connect.
        guard fchmod(descriptor.rawValue, 0o600) == 0 else { throw .system("fchmod", errno) }
        var code = try unsafe withUnixAddress(path) { unsafe bind(descriptor.rawValue, $0, $1) }
        if code == EADDRINUSE, try isAbandoned(path) {
            unsafe unlink(path)
            code = try unsafe withUnixAddress(path) { unsafe bind(descriptor.rawValue, $0, $1) }
        }
        guard code == 0 else { throw .system("bind \(path)", code) }
        guard Glibc.listen(descriptor.rawValue, 16) == 0 else { throw .system("listen", errno) }
        return descriptor
    }

    private static func makeSocket() throws(DBusError) -> UnixFileDescriptor {
        let descriptor = cdbus_stream_socket()
        guard descriptor >= 0 else { throw .system("socket", errno) }
        return UnixFileDescriptor(owning: descriptor)
    }

    /// Returns whether the path is a socket without a listener.
    private static func isAbandoned(_ path: String) throws(DBusError) -> Bool {
        // Connecting to any other kind of file is refused as well.
        var status = stat()
        guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return false }
        let descriptor = try makeSocket()
        return try unsafe withUnixAddress(path) { unsafe connect(descriptor.rawValue, $0, $1) } == ECONNREFUSED
    }
}

extension StreamSocket {
    /// Accepts the next connection of a listening socket; nil if none is waiting.
    convenience init?(acceptedFrom listener: UnixFileDescriptor) throws(DBusError) {
        let accepted = cdbus_accept(listener.rawValue)
        guard accepted >= 0 else {
            let error = errno
            guard [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(error) else { return nil }
            throw .system("accept", error)
        }
        self.init(UnixFileDescriptor(owning: accepted))
    }
}
