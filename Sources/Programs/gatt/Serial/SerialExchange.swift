import BlueZScript
import BlueZSerial
import CoreBlueZ
import FoundationEssentials
import Glibc

/// `--exchange`: each line of the input is a command; the next one is sent when the reply has arrived, or its time is
/// over. Only replies are data: unsolicited bytes from the device are shown as a message.
@BluetoothActor final class SerialExchange: SerialEndpoint {
    private let link: SerialLink
    private let messages: SerialMessages
    private let ending: Ending
    private let timeouts: TxRxTimeouts
    private let lineEnd: LineEnd?
    private let isHexadecimal: Bool
    private let replyEnd: ReplyEnd?
    private let input: ByteBridge
    private let output: OutputQueue
    private let isTerminal = isatty(STDOUT_FILENO) == 1
    private var lines = LineInput()
    private var commands: [[UInt8]] = []
    private var session: TxRxSession?
    private var isBusy = false
    private var hasEnded = false
    private var lacksReply = false
    private var failure: CommandFailure?

    init(_ link: SerialLink, _ messages: SerialMessages, _ ending: Ending, _ command: SerialCommand) throws {
        self.link = link
        self.messages = messages
        self.ending = ending
        timeouts = command.timeouts
        lineEnd = command.lineEnd
        isHexadecimal = command.hex
        replyEnd = command.isLastLine.map { ReplyEnd($0) }
        input = try SerialInput.open()
        output = try OutputQueue()
        // From the first stream on.
        link.user = { [weak self] in self?.opened($0) }
    }

    func start() {
        input.hasRoom = { [weak self] in self?.commands.isEmpty == true && self?.isBusy == false }
        input.receiveHandler = { [weak self] bytes in
            guard let self else { return }
            self.enqueue(self.lines.append(bytes))
        }
        input.endHandler = { [weak self] in self?.inputEnded() }
        output.failureHandler = { [ending] in ending.end($0) }
        input.resume()
    }

    func close() {
        input.close()
    }

    func flush() async {
        await output.flush()
    }

    // MARK: The stream

    private func opened(_ service: SerialService) {
        let end = lineEnd.map { String(decoding: $0.bytes, as: UTF8.self) } ?? service.profile.terminator
        let session = TxRxSession(service, terminator: end, timeouts: timeouts)
        if let replyEnd { session.replyEnd = { replyEnd.length($0, isPause: $1) } }
        session.eventHandler = { [weak self, weak service] event in self?.handle(event, service) }
        self.session = session
    }

    private func handle(_ event: TxRxSession.Event, _ service: SerialService?) {
        switch event {
        case .sent(let command):
            messages.sent(command)
            if SerialInput.isTerminal { messages.report("Sent: \(command.count) bytes") }
        case .received(let reply):
            messages.received(reply)
            if !output.write(shown(reply)) {
                output.abandon()
                ending.end(CommandFailure(.inputOutput, "The output is not read: more than 1 MiB waits"))
            }
        case .unsolicited(let data):
            messages.received(data)
            // The rest of a line end is not reported.
            if data.contains(where: { $0 > 0x20 }) { Progress.report("Not a reply: \(text(of: data))") }
        case .receiveFailed: lacksReply = true
        // `run` reports them, with the command.
        case .sendFailed, .sendTimedOut: break
        case .ended(let error): link.ended(service, error)
        }
    }

    /// Each reply is printed on a separate line.
    private func shown(_ reply: Data) -> Data {
        var view = SerialView(isTerminal ? .text : .bytes)
        var text = isHexadecimal ? Data(ValueFormat.hex(reply).utf8) : view.show(reply) + view.finish()
        if text.last != UInt8(ascii: "\n") { text.append(UInt8(ascii: "\n")) }
        return text
    }

    private func text(of data: Data) -> String {
        guard !isHexadecimal else { return ValueFormat.hex(data) }
        let text = String(decoding: data, as: UTF8.self)
        return String(text.drop(while: \.isNewline).reversed().drop(while: \.isNewline).reversed())
    }

    // MARK: Commands

    private func enqueue(_ lines: [[UInt8]]) {
        // Empty lines are not sent.
        commands += lines.filter { !$0.isEmpty }
        next()
    }

    private func inputEnded() {
        hasEnded = true
        enqueue(lines.finish().map { [$0] } ?? [])
    }

    private func next() {
        guard !isBusy else { return }
        guard !commands.isEmpty else {
            if hasEnded { ending.end(SerialInput.isTerminal ? nil : failure) } else { input.resume() }
            return
        }
        let command = Data(commands.removeFirst())
        isBusy = true
        Task { [weak self] in await self?.run(command) }
    }

    private func run(_ command: Data) async {
        await link.whenOpen()
        lacksReply = false
        replyEnd?.begin()
        do throws(BluetoothError) {
            _ = try await session?.send(command)
        } catch {
            let isWaitingForEnd = lacksReply && session?.terminator.isEmpty == true
            messages.report(
                "\(text(of: command)): \(error)"
                    + (isWaitingForEnd ? "; if the device waits for the end of a line, give --line-end" : ""))
            failure = CommandFailure(ExitStatus(error), "A command got no response")
        }
        isBusy = false
        next()
    }
}
