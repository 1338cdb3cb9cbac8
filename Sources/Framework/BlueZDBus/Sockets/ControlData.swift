import CBlueZDBus
import Glibc

/// The control data of `sendmsg` and `recvmsg` that carries file descriptors. Each part is a header and its data,
/// aligned (cmsg(3)).
enum ControlData {
    /// Space for 253 descriptors, the most that one `sendmsg` can pass (SCM_MAX_FD in the kernel's include/net/scm.h).
    static let size = WireBytes.align(headerSize + 253 * MemoryLayout<CInt>.size, to: 8)

    private static let headerSize = MemoryLayout<cmsghdr>.size

    /// Takes ownership of the descriptors that were received.
    static func takeDescriptors(_ control: UnsafeRawBufferPointer) -> [UnixFileDescriptor] {
        var descriptors: [UnixFileDescriptor] = []
        var offset = 0
        while offset + headerSize <= control.count {
            let header = unsafe control.loadUnaligned(fromByteOffset: offset, as: cmsghdr.self)
            let partEnd = offset + Int(header.cmsg_len)
            guard partEnd >= offset + headerSize, partEnd <= control.count else { break }
            if header.cmsg_level == SOL_SOCKET, header.cmsg_type == CInt(SCM_RIGHTS) {
                for place in stride(from: offset + headerSize, to: partEnd, by: MemoryLayout<CInt>.size) {
                    let number = unsafe control.loadUnaligned(fromByteOffset: place, as: CInt.self)
                    descriptors.append(UnixFileDescriptor(owning: number))
                }
            }
            offset = WireBytes.align(partEnd, to: MemoryLayout<Int>.size)
        }
        return descriptors
    }

    /// Writes descriptors, at most 253, for `sendmsg`.
    ///
    /// - Parameter control: memory of `size` bytes.
    /// - Returns: the number of bytes for `msg_controllen`.
    static func write(_ descriptors: [UnixFileDescriptor], to control: UnsafeMutableRawBufferPointer) -> Int {
        guard !descriptors.isEmpty else { return 0 }
        let length = headerSize + descriptors.count * MemoryLayout<CInt>.size
        var header = cmsghdr()
        header.cmsg_len = length
        header.cmsg_level = SOL_SOCKET
        header.cmsg_type = CInt(SCM_RIGHTS)
        unsafe control.storeBytes(of: header, as: cmsghdr.self)
        for (index, descriptor) in descriptors.enumerated() {
            let place = headerSize + index * MemoryLayout<CInt>.size
            unsafe control.storeBytes(of: descriptor.rawValue, toByteOffset: place, as: CInt.self)
        }
        return WireBytes.align(length, to: MemoryLayout<Int>.size)
    }
}
