import CBlueZDBus
import Glibc

extension StreamSocket {
    /// Bytes, and the file descriptors that came with them.
    package struct Portion {
        /// One byte or more.
        package let bytes: [UInt8]
        /// The descriptors of these bytes, at most 253.
        package let descriptors: [UnixFileDescriptor]

        /// Creates a portion.
        package init(_ bytes: [UInt8], _ descriptors: [UnixFileDescriptor] = []) {
            self.bytes = bytes
            self.descriptors = descriptors
        }
    }

    /// The result of `receivePortion`.
    package enum ReceivedPortion {
        /// One byte or more.
        case portion(Portion)
        /// There is nothing now.
        case nothing
        /// The other end is closed, or sent more descriptors than this process can have.
        case end
    }

    /// Receives the available bytes, at most `limit` (1 or more), with their file descriptors.
    package func receivePortion(limit: Int) -> ReceivedPortion {
        unsafe withUnsafeTemporaryAllocation(byteCount: ControlData.size, alignment: 8) { control in
            var descriptors: [UnixFileDescriptor] = []
            var result = 0
            var isTruncated = false
            let bytes = unsafe [UInt8](unsafeUninitializedCapacity: max(1, limit)) { bytes, count in
                var part = unsafe iovec(iov_base: bytes.baseAddress, iov_len: bytes.count)
                unsafe withUnsafeMutablePointer(to: &part) { part in
                    var message = unsafe msghdr(
                        msg_name: nil, msg_namelen: 0, msg_iov: part, msg_iovlen: 1, msg_control: control.baseAddress,
                        msg_controllen: control.count, msg_flags: 0)
                    let flags = CInt(MSG_DONTWAIT) | CInt(MSG_CMSG_CLOEXEC)
                    result = unsafe recvmsg(descriptor.rawValue, &message, flags)
                    guard result > 0 else { return }
                    isTruncated = unsafe message.msg_flags & CInt(MSG_CTRUNC) != 0
                    guard unsafe message.msg_controllen > 0 else { return }
                    let used = unsafe UnsafeRawBufferPointer(rebasing: control[..<message.msg_controllen])
                    descriptors = unsafe ControlData.takeDescriptors(used)
                }
                count = max(0, result)
            }
            if result < 0, errno == EAGAIN || errno == EINTR { return .nothing }
            return result > 0 && !isTruncated ? .portion(Portion(bytes, descriptors)) : .end
        }
    }

    /// Sends as many bytes as there is space for. The descriptors, at most 253, pass with the first byte.
    ///
    /// - Returns: the number of bytes sent, from the start, or nil if the other end is closed.
    package func send(_ bytes: ArraySlice<UInt8>, _ descriptors: [UnixFileDescriptor]) -> Int? {
        guard !descriptors.isEmpty, !bytes.isEmpty else { return send(bytes) }
        let (count, error) = unsafe withUnsafeTemporaryAllocation(byteCount: ControlData.size, alignment: 8) {
            control in
            let size = unsafe ControlData.write(descriptors, to: control)
            return unsafe bytes.withUnsafeBytes { bytes in
                let start = unsafe UnsafeMutableRawPointer(mutating: bytes.baseAddress)
                var part = unsafe iovec(iov_base: start, iov_len: bytes.count)
                return unsafe withUnsafeMutablePointer(to: &part) { part in
                    var message = unsafe msghdr(
                        msg_name: nil, msg_namelen: 0, msg_iov: part, msg_iovlen: 1, msg_control: control.baseAddress,
                        msg_controllen: size, msg_flags: 0)
                    let flags = CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT)
                    return unsafe (sendmsg(descriptor.rawValue, &message, flags), errno)
                }
            }
        }
        if count >= 0 { return count }
        return error == EAGAIN || error == EINTR ? 0 : nil
    }
}
