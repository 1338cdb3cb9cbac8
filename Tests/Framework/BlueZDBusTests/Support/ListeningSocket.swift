import BlueZDBus
import Glibc
import TestSupport
import Testing

/// A Unix socket at which nobody speaks D-Bus.
final class ListeningSocket {
    let path: String
    private let directory: String
    private let descriptor: CInt

    init() throws {
        var template = Array("/tmp/corebluez-tests-XXXXXX".utf8CString)
        try #require(unsafe mkdtemp(&template) != nil)
        directory = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        path = "\(directory)/socket"
        descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { buffer in
            unsafe buffer.copyBytes(from: path.utf8)
        }
        let code = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe bind(descriptor, pointer, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(code == 0 && listen(descriptor, 5) == 0)
    }

    deinit {
        close(descriptor)
        unsafe unlink(path)
        unsafe rmdir(directory)
    }

    /// Takes the first connection and ends it.
    func acceptAndClose() {
        let accepted = accept(descriptor, nil, nil)
        close(accepted)
    }
}

/// Owns a connection and says nothing on its own.
@TestActor final class BareOwner {
    private(set) var connection: Connection?

    func connect(_ address: String) throws {
        connection = try Connection(to: .address(address), loop: TestActor.loop)
    }
}
