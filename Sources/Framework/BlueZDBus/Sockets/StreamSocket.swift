import CBlueZDBus
import Glibc

/// One end of a connected stream socket. It never waits. An event loop reports when it is ready.
public final class StreamSocket: Sendable {
    /// The result of `receive`.
    public enum Chunk: Hashable, Sendable {
        /// One byte or more.
        case bytes([UInt8])
        /// There are no bytes now.
        case nothing
        /// The other end is closed.
        case end
    }

    /// The descriptor to watch in an event loop. It is closed when the last reference to it is released.
    public let descriptor: UnixFileDescriptor

    /// Creates an object that owns a connected stream socket.
    public init(_ descriptor: UnixFileDescriptor) {
        self.descriptor = descriptor
    }

    /// Creates both ends of a pair. They are closed on exec. Reading and writing their descriptors directly blocks.
    ///
    /// - Throws: `DBusError` if the kernel has no descriptors left.
    public static func pair() throws(DBusError) -> (StreamSocket, StreamSocket) {
        var ends: [CInt] = [-1, -1]
        guard unsafe cdbus_stream_pair(&ends) == 0 else { throw .system("socketpair", errno) }
        return (StreamSocket(UnixFileDescriptor(owning: ends[0])), StreamSocket(UnixFileDescriptor(owning: ends[1])))
    }

    /// Receives the available bytes, at most `limit` (1 or more).
    public func receive(limit: Int = 4096) -> Chunk {
        var buffer = [UInt8](repeating: 0, count: max(1, limit))
        let count = unsafe recv(descriptor.rawValue, &buffer, buffer.count, CInt(MSG_DONTWAIT))
        if count > 0 { return .bytes(Array(buffer[..<count])) }
        return count < 0 && (errno == EAGAIN || errno == EINTR) ? .nothing : .end
    }

    /// Sends as many bytes as there is space for.
    ///
    /// - Returns: the number of bytes sent, from the start, or nil if the other end is closed.
    public func send(_ bytes: ArraySlice<UInt8>) -> Int? {
        guard !bytes.isEmpty else { return 0 }
        let count = unsafe bytes.withUnsafeBytes { bytes in
            unsafe Glibc.send(
                descriptor.rawValue, bytes.baseAddress, bytes.count, CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT))
        }
        if count >= 0 { return count }
        return errno == EAGAIN || errno == EINTR ? 0 : nil
    }

    /// Ends the direction from this end to the other, which sees the end after all bytes that were sent.
    public func shutDownSending() {
        _ = shutdown(descriptor.rawValue, CInt(SHUT_WR))
    }

    /// Ends the direction to this end. The other end can send nothing more.
    public func shutDownReceiving() {
        _ = shutdown(descriptor.rawValue, CInt(SHUT_RD))
    }

    /// Ends both directions. The other end sees the end of the stream.
    public func shutDown() {
        _ = shutdown(descriptor.rawValue, CInt(SHUT_RDWR))
    }
}
