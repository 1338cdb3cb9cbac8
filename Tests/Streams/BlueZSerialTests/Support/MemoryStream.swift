import BlueZSerial
import CoreBlueZ
import FoundationEssentials

/// A byte stream whose peer is the test.
@BluetoothActor final class MemoryStream: ByteStream {
    let title = "the memory"
    private(set) var isOpen = true
    /// What was sent, and not taken back.
    private(set) var sent: [Data] = []
    /// Whether sends wait to be confirmed by `confirmSends`.
    var holdsSends = false
    /// Whether sends wait even to be handed over.
    var holdsHandingOver = false
    /// What sending fails with.
    var sendError: BluetoothError?
    /// Called with what is sent, soon.
    var answer: (@BluetoothActor (Data) -> Void)?
    private var held: [Send] = []
    private var waiting: [Data] = []
    private var ending: Result<Void, BluetoothError>?
    private var lastEnd: Result<Void, BluetoothError>?
    private(set) var receiverChanges = 0

    var receiveHandler: (@BluetoothActor (Data) -> Void)? {
        didSet {
            receiverChanges += 1
            BluetoothActor.perform { [weak self] in self?.deliver() }
        }
    }
    var receiverEndHandler: (@BluetoothActor (BluetoothError?) -> Void)? {
        didSet { BluetoothActor.perform { [weak self] in self?.reportEndToReceiver() } }
    }
    var endHandler: (@BluetoothActor (BluetoothError?) -> Void)? {
        didSet { BluetoothActor.perform { [weak self] in self?.reportEnd() } }
    }

    @BluetoothActor final class Send: SendRequest {
        var completion: (@BluetoothActor (BluetoothError?) -> Void)?
        var isConfirmedByReply = false

        init(_ completion: @escaping @BluetoothActor (BluetoothError?) -> Void) {
            self.completion = completion
        }

        func finish(_ error: BluetoothError?) {
            let completion = completion
            self.completion = nil
            completion?(error)
        }

        func cancel() { finish(BluetoothError(.cancelled, "cancelled")) }

        func confirm() { isConfirmedByReply = true }
    }

    /// The last request to send.
    private(set) var lastSend: Send?

    func send(
        _ bytes: Data,
        handedOver: @escaping @BluetoothActor () -> Void,
        completion: @escaping @BluetoothActor (BluetoothError?) -> Void
    ) -> any SendRequest {
        let send = Send(completion)
        lastSend = send
        if holdsHandingOver {
            held.append(send)
            return send
        }
        BluetoothActor.perform { [self] in
            guard send.completion != nil else { return }
            if let sendError { return send.finish(sendError) }
            handedOver()
            sent.append(bytes)
            answer?(bytes)
            if holdsSends { held.append(send) } else { send.finish(nil) }
        }
        return send
    }

    func confirmSends() {
        let sends = held
        held = []
        for send in sends { send.finish(nil) }
    }

    /// Lets bytes arrive.
    func arrive(_ bytes: Data) {
        waiting.append(bytes)
        deliver()
    }

    /// Ends the stream from the peer's side.
    func end(_ error: BluetoothError? = BluetoothError(.disconnected, "The link was lost")) {
        guard isOpen else { return }
        isOpen = false
        ending = Result(failure: error)
        lastEnd = ending
        let sends = held
        held = []
        for send in sends { send.finish(error ?? BluetoothError(.cancelled, "closed")) }
        reportEnd()
    }

    func close() { end(nil) }

    /// How many bytes wait for a handler.
    var waitingCount: Int { waiting.reduce(0) { $0 + $1.count } }

    private func deliver() {
        while let receiveHandler, !waiting.isEmpty { receiveHandler(waiting.removeFirst()) }
    }

    private func reportEndToReceiver() {
        guard let lastEnd, let receiverEndHandler else { return }
        self.receiverEndHandler = nil
        receiverEndHandler(lastEnd.failure)
    }

    private func reportEnd() {
        reportEndToReceiver()
        guard let ending, let endHandler else { return }
        self.ending = nil
        endHandler(ending.failure)
    }
}

extension Result where Success == Void, Failure == BluetoothError {
    var failure: BluetoothError? {
        if case .failure(let error) = self { error } else { nil }
    }
}
