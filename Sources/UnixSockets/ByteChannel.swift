import DBus
import Glibc

/// A descriptor to read bytes from and write them to. No call waits: an event loop reports when it is ready.
public protocol ByteChannel: Sendable {
    /// The descriptor, for an event loop.
    var descriptor: UnixFileDescriptor { get }

    /// Receives available bytes, at most `limit` (1 or more).
    func receive(limit: Int) -> StreamSocket.Chunk

    /// Sends as many bytes as there is space for.
    ///
    /// - Returns: how many were sent, from the start; nil if the other end is gone.
    func send(_ bytes: ArraySlice<UInt8>) -> Int?
}

extension StreamSocket: ByteChannel {}

/// A descriptor that is not a socket: a terminal, a pipe, a file. Other programs may share it, and decide its mode:
/// `receive` never waits, whatever the mode; `send` does not wait in non-blocking mode.
public final class PlainDescriptor: ByteChannel {
    /// The descriptor, for an event loop. Closed with the last reference.
    public let descriptor: UnixFileDescriptor

    /// Takes over a descriptor.
    public init(_ descriptor: UnixFileDescriptor) {
        self.descriptor = descriptor
    }

    /// Duplicates a descriptor, which stays open.
    ///
    /// - Throws: `DBusError` if the other one is closed, or the process has no descriptor left.
    public init(duplicating other: CInt) throws(DBusError) {
        let copy = fcntl(other, F_DUPFD_CLOEXEC, 3)
        guard copy >= 0 else { throw .system("fcntl", errno) }
        descriptor = UnixFileDescriptor(owning: copy)
    }

    /// Reads available bytes.
    public func receive(limit: Int = 4096) -> StreamSocket.Chunk {
        // Bytes that an event loop has found may have been read since, by this program or another.
        var state = pollfd(fd: descriptor.rawValue, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&state, 1, 0) != 0 else { return .nothing }
        var buffer = [UInt8](repeating: 0, count: max(1, limit))
        let count = unsafe read(descriptor.rawValue, &buffer, buffer.count)
        if count > 0 { return .bytes(Array(buffer[..<count])) }
        return count < 0 && (errno == EAGAIN || errno == EINTR) ? .nothing : .end
    }

    /// Writes as many bytes as there is space for.
    public func send(_ bytes: ArraySlice<UInt8>) -> Int? {
        guard !bytes.isEmpty else { return 0 }
        let count = unsafe bytes.withUnsafeBytes { bytes in
            unsafe write(descriptor.rawValue, bytes.baseAddress, bytes.count)
        }
        if count >= 0 { return count }
        return errno == EAGAIN || errno == EINTR ? 0 : nil
    }
}
