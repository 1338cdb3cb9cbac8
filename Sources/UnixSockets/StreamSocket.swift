import DBus
import Glibc

/// One end of a connected stream socket. Nothing in it waits: an event loop says when it is ready.
public final class StreamSocket: Sendable {
    /// What `receive` found.
    public enum Chunk: Hashable, Sendable {
        /// Some bytes, at least one.
        case bytes([UInt8])
        /// There are none now.
        case nothing
        /// The other end is closed.
        case end
    }

    /// The descriptor, for an event loop. Closed with the last reference.
    public let descriptor: UnixFileDescriptor

    /// Takes a connected stream socket.
    public init(_ descriptor: UnixFileDescriptor) {
        self.descriptor = descriptor
    }

    /// Receives what is there, at most `limit` bytes (1 or more).
    public func receive(limit: Int = 4096) -> Chunk {
        var buffer = [UInt8](repeating: 0, count: max(1, limit))
        let count = unsafe recv(descriptor.rawValue, &buffer, buffer.count, CInt(MSG_DONTWAIT))
        if count > 0 { return .bytes(Array(buffer[..<count])) }
        return count < 0 && (errno == EAGAIN || errno == EINTR) ? .nothing : .end
    }

    /// Sends as much as there is room for.
    ///
    /// - Returns: how many bytes went, from the start; nil where the other end is closed.
    public func send(_ bytes: ArraySlice<UInt8>) -> Int? {
        guard !bytes.isEmpty else { return 0 }
        let count = unsafe bytes.withUnsafeBytes { bytes in
            unsafe Glibc.send(
                descriptor.rawValue, bytes.baseAddress, bytes.count, CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT))
        }
        if count >= 0 { return count }
        return errno == EAGAIN || errno == EINTR ? 0 : nil
    }

    /// Ends the direction to the other end, which sees the end behind what was sent.
    public func endSending() {
        _ = shutdown(descriptor.rawValue, CInt(SHUT_WR))
    }

    /// Ends both directions: the other end sees the end.
    public func shutDown() {
        _ = shutdown(descriptor.rawValue, CInt(SHUT_RDWR))
    }
}
