import BlueZServer
import DBus
import GatewayProtocol

/// A request to a gateway, until it is answered, cancelled or over.
@BlueZServerActor final class PendingRequest: Cancellable {
    /// What every response has, and how to go on with this one.
    struct Response {
        var instance: Identifier
        var now: UInt64
        var complete: @BlueZServerActor () -> Void
    }

    let id = Identifier.random()
    let operation: GatewayOperation
    let deadline: BootInstant
    /// Its place among those that were sent; nil before. One that was not published keeps it.
    private(set) var number: Int?
    /// Whether it is on its way.
    private(set) var isSent = false
    var timer: ScheduledCall?
    /// Whether somebody still wants the result.
    private(set) var isWanted = true
    private let read: @BlueZServerActor (PendingRequest, [UInt8]) throws(MessageError) -> Response
    private let fail: @BlueZServerActor (RequestFailure) -> Void
    private let cancelled: @BlueZServerActor (PendingRequest) -> Void

    init<Value: Codable & Hashable & Sendable>(
        _ operation: GatewayOperation, deadline: BootInstant,
        completion: @escaping @BlueZServerActor (Result<Value, RequestFailure>) -> Void,
        unwanted: @escaping @BlueZServerActor (Value) -> Void,
        cancelled: @escaping @BlueZServerActor (PendingRequest) -> Void
    ) {
        self.operation = operation
        self.deadline = deadline
        self.cancelled = cancelled
        fail = { completion(.failure($0)) }
        read = { (request, payload) throws(MessageError) in
            let response = try GatewayResponse<Value>(payload: payload)
            guard response.id == request.id else { throw MessageError("The response is for another request") }
            return Response(instance: response.instance, now: response.now) {
                guard request.isWanted else {
                    if case .success(let value) = response.outcome { unwanted(value) }
                    return
                }
                request.isWanted = false
                completion(response.outcome.mapError { .refused($0) })
            }
        }
    }

    func send(as number: Int) {
        self.number = number
        isSent = true
    }

    /// It was not published.
    func takeBack() { isSent = false }

    /// Reads a response; nothing happens until `complete` is called.
    func response(_ payload: [UInt8]) throws(MessageError) -> Response { try read(self, payload) }

    /// Ends it, if nobody has.
    func end(_ failure: RequestFailure) {
        timer?.cancel()
        guard isWanted else { return }
        isWanted = false
        fail(failure)
    }

    /// Nobody wants the result. If it has not been sent, it is not sent.
    func cancel() {
        guard isWanted else { return }
        isWanted = false
        cancelled(self)
    }
}
