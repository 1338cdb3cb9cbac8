import CDBus
import Glibc

extension PacketSocket {
    /// The result of `trySend`.
    public enum SendResult: Hashable, Sendable {
        /// The kernel has it.
        case sent
        /// There is no room now; try again when the descriptor is writable.
        case full
        /// The other end is closed.
        case end
    }

    /// Sends one packet, or returns why that cannot be done now; never waits.
    public func trySend(_ bytes: ArraySlice<UInt8>) -> SendResult {
        let count = unsafe bytes.withUnsafeBytes { bytes in
            unsafe Glibc.send(
                descriptor.rawValue, bytes.baseAddress, bytes.count, CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT))
        }
        if count >= 0 { return .sent }
        return [EAGAIN, EINTR, ENOBUFS].contains(errno) ? .full : .end
    }
}
