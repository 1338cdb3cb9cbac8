import Glibc

@testable import BlueZDBus

/// A loader, and the bus's end of its socket.
final class MessageSocket {
    let loader: MessageLoader
    private let bus: UnixFileDescriptor

    init() throws {
        var ends: [CInt] = [-1, -1]
        guard unsafe socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw DBusError.system("socketpair", errno)
        }
        bus = UnixFileDescriptor(owning: ends[1])
        let own = UnixFileDescriptor(owning: ends[0])
        loader = try MessageLoader(duplicating: own.rawValue)
    }

    func send(_ bytes: ArraySlice<UInt8>, _ descriptors: [CInt] = []) throws {
        var bytes = Array(bytes)
        // A header (cmsg(3)): length, level, type; then the numbers, filled up to a word.
        let size = MemoryLayout<cmsghdr>.size + descriptors.count * MemoryLayout<CInt>.size
        var control = [UInt8](repeating: 0, count: WireBytes.align(size, to: 8))
        let sent = unsafe bytes.withUnsafeMutableBytes { bytes in
            unsafe control.withUnsafeMutableBytes { control in
                var header = cmsghdr()
                (header.cmsg_len, header.cmsg_level, header.cmsg_type) = (size, SOL_SOCKET, CInt(SCM_RIGHTS))
                unsafe control.storeBytes(of: header, as: cmsghdr.self)
                for (index, descriptor) in descriptors.enumerated() {
                    unsafe control.storeBytes(
                        of: descriptor, toByteOffset: MemoryLayout<cmsghdr>.size + 4 * index, as: CInt.self)
                }
                var part = unsafe iovec(iov_base: bytes.baseAddress, iov_len: bytes.count)
                return unsafe withUnsafeMutablePointer(to: &part) { part in
                    var message = unsafe msghdr(
                        msg_name: nil, msg_namelen: 0, msg_iov: part, msg_iovlen: 1,
                        msg_control: descriptors.isEmpty ? nil : control.baseAddress,
                        msg_controllen: descriptors.isEmpty ? 0 : control.count, msg_flags: 0)
                    return unsafe sendmsg(bus.rawValue, &message, CInt(MSG_NOSIGNAL))
                }
            }
        }
        guard sent == bytes.count else { throw DBusError.system("sendmsg", errno) }
    }

    func end() { _ = shutdown(bus.rawValue, CInt(SHUT_RDWR)) }

    /// Reads all that has come, and gives each message to `body`, as a connection does.
    func takeAll(_ body: (Message) throws -> Void) throws {
        repeat {
            while true {
                var message = try loader.next()
                guard let received = message else { break }
                try body(received)
                loader.release(&message)
            }
        } while try loader.read()
    }
}
