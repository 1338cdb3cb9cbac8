import CBlueZDBus
import FoundationEssentials
import Glibc

extension PacketSocket {
    /// The result of `trySend`.
    public enum SendResult: Hashable, Sendable {
        /// The kernel has the packet.
        case sent
        /// There is no space now. Try again when the descriptor is writable.
        case full
        /// The other end is closed.
        case end
    }

    /// Sends one packet, or returns why that is not possible now. It never waits.
    public func trySend(_ bytes: Data) -> SendResult {
        unsafe bytes.withUnsafeBytes { unsafe trySend($0) }
    }

    /// Sends one packet, or returns why that is not possible now. It never waits.
    public func trySend(_ bytes: ArraySlice<UInt8>) -> SendResult {
        unsafe bytes.withUnsafeBytes { unsafe trySend($0) }
    }

    private func trySend(_ bytes: UnsafeRawBufferPointer) -> SendResult {
        let flags = CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT)
        let count = unsafe Glibc.send(descriptor.rawValue, bytes.baseAddress, bytes.count, flags)
        if count >= 0 { return .sent }
        return errno == EAGAIN || errno == EINTR || errno == ENOBUFS ? .full : .end
    }
}
