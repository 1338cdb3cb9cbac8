import BlueZDBus
import BlueZUnixSockets
import Foundation
import Glibc
import TestSupport
import Testing

/// Pseudo-terminals and TCP ports. A process has one pseudo-terminal at a time.
@Suite(.serialized) struct SerialPortTests {
    private func open(_ path: String) throws -> UnixFileDescriptor {
        let number = unsafe Glibc.open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        try #require(number >= 0)
        return UnixFileDescriptor(owning: number)
    }

    private func pipe() throws -> (reader: PlainDescriptor, writer: PlainDescriptor) {
        var ends: [CInt] = [-1, -1]
        try #require(unsafe Glibc.pipe(&ends) == 0)
        let descriptors = ends.map { UnixFileDescriptor(owning: $0) }
        return (PlainDescriptor(descriptors[0]), PlainDescriptor(descriptors[1]))
    }

    private func settings(_ descriptor: UnixFileDescriptor) -> termios {
        var settings = termios()
        _ = unsafe tcgetattr(descriptor.rawValue, &settings)
        return settings
    }

    @Test("Nothing waits for what another reader has taken, whatever the descriptor's mode")
    func taken() throws {
        let (reader, writer) = try pipe()
        let other = try PlainDescriptor(duplicating: reader.descriptor.rawValue)
        let isOver = DispatchSemaphore(value: 0)
        defer { isOver.signal() }
        Thread.detachNewThread {
            // Ends the wait, if there is one.
            if isOver.wait(timeout: .now() + 10) == .timedOut { _ = writer.send([0]) }
        }
        #expect(writer.send([0x41]) == 1)
        #expect(other.receive() == .bytes([0x41]))
        #expect(reader.receive() == .nothing)
    }

    @Test("A pseudo-terminal is this user's alone, and passes bytes as they are")
    func bytes() throws {
        let terminal = try PseudoTerminal()
        var status = stat()
        #expect(unsafe stat(terminal.path, &status) == 0)
        #expect(status.st_mode & 0o777 == 0o600)
        let user = PlainDescriptor(try open(terminal.path))
        #expect(user.send([0x03, 0x0A, 0x0D, 0xFF]) == 4)
        #expect(terminal.channel.receive(limit: 100) == .bytes([0x03, 0x0A, 0x0D, 0xFF]))
        #expect(terminal.channel.send([0x04, 0x0A, 0x0D, 0x13]) == 4)
        #expect(user.receive() == .bytes([0x04, 0x0A, 0x0D, 0x13]))
        // No echo.
        #expect(terminal.channel.receive(limit: 100) == .nothing)
        #expect(throws: DBusError.self) { try PseudoTerminal() }
    }

    @Test("It knows whether a program uses it, and goes on when none does")
    func users() async throws {
        let terminal = try PseudoTerminal()
        #expect(!terminal.isUsed())
        #expect(terminal.channel.receive(limit: 100) == .nothing)
        var first: UnixFileDescriptor? = try open(terminal.path)
        var second: UnixFileDescriptor? = try open(terminal.path)
        #expect(terminal.isUsed())
        _ = PlainDescriptor(try open(terminal.path)).send([0x41])
        first = nil
        #expect(terminal.isUsed())
        second = nil
        // A process that another test is starting may have inherited the descriptors, and still has to close them.
        try await Patience.wait(for: "the end of the last user", until: { !terminal.isUsed() })
        // What it wrote before it closed the port.
        #expect(terminal.channel.receive(limit: 100) == .bytes([0x41]))
        #expect(terminal.channel.receive(limit: 100) == .nothing)
        first = try open(terminal.path)
        #expect(terminal.isUsed())
        #expect(first != nil && second == nil)
    }

    @Test("What a program has set is undone, and what it has not read is forgotten")
    func reset() throws {
        let terminal = try PseudoTerminal()
        let user = try open(terminal.path)
        var changed = settings(user)
        changed.c_lflag |= tcflag_t(ECHO | ICANON)
        unsafe cfsetspeed(&changed, speed_t(B9600))
        #expect(unsafe tcsetattr(user.rawValue, TCSANOW, &changed) == 0)
        #expect(settings(user).c_lflag & tcflag_t(ECHO) != 0)
        #expect(unsafe cfgetospeed(&changed) == speed_t(B9600))
        terminal.reset()
        #expect(settings(user).c_lflag & tcflag_t(ECHO | ICANON) == 0)
        #expect(terminal.channel.send([0x41]) == 1)
        terminal.reset()
        #expect(PlainDescriptor(user).receive() == .nothing)
    }

    @Test("A link is never put over something, and only an own one is removed")
    func link() throws {
        let directory = URL(filePath: NSTemporaryDirectory()).appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let path = directory.appending(path: "uart").path
        var terminal: PseudoTerminal? = try PseudoTerminal()
        #expect(terminal?.link(at: path) == 0)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == terminal?.path)
        terminal = nil
        #expect(throws: (any Error).self) { try FileManager.default.destinationOfSymbolicLink(atPath: path) }
        try Data("mine".utf8).write(to: URL(filePath: path))
        terminal = try PseudoTerminal()
        #expect(terminal?.link(at: path) == EEXIST)
        terminal = nil
        #expect(try Data(contentsOf: URL(filePath: path)) == Data("mine".utf8))
    }

    @Test(
        "Addresses of this machine",
        arguments: [
            ("127.0.0.1:4000", true), ("127.1.2.3:0", true), ("[::1]:65535", true), ("127.0.0.1", false),
            ("127.0.0.1:", false), ("127.0.0.1:65536", false), ("192.168.0.1:4000", false), ("0.0.0.0:4000", false),
            ("[::]:4000", false), ("127.0.0:4000", false), ("127.0.0.256:4000", false), ("localhost:4000", false),
            (":4000", false), ("127.0.0.+1:4000", false), ("127.0.0.1:+4", false), ("127.0.0.1:٤", false),
        ])
    func addresses(text: String, isAddress: Bool) {
        #expect((LoopbackAddress(text) != nil) == isAddress)
        #expect(LoopbackAddress(text)?.description == (isAddress ? text : nil))
    }

    @Test("A port is taken once", arguments: ["127.0.0.1:0", "[::1]:0"])
    func port(text: String) throws {
        let listener = try LoopbackListener(try #require(LoopbackAddress(text)))
        #expect(listener.address.port > 0)
        #expect(try listener.accept() == nil)
        #expect(throws: DBusError.self) { try LoopbackListener(listener.address) }
    }
}
