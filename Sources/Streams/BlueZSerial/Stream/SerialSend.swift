import CoreBlueZ
import FoundationEssentials

/// The bytes of one call of `send`, while they are sent.
@BluetoothActor final class SerialSend: SendRequest {
    var progressHandler: (@BluetoothActor (Int) -> Void)?
    /// The position in the stream of the first byte; nil until it is handed over.
    private(set) var start: Int?
    private let bytes: Data
    private var taken = 0
    private var done = 0
    private var isCut = false
    private var didHandOver: (@BluetoothActor () -> Void)?
    private var completion: (@BluetoothActor (BluetoothError?) -> Void)?
    private weak var output: SerialOutput?

    init(
        _ bytes: Data,
        _ output: SerialOutput?,
        handedOver: @escaping @BluetoothActor () -> Void,
        completion: @escaping @BluetoothActor (BluetoothError?) -> Void
    ) {
        self.bytes = bytes
        self.output = output
        didHandOver = handedOver
        self.completion = completion
    }

    /// The number of bytes that have not been handed over yet.
    var remaining: Int { isCut ? 0 : bytes.count - taken }

    /// Whether none of its fragments is in progress.
    var isIdle: Bool { taken == done }

    /// Whether the completion has not been called.
    var isPending: Bool { completion != nil }

    /// Returns the next bytes to hand over.
    func next(_ limit: Int, at position: Int) -> Data {
        if start == nil { start = position }
        let from = bytes.startIndex + taken
        let fragment = bytes[from..<from + min(limit, remaining)]
        taken += fragment.count
        return Data(fragment)
    }

    /// Called when a fragment begins to be sent.
    func wasHandedOver() {
        guard remaining == 0, let body = didHandOver else { return }
        didHandOver = nil
        body()
    }

    /// Notes that a fragment has been sent.
    func advance(_ count: Int) {
        done += count
        guard isPending else { return }
        progressHandler?(done)
        if done == bytes.count { finish(nil) }
    }

    /// Ends the request. The error says how many bytes were sent.
    func finish(_ error: BluetoothError?) {
        guard let completion = self.completion.take() else { return }
        didHandOver = nil
        progressHandler = nil
        isCut = true
        guard var error else { return completion(nil) }
        error.message += " (\(done) of \(bytes.count) bytes were sent)"
        completion(error)
    }

    func cancel() {
        guard isPending else { return }
        let unsent = remaining
        finish(BluetoothError(.cancelled, "Sending was cancelled"))
        output?.didCancel(self, unsent: unsent)
    }

    func confirm() {
        guard let start else { return }
        output?.confirm(through: start + taken)
    }
}
