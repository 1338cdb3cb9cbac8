import BlueZValues

/// A central's read or write of an attribute that something else answers, at the latest when its time is up.
@BlueZServerActor final class LocalRequest {
    enum Kind {
        case read
        case write
        case command
        case prepare
        case execute
    }

    typealias Completion = @BlueZServerActor (Result<[UInt8], ATTError>) -> Void

    let kind: Kind
    let offset: UInt16
    let value: [UInt8]
    /// The link on which the request came.
    let server: DatabaseServer
    private var completion: Completion?
    private var timer: BlueZServerActor.ScheduledCall?

    init(
        _ kind: Kind, offset: UInt16 = 0, value: [UInt8] = [], on server: DatabaseServer,
        completion: @escaping Completion
    ) {
        self.kind = kind
        self.offset = offset
        self.value = value
        self.server = server
        self.completion = completion
    }

    /// Limits the time for the response. bluetoothd then responds with an unlikely error (src/shared/gatt-db.c:
    /// read_timeout, src/shared/att.c: att_ecode_from_error).
    func limit(to timeout: Duration) {
        guard completion != nil else { return }
        timer = BlueZServerActor.schedule(after: timeout) { [weak self] in self?.finish(.failure(.unlikelyError)) }
    }

    /// Responds, unless there was a response.
    func finish(_ result: Result<[UInt8], ATTError>) {
        let completion = self.completion.take()
        timer?.cancel()
        timer = nil
        completion?(result)
    }
}
