import CoreBlueZ
import FoundationEssentials

/// A session of commands and replies on a byte stream, which are separated by time. A reply is complete when nothing
/// more arrives for a while, or where `replyEnd` says.
///
/// There is one command at a time. You can send the next one when the reply has arrived or has timed out. Data that
/// arrive without a command are joined in the same way, and delivered as unsolicited.
///
/// Such a reply does not name its command. A reply that arrives after its timeout is a separate event if no other
/// command was sent in the meantime. Otherwise it is taken for the reply to that command, as in TxRxLibrary. If that
/// must not happen, use an `Exchange` over an `IdleGapFraming`, which delays the next command; see
/// `Exchange.lateReplyWindow`.
@BluetoothActor public final class TxRxSession {
    /// An event of the session.
    public enum Event: Hashable, Sendable {
        /// The device has received a whole command.
        case sent(Data)
        /// A command could not be sent. Part of it may have arrived.
        case sendFailed(BluetoothError)
        /// The device did not confirm a fragment in time. The rest of the command is not sent.
        case sendTimedOut(BluetoothError)
        /// A reply, whole and unchanged.
        case received(Data)
        /// Data that the device sent while no command was waiting for its reply, or before the command was sent.
        case unsolicited(Data)
        /// No reply arrived in time, or the link ended during one.
        case receiveFailed(BluetoothError)
        /// The stream has ended, with the error unless `close` ended it.
        case ended(BluetoothError?)
    }

    /// The stream that carries the commands and replies.
    public let stream: any ByteStream
    /// The bytes appended to each command. They are not removed from replies.
    public var terminator: Data
    /// The timeouts, from the next command on.
    public var timeouts: TxRxTimeouts
    /// A closure that decides where a reply ends. Nil, the default, ends it at the first pause.
    ///
    /// It gets what has arrived since the command was sent, and whether a pause of `timeouts.nextFragment` has
    /// followed. It returns the length of the reply in bytes, or nil if more is expected. `timeouts.firstFragment` is
    /// then the time for the whole reply. At most 1 MiB is kept. Anything longer is unsolicited.
    public var replyEnd: (@BluetoothActor (_ received: Data, _ isPause: Bool) -> Int?)?
    /// Called with all events.
    public var eventHandler: (@BluetoothActor (Event) -> Void)?

    private enum Phase {
        case idle, sending, waiting
    }

    private var phase = Phase.idle
    private var request: (any SendRequest)?
    private var isHandedOver = false
    /// A reply that was complete before the command was confirmed. The confirmation is reported first.
    private var early: Data?
    /// The error of a reply that was due before the command was confirmed. The confirmation is still reported.
    private var missed: BluetoothError?
    /// The number of the current command.
    private var number = 0
    private var completion: (@BluetoothActor (Data?, BluetoothError?) -> Void)?
    private var writeTimer: ScheduledCall?
    private var replyTimer: ScheduledCall?
    private let collector = FragmentCollector()
    private let receiverChanges: Int

    /// Creates a session, which takes over the stream's handlers.
    ///
    /// - Parameters:
    ///   - stream: the stream to the device.
    ///   - terminator: the terminator of commands; see `SerialProfile.terminator`.
    ///   - timeouts: the timeouts of the steps.
    public init(_ stream: any ByteStream, terminator: String = "", timeouts: TxRxTimeouts = TxRxTimeouts()) {
        self.stream = stream
        self.terminator = Data(terminator.utf8)
        self.timeouts = timeouts
        receiverChanges = stream.receiverChanges + 1
        collector.completed = { [weak self] in self?.received($0) }
        stream.receiveHandler = { [weak self] in self?.receive($0) }
        stream.endHandler = { [weak self] in self?.ended($0) }
    }

    isolated deinit {
        // Bytes that arrive from now on wait for the next consumer.
        if stream.receiverChanges == receiverChanges { stream.receiveHandler = nil }
        let error = BluetoothError(.cancelled, "The session with \(stream.title) is gone")
        guard let completion = endRequest() else { return }
        BluetoothActor.perform { completion(nil, error) }
    }

