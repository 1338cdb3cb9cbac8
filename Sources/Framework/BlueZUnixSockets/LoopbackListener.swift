import BlueZDBus
import Glibc

/// A TCP port that only programs on this machine can connect to.
public final class LoopbackListener: Sendable {
    /// The descriptor to watch in an event loop. It is readable when a client has connected.
    public let descriptor: UnixFileDescriptor
    /// The address, with the actual port.
    public let address: LoopbackAddress

    /// Creates a listener at an address. Port 0 lets the system choose one.
    ///
    /// - Throws: `DBusError` if the port is in use, or not allowed for this user.
    public init(_ address: LoopbackAddress) throws(DBusError) {
        let family = address.bytes == nil ? AF_INET6 : AF_INET
        let type = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue)
        let number = socket(family, type, 0)
        guard number >= 0 else { throw .system("socket", errno) }
        descriptor = UnixFileDescriptor(owning: number)
        Self.set(number, SOL_SOCKET, SO_REUSEADDR)
        guard Self.bind(number, address) == 0, listen(number, 8) == 0 else { throw .system("\(address)", errno) }
        self.address = address.with(port: Self.port(of: number))
    }

    /// Accepts the next connection, or returns nil if none is waiting. The socket sends bytes immediately, however few
    /// (TCP_NODELAY).
    ///
    /// - Throws: the same as `UnixListener.accept`.
    public func accept() throws(DBusError) -> StreamSocket? {
        guard let socket = try StreamSocket(acceptedFrom: descriptor) else { return nil }
        Self.set(socket.descriptor.rawValue, CInt(IPPROTO_TCP), TCP_NODELAY)
        return socket
    }

    private static func set(_ descriptor: CInt, _ level: CInt, _ option: CInt) {
        var isOn: CInt = 1
        _ = unsafe setsockopt(descriptor, level, option, &isOn, socklen_t(MemoryLayout<CInt>.size))
    }

    private static func bind(_ descriptor: CInt, _ address: LoopbackAddress) -> CInt {
        guard let bytes = address.bytes else {
            var name = sockaddr_in6()
            name.sin6_family = sa_family_t(AF_INET6)
            name.sin6_port = address.port.bigEndian
            name.sin6_addr = in6addr_loopback
            return unsafe withSocketAddress(&name) { unsafe Glibc.bind(descriptor, $0, $1) }
        }
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_port = address.port.bigEndian
        name.sin_addr.s_addr = bytes.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }.bigEndian
        return unsafe withSocketAddress(&name) { unsafe Glibc.bind(descriptor, $0, $1) }
    }

    private static func port(of descriptor: CInt) -> UInt16 {
        // Both families store the port at the same offset.
        var name = sockaddr_in6()
        let code = unsafe withSocketAddress(&name) {
            var length = $1
            return unsafe getsockname(descriptor, $0, &length)
        }
        return code == 0 ? UInt16(bigEndian: name.sin6_port) : 0
    }
}

/// A TCP port of this machine that other machines cannot reach: 127.0.0.0/8 or ::1.
public struct LoopbackAddress: Hashable, Sendable, CustomStringConvertible {
    /// The four bytes of an IPv4 address; nil for ::1.
    public let bytes: [UInt8]?
    /// The port. 0 lets the system choose one.
    public let port: UInt16

    /// Creates an address from text such as `127.0.0.1:4000` or `[::1]:4000`. Nil for other text, and for addresses of
    /// other machines.
    public init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":") else { return nil }
        let digits = text[text.index(after: colon)...]
        guard !digits.isEmpty, digits.allSatisfy({ $0.isASCII && $0.isNumber }), let port = UInt16(digits) else {
            return nil
        }
        self.port = port
        let host = text[..<colon]
        guard host != "[::1]" else {
            bytes = nil
            return
        }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { part in
            part.count <= 3 && part.allSatisfy { $0.isASCII && $0.isNumber } ? UInt8(part) : nil
        }
        guard parts.count == 4, numbers.count == 4, numbers[0] == 127 else { return nil }
        bytes = numbers
    }

    private init(bytes: [UInt8]?, port: UInt16) {
        self.bytes = bytes
        self.port = port
    }

    /// Returns the same address with another port.
    public func with(port: UInt16) -> LoopbackAddress {
        LoopbackAddress(bytes: bytes, port: port)
    }

    /// The address as text, such as `127.0.0.1:4000`.
    public var description: String {
        let host = bytes.map { $0.map(String.init).joined(separator: ".") } ?? "[::1]"
        return "\(host):\(port)"
    }
}
