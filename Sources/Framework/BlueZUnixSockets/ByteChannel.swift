import BlueZDBus
import Glibc

/// A descriptor for reading and writing bytes. No method waits. An event loop reports when the descriptor is ready.
public protocol ByteChannel: Sendable {
    /// The descriptor to watch in an event loop.
    var descriptor: UnixFileDescriptor { get }

    /// Receives available bytes, at most `limit` (1 or more).
    func receive(limit: Int) -> StreamSocket.Chunk

    /// Sends as many bytes as there is space for.
    ///
    /// - Returns: how many bytes were sent, from the start, or nil if the other end is gone.
    func send(_ bytes: ArraySlice<UInt8>) -> Int?
}

extension StreamSocket: ByteChannel {}

/// A descriptor that is not a socket, but a terminal, a pipe or a file. Other programs may share it, and set its mode.
/// `receive` never waits, whatever the mode. `send` does not wait in non-blocking mode.
public final class PlainDescriptor: ByteChannel {
    /// The descriptor to watch in an event loop. It is closed when the last reference to it is released.
    public let descriptor: UnixFileDescriptor

    /// Creates a channel that takes over a descriptor.
    public init(_ descriptor: UnixFileDescriptor) {
        self.descriptor = descriptor
    }

    /// Creates a channel with a duplicate of a descriptor, which stays open.
    ///
    /// - Throws: `DBusError` if the other descriptor is closed, or the process has reached its limit of descriptors.
    public init(duplicating other: CInt) throws(DBusError) {
        let copy = fcntl(other, F_DUPFD_CLOEXEC, 3)
        guard copy >= 0 else { throw .system("fcntl", errno) }
        descriptor = UnixFileDescriptor(owning: copy)
    }

    /// Reads available bytes.
    public func receive(limit: Int = 4096) -> StreamSocket.Chunk {
        // Bytes that an event loop reported may have been read in the meantime, by this program or another.
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
