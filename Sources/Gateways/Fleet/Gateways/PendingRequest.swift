import BlueZDBus
import BlueZJSONLine
import BlueZServer
import GatewayProtocol

/// A request to a gateway, until it has a response, is cancelled or times out.
@BlueZServerActor final class PendingRequest: RadioOperation {
    /// The common part of all responses, with a closure to complete this request.
    struct Response {
        var instance: Identifier
        var now: UInt64
        var complete: @BlueZServerActor () -> Void
    }

    let id = Identifier.random()
    let operation: GatewayOperation
    let deadline: BootInstant
    /// The request's position in the order of sending; nil until it is sent. A request that was not published keeps it.
    private(set) var number: Int?
    /// Whether it has been sent.
    private(set) var isSent = false
    var timer: BlueZServerActor.ScheduledCall?
    /// Whether the result is still wanted.
    private(set) var isWanted = true
    private let read: @BlueZServerActor (PendingRequest, [UInt8]) throws(MessageError) -> Response
    private let fail: @BlueZServerActor (RequestFailure) -> Void
    private let cancelled: @BlueZServerActor (PendingRequest) -> Void

    init<Value: JSONObject & Hashable>(
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

    /// Notes that the request was not published.
    func takeBack() { isSent = false }

    /// Reads a response; nothing happens until `complete` is called.
    func response(_ payload: [UInt8]) throws(MessageError) -> Response { try read(self, payload) }

    /// Ends the request, unless it has ended.
    func end(_ failure: RequestFailure) {
        timer?.cancel()
        guard isWanted else { return }
        isWanted = false
        fail(failure)
    }

    /// Cancels the request, whose result is no longer wanted. If it has not been sent, it is not sent.
    func cancel() {
        guard isWanted else { return }
        isWanted = false
        cancelled(self)
    }
}
