import CBlueZDBus
import FoundationEssentials
import Glibc

/// One end of a pair of connected packet sockets (SOCK_SEQPACKET). Each packet arrives whole. Neither end waits.
///
/// A service can pass the other end of such a pair to its clients.
public final class PacketSocket: Sendable {
    /// The result of `receive`.
    public enum Packet: Hashable, Sendable {
        /// A packet, which may be empty.
        case bytes(Data)
        /// There is no packet now.
        case nothing
        /// The other end is closed.
        case end
    }

    /// The descriptor, for a message or an event loop. It is closed when the last reference to it is released.
    public let descriptor: UnixFileDescriptor

    /// Creates a socket that owns one end, such as one received in a message.
    public init(_ descriptor: UnixFileDescriptor) {
        self.descriptor = descriptor
    }

    /// Creates both ends. They are closed on exec.
    ///
    /// - Throws: `DBusError` if the kernel has no descriptors left.
    public static func pair() throws(DBusError) -> (PacketSocket, PacketSocket) {
        var ends: [CInt] = [-1, -1]
        guard unsafe cdbus_packet_pair(&ends) == 0 else { throw .system("socketpair", errno) }
        return (PacketSocket(UnixFileDescriptor(owning: ends[0])), PacketSocket(UnixFileDescriptor(owning: ends[1])))
    }

    /// Sends one packet.
    ///
    /// - Returns: false if the packet was lost because the other end is closed or has no space.
    @discardableResult
    public func send(_ bytes: [UInt8]) -> Bool {
        trySend(bytes[...]) == .sent
    }

    /// Receives one packet, truncated after `limit` bytes. The size does not distinguish an empty packet from the end,
    /// which `poll()` reports as a hang-up.
    public func receive(limit: Int = 512) -> Packet {
        unsafe withUnsafeTemporaryAllocation(byteCount: max(1, limit), alignment: 1) { buffer in
            let count = unsafe recv(descriptor.rawValue, buffer.baseAddress, buffer.count, CInt(MSG_DONTWAIT))
            if count > 0, let start = buffer.baseAddress { return unsafe .bytes(Data(bytes: start, count: count)) }
            if count < 0 { return errno == EAGAIN || errno == EINTR ? .nothing : .end }
            return isHungUp ? .end : .bytes(Data())
        }
    }

    var isHungUp: Bool {
        // POLLRDHUP, which needs a feature macro that Swift does not set: the other end sends nothing more.
        let ended: Int16 = 0x2000
        var state = pollfd(fd: descriptor.rawValue, events: Int16(POLLIN) | ended, revents: 0)
        return unsafe poll(&state, 1, 0) > 0 && state.revents & (Int16(POLLHUP) | ended) != 0
    }

    /// Whether there is space for another packet. True if the other end is closed.
    package var isWritable: Bool {
        var state = pollfd(fd: descriptor.rawValue, events: Int16(POLLOUT), revents: 0)
        return unsafe poll(&state, 1, 0) > 0
    }

    /// Ends both directions. The other end sees a hang-up, even if this end's descriptor is also open elsewhere.
    public func shutDown() {
        _ = shutdown(descriptor.rawValue, CInt(SHUT_RDWR))
    }
}
