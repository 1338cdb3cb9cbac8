/// The reply to a pairing question. Answer once, now or later, and keep the reply while the user decides. Further
/// answers, and answers after the question was withdrawn, have no effect. A reply that is released without an answer
/// refuses.
///
/// bluetoothd waits one minute for an answer (src/agent.c: REQUEST_TIMEOUT), and the peer 30 s.
@BluetoothActor public final class PairingReply<Answer> {
    /// Called if the question is withdrawn before it is answered. Close the dialogue.
    public var withdrawHandler: (@BluetoothActor () -> Void)?

    private var finish: (@BluetoothActor (Answer?) -> Void)?

    init(_ finish: @escaping @BluetoothActor (Answer?) -> Void) {
        self.finish = finish
    }

    isolated deinit { answer(nil) }

    /// Whether the question is still open: not answered, and not withdrawn.
    public var isPending: Bool { finish != nil }

    /// Accepts, and passes on the user's answer.
    public func accept(_ answer: Answer) { self.answer(answer) }

    /// Refuses. Pairing then fails with `insufficientSecurity`, or the device may not use the service.
    public func reject() { answer(nil) }

    /// Withdraws the question. An answer then has no effect.
    func withdraw() {
        guard finish != nil else { return }
        finish = nil
        withdrawHandler?()
    }

    private func answer(_ answer: Answer?) {
        guard let finish = self.finish.take() else { return }
        finish(answer)
    }
}

extension PairingReply where Answer == Void {
    /// Accepts a question that needs no value, such as whether two numbers are equal.
    public func accept() { accept(()) }
}
