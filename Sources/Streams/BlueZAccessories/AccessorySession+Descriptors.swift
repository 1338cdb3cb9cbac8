import BlueZClassic
import CoreBlueZ
import FoundationEssentials
import Glibc

/// The ends of a session as file descriptors. They are sockets, which block when there is nothing to read or no space
/// to write.
public struct AccessoryDescriptors: Hashable, Sendable {
    /// The descriptor for reading what the accessory sends. The end of file follows when the session ends.
    public let input: CInt
    /// The descriptor for writing what is sent to the accessory.
    public let output: CInt
}

extension AccessorySession {
    /// Creates descriptors for the session's ends. Call it once. The caller owns both descriptors, and closes them.
    /// From then on, the code that copies the bytes uses `input` and `output`.
    ///
    /// Both belong to one socket, so `shutdown(output, SHUT_WR)` ends only the output. When both are closed, the
    /// session is closed when all bytes are sent. If the session ends otherwise, writing to `output` fails with EPIPE
    /// (and SIGPIPE, unless it is ignored), and `input` reaches the end of file after the last byte.
    ///
    /// - Throws: `busy` if descriptors or streams were already created, `notConnected` if the session is closed, or
    ///   another code with the error of the kernel.
    public func makeDescriptors() throws(BluetoothError) -> AccessoryDescriptors {
        guard isOpen else { throw BluetoothError(.notConnected, "The session with \(accessory.name) is closed") }
        guard pump == nil else {
            throw BluetoothError(.busy, "The session with \(accessory.name) has descriptors already")
        }
        let (socket, descriptor) = try SocketStream.pair()
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else {
            Glibc.close(descriptor)
            throw BluetoothError(.failed, "There are no more file descriptors (errno \(errno))")
        }
        let pump = DescriptorPump(self, socket)
        self.pump = pump
        pump.begin()
        return AccessoryDescriptors(input: descriptor, output: copy)
    }
}

/// Copies bytes between a session and a socket, one piece in each direction at a time, so that a slow side delays the
/// other.
@BluetoothActor final class DescriptorPump {
    private let input: AccessoryInput
    private let output: AccessoryOutput
    private let socket: SocketStream
    private weak var session: AccessorySession?

    init(_ session: AccessorySession, _ socket: SocketStream) {
        self.session = session
        self.socket = socket
        input = session.input
        output = session.output
    }

    func begin() {
        socket.endHandler = { [weak self] in self?.didEnd() }
        socket.hangUpHandler = { [weak self] in self?.didEnd() }
        // Writing to the socket then fails immediately.
        session?.observeEnd { [weak socket] in socket?.endReceiving() }
        copyInput()
        copyOutput()
    }

    /// Called when the output was ended or both descriptors are closed. Bytes that were written are sent first.
    private func didEnd() {
        guard !socket.isOpen, socket.isDrained else { return }
        socket.close()
        session?.close()
    }

    private func copyInput() {
        input.read { [self] bytes, _ in
            guard let bytes else { return socket.endSending() }
            socket.send(bytes) { [self] isSent in
                if isSent { copyInput() }
            }
        }
    }

    private func copyOutput() {
        socket.receiveHandler = { [self] bytes in
            socket.receiveHandler = nil
            output.write(bytes) { [self] error in
                if error == nil { copyOutput() } else { socket.endReceiving() }
            }
        }
    }
}
