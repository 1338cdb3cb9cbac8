import BlueZDBus
import Glibc

extension StreamSocket {
    /// Connects to a bus: to the first Unix socket of its address that accepts. It waits only if the socket's queue of
    /// callers is full.
    ///
    /// - Throws: `DBusError` if the address has no listener, is malformed, or names no Unix socket.
    package convenience init(connectedTo address: ServerAddress) throws(DBusError) {
        var failure = DBusError.disconnected()
        for place in try address.unixSocketList() {
            let number = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
            guard number >= 0 else { throw .system("socket", errno) }
            let descriptor = UnixFileDescriptor(owning: number)
            let code = try unsafe withUnixAddress(place.name, isAbstract: place.isAbstract) {
                unsafe connect(number, $0, $1)
            }
            guard code != 0 else {
                self.init(descriptor)
                return
            }
            failure = .system("connect \(place.name)", code)
        }
        throw failure
    }
}
