import BlueZScript
import CBlueZTerminal
import CoreBlueZ
import FoundationEssentials
import Glibc

/// The terminal, a pipe or a file: the standard input goes to the device, the device's data to the standard output.
@BluetoothActor final class SerialTerminal: SerialEndpoint {
    private let link: SerialLink
    private let messages: SerialMessages
    private let ending: Ending
    private let isRaw: Bool
    private let lineEnd: LineEnd?
    private let lingering: Duration
    private let input: ByteBridge
    private let output: OutputQueue
    private let isTerminal = isatty(STDOUT_FILENO) == 1
    private var view: SerialView
    private var lines = LineInput()
    private var dropped = 0
    private var hasEnded = false
    private var linger: Task<Void, Never>?

    init(_ link: SerialLink, _ messages: SerialMessages, _ ending: Ending, _ command: SerialCommand) throws {
        self.link = link
        self.messages = messages
        self.ending = ending
        isRaw = command.raw
        lineEnd = command.lineEnd
        lingering = command.lingering
        input = try SerialInput.open()
        output = try OutputQueue()
        view = SerialView(command.hex ? .hexadecimal : isTerminal && !command.raw ? .text : .bytes)
    }

    func start() throws(CommandFailure) {
        link.receiveHandler = { [weak self] in self?.received($0) }
        link.spaceHandler = { [weak self] in self?.hasSpace() }
        input.hasRoom = { [link] in link.hasRoom }
        input.receiveHandler = { [weak self] in self?.typed($0) }
        input.endHandler = { [weak self] in self?.inputEnded() }
        output.failureHandler = { [ending] in ending.end($0) }
        if isRaw, SerialInput.isTerminal {
            guard terminal_begin_raw(STDIN_FILENO) == 0 else {
                throw CommandFailure(.inputOutput, "The terminal cannot be set to raw mode")
            }
            messages.report("Every key is sent to the device; \(ExitKey.name) ends the command")
        }
        input.resume()
    }

    /// Ends it, and restores the terminal.
    func close() {
        input.close()
        linger?.cancel()
        terminal_end()
    }

    func flush() async {
        _ = output.write(view.finish())
        await output.flush()
    }

    // MARK: To the device

    private func typed(_ bytes: Data) {
        guard isRaw else {
            for line in lines.append(bytes) { send(line + end) }
            return
        }
        guard SerialInput.isTerminal else { return send(Array(bytes)) }
        let typed = ExitKey.split(Array(bytes))
        send(Array(typed.before))
        if typed.isPressed { ending.end() }
    }

    /// The terminator of the device's profile, unless another is given.
    private var end: [UInt8] {
        if let lineEnd { return lineEnd.bytes }
        let known = Array((link.profile?.terminator ?? "").utf8)
        return known.isEmpty ? LineEnd.lf.bytes : known
    }

    private func send(_ bytes: [UInt8]) {
        guard !bytes.isEmpty else { return }
        messages.sent(Data(bytes))
        link.send(Data(bytes))
    }

    private func inputEnded() {
        if let rest = lines.finish() { send(rest) }
        hasEnded = true
        lingerOn()
    }

    private func hasSpace() {
        if !hasEnded { input.resume() }
        lingerOn()
    }

    /// Ends when the input has ended, everything is sent, and nothing has arrived for a while.
    private func lingerOn() {
        linger?.cancel()
        guard hasEnded, link.isIdle else { return }
        linger = Task { [lingering, ending] in
            guard (try? await BluetoothActor.sleep(for: lingering)) != nil else { return }
            ending.end()
        }
    }

    // MARK: From the device

    private func received(_ bytes: Data) {
        messages.received(bytes)
        if output.write(view.show(bytes)) {
            if dropped > 0 { messages.report("\(dropped) bytes were dropped: the terminal did not accept them") }
            dropped = 0
        } else if isTerminal {
            dropped += bytes.count
        } else {
            let limit = OutputQueue.limit >> 20
            output.abandon()
            ending.end(CommandFailure(.inputOutput, "The output is not read: more than \(limit) MiB waits"))
        }
        lingerOn()
    }
}
