import CoreBlueZ

/// Reports the end of a stream to its handlers.
@BluetoothActor final class StreamEnd {
    typealias Handler = @BluetoothActor (BluetoothError?) -> Void

    /// Called once for each end.
    var handler: Handler? { didSet { reportSoon() } }
    /// Called with the end of the stream whose bytes a receive handler takes.
    var receiverHandler: Handler? { didSet { reportSoon() } }
    /// Whether bytes that arrived before the end are still being taken.
    private let isTaking: @BluetoothActor () -> Bool
    /// The end of the last opening, until the next opening begins.
    private var ending: Result<Void, BluetoothError>?
    private var isReported = false

    init(isTaking: @escaping @BluetoothActor () -> Bool) {
        self.isTaking = isTaking
    }

    /// When the stream is released, this ends the code that waits for its bytes.
    isolated deinit {
        if ending == nil { receiverHandler?(nil) }
    }

    /// Notes that the stream has ended.
    func end(_ error: BluetoothError?) {
        ending = Result(failure: error)
        isReported = false
        reportSoon()
    }

    /// Prepares for another opening. Handlers that exist now get the end of the last opening before anything of the
    /// next one. Later handlers do not.
    func reset() {
        guard let ending else { return }
        let handlers = [receiverHandler, isReported ? nil : handler]
        receiverHandler = nil
        self.ending = nil
        BluetoothActor.perform {
            for handler in handlers { handler?(ending.failure) }
        }
    }

    /// Reports the end later, after the call that caused it has returned.
    private func reportSoon() {
        guard ending != nil, receiverHandler != nil || (handler != nil && !isReported) else { return }
        BluetoothActor.perform { [self] in report() }
    }

    private func report() {
        guard let ending else { return }
        if isTaking() { return reportSoon() }
        if let receiverHandler {
            self.receiverHandler = nil
            receiverHandler(ending.failure)
        }
        // The receiver's handler may have opened the stream again.
        guard self.ending != nil, !isReported, let handler else { return }
        isReported = true
        handler(ending.failure)
    }
}
