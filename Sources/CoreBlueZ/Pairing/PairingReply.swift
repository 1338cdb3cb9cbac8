/// The answer that a question of pairing waits for. It is given once, now or later: keep it for as long as a person
/// needs. What comes after the first answer, or after the question was withdrawn, does nothing. A reply that everybody
/// lets go of without an answer refuses.
///
/// bluetoothd waits a minute (src/agent.c: REQUEST_TIMEOUT), and the peer for 30 s of silence.
@BluetoothActor public final class PairingReply<Answer> {
    /// Called where the question is withdrawn before it was answered: the dialogue can be closed.
    public var withdrawHandler: (@BluetoothActor () -> Void)?

    private var finish: (@BluetoothActor (Answer?) -> Void)?

    init(_ finish: @escaping @BluetoothActor (Answer?) -> Void) {
        self.finish = finish
    }

    isolated deinit { answer(nil) }

    /// Whether an answer is still wanted.
    public var isPending: Bool { finish != nil }

    /// Answers.
    public func accept(_ answer: Answer) { self.answer(answer) }

    /// Refuses: the pairing fails.
    public func reject() { answer(nil) }

    /// Nobody waits any more.
    func withdraw() {
        guard finish != nil else { return }
        finish = nil
        withdrawHandler?()
    }

    private func answer(_ answer: Answer?) {
        guard let finish else { return }
        self.finish = nil
        finish(answer)
    }
}

extension PairingReply where Answer == Void {
    /// Says yes.
    public func accept() { accept(()) }
}
