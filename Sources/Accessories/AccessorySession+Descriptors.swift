import BluetoothClassic
import CoreBlueZ
import FoundationEssentials
import Glibc

/// The ends of a session as file descriptors: sockets, which wait when there is nothing to read or no room to write.
public struct AccessoryDescriptors: Hashable, Sendable {
    /// What the accessory sends can be read here; the end of file follows the session's end.
    public let input: CInt
    /// What is written here goes to the accessory.
    public let output: CInt
}

extension AccessorySession {
    /// Makes descriptors of the session's ends, once. They belong to the caller, who closes both. From then on `input` and
    /// `output` are used by what copies the bytes.
    ///
    /// Both are of one socket: `shutdown(output, SHUT_WR)` ends the output alone; when both are closed, the session is closed
    /// as soon as all bytes are sent. When the session ends otherwise, writing to `output` fails with EPIPE (and SIGPIPE, unless
    /// it is ignored), and `input` is at the end behind the last byte.
    ///
    /// - Throws: `busy` if they were made before, `notConnected` if the session is closed, or what the kernel says.
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

/// Copies bytes between a session and a socket, one piece in each direction at a time: whoever is slow holds the other back.
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
        // Whoever writes afterwards gets an error at once.
        session?.endObservers.append { [weak socket] in socket?.endReceiving() }
        copyInput()
        copyOutput()
    }

    /// The output was ended, or both descriptors are closed, in whichever order. What was written is sent first.
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
