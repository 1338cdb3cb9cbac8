import BlueZDBus
import Glibc

/// Calls `body` with the address of a socket, of whatever family, and its size.
func withSocketAddress<Address>(
    _ address: inout Address, _ body: (UnsafeMutablePointer<sockaddr>, socklen_t) -> CInt
) -> CInt {
    unsafe withUnsafeMutablePointer(to: &address) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            unsafe body($0, socklen_t(MemoryLayout<Address>.size))
        }
    }
}

/// Calls `body` with the address of a Unix socket, and its size.
///
/// - Returns: 0, or the value of `errno` if `body` failed.
/// - Throws: `DBusError` if the path or the abstract name is too long.
func withUnixAddress(
    _ name: String, isAbstract: Bool = false, _ body: (UnsafeMutablePointer<sockaddr>, socklen_t) -> CInt
) throws(DBusError) -> CInt {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    // An abstract name begins after a zero byte, and ends with the address (unix(7)).
    let bytes = isAbstract ? [0] + Array(name.utf8) : Array(name.utf8)
    let hasZero = bytes.dropFirst(isAbstract ? 1 : 0).contains(0)
    guard !name.isEmpty, !hasZero, bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
        throw .invalidArguments("The path of a Unix socket has 1 to 107 bytes: \"\(name)\"")
    }
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
    return unsafe withSocketAddress(&address) { pointer, size in
        let used = isAbstract ? socklen_t(MemoryLayout<sa_family_t>.size + bytes.count) : size
        return unsafe body(pointer, used) == 0 ? 0 : errno
    }
}