    /// Whether a command is being sent, or is waiting for its reply.
    public var isBusy: Bool { phase != .idle }

    /// Sends a command and waits for the reply. The events report the same as the completion.
    ///
    /// The operation fails with:
    /// - `sendInProgress` or `waitingForReply` if the last command has not ended.
    /// - `emptyData` if there is nothing to send, and `notConnected` if the stream is not open.
    /// - `timedOut` if the device does not confirm a fragment or does not reply in time.
    /// - `cancelled` if the stream is closed, and otherwise the code of the stream's end or of
    ///   `ByteStream.send(_:handedOver:completion:)`.
    ///
    /// A reply that is due does not end the sending. If the device has not confirmed the command by then, the order is
    /// `receiveFailed`, the end of the sending, and the completion.
    ///
    /// - Parameters:
    ///   - command: one byte or more. The terminator is added.
    ///   - completion: gets the reply, or the error.
    public func send(_ command: Data, completion: @escaping @BluetoothActor (Data?, BluetoothError?) -> Void) {
        startSending(command) { result in
            switch result {
            case .success(let reply): completion(reply, nil)
            case .failure(let error): completion(nil, error)
            }
        }
    }

    /// Sends a command and returns the reply; the async form of `send(_:completion:)`. If the task is cancelled, bytes
    /// that have not been sent are withdrawn, and a reply that still arrives is only an event.
    public func send(_ command: Data) async throws(BluetoothError) -> Data {
        try await AsyncBridge.wait { startSending(command, $0) }
    }

    /// Closes the stream.
    public func close() {
        stream.close()
    }

    @discardableResult
    private func startSending(
        _ command: Data, _ completion: @escaping @BluetoothActor (Result<Data, BluetoothError>) -> Void
    ) -> Cancellation {
        if let error = refusal(of: command) {
            BluetoothActor.perform { [self] in
                eventHandler?(.sendFailed(error))
                completion(.failure(error))
            }
            return Cancellation { [self] in abandon(nil, $0) }
        }
        self.completion = { reply, error in
            completion(
                reply.map { .success($0) }
                    ?? .failure(error ?? BluetoothError(.failed, "There is no reply; send the command again")))
        }
        phase = .sending
        number += 1
        let whole = command + terminator
        startWriteTimer()
        let request = stream.send(whole) { [weak self] in
            self?.handedOver()
        } completion: { [weak self] error in
            self?.sent(whole, error)
        }
        request.progressHandler = { [weak self] _ in self?.startWriteTimer() }
        self.request = request
        return Cancellation { [self, number] in abandon(number, $0) }
    }

    private func refusal(of command: Data) -> BluetoothError? {
        if command.isEmpty { return BluetoothError(.emptyData, "There is no data to send to \(stream.title)") }
        if !stream.isOpen { return BluetoothError(.notConnected, "\(stream.title) is not connected") }
        switch phase {
        case .idle: return nil
        case .sending:
            return BluetoothError(
                .sendInProgress, "A command to \(stream.title) is still being sent; wait for its reply")
        case .waiting:
            return BluetoothError(
                .waitingForReply, "The reply of \(stream.title) to the last command has not come yet; wait for it")
        }
    }

    // MARK: Sending

    private func startWriteTimer() {
        writeTimer?.cancel()
        writeTimer = BluetoothActor.after(timeouts.write) { [weak self] in self?.writeTimedOut() }
    }

    private func writeTimedOut() {
        guard phase == .sending else { return }
        let error = BluetoothError(.timedOut, "\(stream.title) confirmed nothing within \(timeouts.write.roundedText)")
        finish(.sendTimedOut(error), error)
    }

    /// Called when the last fragment is being sent, which starts the time for the reply. Data that arrived before are
    /// not part of it.
    private func handedOver() {
        guard phase == .sending else { return }
        collector.complete()
        isHandedOver = true
        replyTimer = BluetoothActor.after(timeouts.firstFragment) { [weak self] in self?.replyTimedOut() }
    }

