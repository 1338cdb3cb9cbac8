import BlueZUnixSockets
import CBlueZDBus
import Glibc
import TestSupport
import Testing

@testable import BlueZDBus

@Suite struct UnixListenerTests {
    @Test("Listener and accepted socket are closed on exec, and neither waits")
    func flags() async throws {
        try await TestActor.run {
            let listener = try UnixListener()
            #expect(try listener.accept() == nil)
            let owner = BareOwner()
            try owner.connect("unix:path=\(listener.path)")
            let accepted = try #require(try listener.accept())
            for descriptor in [listener.descriptor, accepted.descriptor] {
                #expect(fcntl(descriptor.rawValue, F_GETFD) & FD_CLOEXEC != 0)
                #expect(fcntl(descriptor.rawValue, F_GETFL) & O_NONBLOCK != 0)
            }
            owner.connection?.close()
        }
    }

    @Test("Without a descriptor for a connection, accepting is an error, and the connection waits")
    func descriptors() async {
        await #expect(processExitsWith: .success) {
            let listener = try UnixListener()
            let client = cdbus_stream_socket()
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: listener.path.utf8) }
            let result = unsafe withUnsafePointer(to: &address) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    unsafe connect(client, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
            precondition(result == 0)
            var limit = rlimit()
            unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            let former = limit
            limit.rlim_cur = 0
            unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            #expect(throws: DBusError.self) { try listener.accept() }
            limit = former
            unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            _ = try #require(try listener.accept())
        }
    }

    @Test("A stream connects to the first socket of an address that accepts")
    func connecting() throws {
        let listener = try UnixListener()
        let address = ServerAddress.socket(at: listener.path).description
        let client = try StreamSocket(connectedTo: .address("unix:path=/nonexistent/socket;\(address)"))
        let accepted = try #require(try listener.accept())
        #expect(client.send([1, 2][...]) == 2 && accepted.receive() == .bytes([1, 2]))
        #expect(fcntl(client.descriptor.rawValue, F_GETFD) & FD_CLOEXEC != 0)
        #expect(throws: DBusError.self) { try StreamSocket(connectedTo: .address("unix:abstract=corebluez/none")) }
        #expect(throws: DBusError.self) { try StreamSocket(connectedTo: .address("tcp:host=localhost")) }
    }
}
