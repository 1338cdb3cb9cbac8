import Glibc
import TestSupport
import Testing
import UnixSockets

@testable import DBus

@Suite struct UnixListenerTests {
    @Test("Listener and accepted socket are closed on exec, and neither waits")
    func flags() async throws {
        try await TestActor.run {
            let listener = try UnixListener()
            #expect(listener.accept() == nil)
            let owner = BareOwner()
            try owner.connect("unix:path=\(listener.path)")
            let accepted = try #require(listener.accept())
            for descriptor in [listener.descriptor, accepted.descriptor] {
                #expect(fcntl(descriptor.rawValue, F_GETFD) & FD_CLOEXEC != 0)
                #expect(fcntl(descriptor.rawValue, F_GETFL) & O_NONBLOCK != 0)
            }
            owner.connection?.close()
        }
    }
}