    private func sent(_ command: Data, _ error: BluetoothError?) {
        guard phase == .sending else { return }
        writeTimer?.cancel()
        if let error { return finish(.sendFailed(error), error) }
        if let missed { return finish(.sent(command), missed) }
        phase = .waiting
        eventHandler?(.sent(command))
        if let early { deliver(early) }
    }

    private func replyTimedOut() {
        guard isBusy else { return }
        let time = timeouts.firstFragment.roundedText
        let count = collector.data.count
        let text =
            count == 0
            ? "No reply of \(stream.title) came within \(time)"
            : "The reply of \(stream.title) did not end within \(time); \(count) bytes of it had come"
        let error = BluetoothError(.timedOut, text)
        guard phase == .sending else { return finish(.receiveFailed(error), error) }
        missed = error
        // Data that arrive from now on are not the reply.
        isHandedOver = false
        eventHandler?(.receiveFailed(error))
        if replyEnd != nil { collector.complete() }
    }

    /// Ends the command without a reply.
    private func finish(_ event: Event, _ error: BluetoothError) {
        let early = early
        let error = missed ?? error
        let completion = endRequest()
        eventHandler?(event)
        completion?(nil, error)
        if let early { eventHandler?(.unsolicited(early)) }
        // Completes data that were kept beyond their pause.
        if replyEnd != nil, !isBusy { collector.complete() }
    }

    private func endRequest() -> (@BluetoothActor (Data?, BluetoothError?) -> Void)? {
        writeTimer?.cancel()
        replyTimer?.cancel()
        let wasSending = phase == .sending
        phase = .idle
        isHandedOver = false
        early = nil
        missed = nil
        let request = self.request.take()
        if wasSending { request?.cancel() }
        return completion.take()
    }

    /// Ends a command whose task was cancelled, but no later one.
    private func abandon(_ number: Int?, _ error: BluetoothError) {
        guard isBusy, self.number == number else { return }
        finish(phase == .sending ? .sendFailed(error) : .receiveFailed(error), error)
    }

    // MARK: Receiving

    private func receive(_ bytes: Data) {
        if isHandedOver, replyEnd == nil { replyTimer?.cancel() }
        collector.append(bytes, gap: timeouts.nextFragment)
        guard isHandedOver, early == nil, let count = replyEnd?(collector.data, false), count > 0 else { return }
        complete(collector.take(count, gap: timeouts.nextFragment))
    }

    /// Called with bytes that are followed by a pause, or that cannot be kept any longer.
    private func received(_ message: Data) {
        guard isHandedOver, early == nil || replyEnd == nil else {
            eventHandler?(.unsolicited(message))
            return
        }
        guard let replyEnd else { return complete(message) }
        guard let count = replyEnd(message, true), count > 0 else {
            if message.count < FragmentCollector.limit {
                collector.takeBack(message)
            } else {
                eventHandler?(.unsolicited(message))
            }
            return
        }
        complete(Data(message.prefix(count)))
        if count < message.count { eventHandler?(.unsolicited(Data(message.dropFirst(count)))) }
    }

    private func complete(_ message: Data) {
        if replyEnd != nil { replyTimer?.cancel() }
        guard phase == .waiting else {
            early = (early ?? Data()) + message
            return
        }
        deliver(message)
    }

    private func deliver(_ message: Data) {
        request?.confirm()
        let completion = endRequest()
        eventHandler?(.received(message))
        completion?(message, nil)
    }

    private func ended(_ error: BluetoothError?) {
        let reason = error ?? BluetoothError(.cancelled, "\(stream.title) was closed")
        if isBusy || !collector.data.isEmpty {
            let text = collector.data.isEmpty ? "no reply came" : "\(collector.data.count) bytes of a reply had come"
            let cut = reason.adding(text)
            finish(phase == .sending ? .sendFailed(cut) : .receiveFailed(cut), cut)
        }
        collector.clear()
        eventHandler?(.ended(error))
    }
}
