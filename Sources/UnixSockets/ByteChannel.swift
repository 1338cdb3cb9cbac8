import DBus
import Glibc

/// A descriptor that bytes come from and go to. Nothing in it waits: an event loop says when it is ready.
public protocol ByteChannel: Sendable {
    /// The descriptor, for an event loop.
    var descriptor: UnixFileDescriptor { get }

    /// Takes bytes that are there, at most `limit` (1 or more).
    func receive(limit: Int) -> StreamSocket.Chunk

    /// Gives as many bytes as there is room for.
    ///
    /// - Returns: how many went, from the start; nil if the other end is gone.
    func send(_ bytes: ArraySlice<UInt8>) -> Int?
}

extension StreamSocket: ByteChannel {}

/// A descriptor that is no socket: a terminal, a pipe, a file. Other programs may have it too, so that its mode is theirs:
/// `receive` never waits, whatever the mode; `send` does not in non-blocking mode.
public final class PlainDescriptor: ByteChannel {
    /// The descriptor, for an event loop. Closed with the last reference.
    public let descriptor: UnixFileDescriptor

    /// Takes a descriptor over.
    public init(_ descriptor: UnixFileDescriptor) {
        self.descriptor = descriptor
    }

    /// A second descriptor of what another one names, which stays open.
    ///
    /// - Throws: `DBusError` if the other one is closed, or the process has no descriptor left.
    public init(duplicating other: CInt) throws(DBusError) {
        let copy = fcntl(other, F_DUPFD_CLOEXEC, 3)
        guard copy >= 0 else { throw .system("fcntl", errno) }
        descriptor = UnixFileDescriptor(owning: copy)
    }

    /// Reads what is there.
    public func receive(limit: Int = 4096) -> StreamSocket.Chunk {
        // What an event loop has found may have been read since, by this program or another.
        var state = pollfd(fd: descriptor.rawValue, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&state, 1, 0) != 0 else { return .nothing }
        var buffer = [UInt8](repeating: 0, count: max(1, limit))
        let count = unsafe read(descriptor.rawValue, &buffer, buffer.count)
        if count > 0 { return .bytes(Array(buffer[..<count])) }
        return count < 0 && (errno == EAGAIN || errno == EINTR) ? .nothing : .end
    }

    /// Writes as much as there is room for.
    public func send(_ bytes: ArraySlice<UInt8>) -> Int? {
        guard !bytes.isEmpty else { return 0 }
        let count = unsafe bytes.withUnsafeBytes { bytes in
            unsafe write(descriptor.rawValue, bytes.baseAddress, bytes.count)
        }
        if count >= 0 { return count }
        return errno == EAGAIN || errno == EINTR ? 0 : nil
    }
}
