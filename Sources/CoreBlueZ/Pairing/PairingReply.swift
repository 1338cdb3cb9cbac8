/// Takes the answer to a pairing question. Answer once, now or later: keep the reply while the user decides. Anything
/// after the first answer, or after the question was withdrawn, has no effect. A reply that is released without an
/// answer refuses.
///
/// bluetoothd waits for one minute (src/agent.c: REQUEST_TIMEOUT), the peer for 30 s.
@BluetoothActor public final class PairingReply<Answer> {
    /// Called if the question is withdrawn before it was answered: close the dialogue.
    public var withdrawHandler: (@BluetoothActor () -> Void)?

    private var finish: (@BluetoothActor (Answer?) -> Void)?

    init(_ finish: @escaping @BluetoothActor (Answer?) -> Void) {
        self.finish = finish
    }

    isolated deinit { answer(nil) }

    /// Whether an answer is still wanted.
    public var isPending: Bool { finish != nil }

    /// Accepts with an answer.
    public func accept(_ answer: Answer) { self.answer(answer) }

    /// Refuses: the pairing fails.
    public func reject() { answer(nil) }

    /// The question is withdrawn: an answer no longer has any effect.
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
    /// Accepts.
    public func accept() { accept(()) }
}
