/// A central's request to read or write an attribute. Respond once, now or later. Further responses are dropped.
@SimulatorActor public final class AttributeRequest {
    /// A kind of request.
    public enum Kind: Hashable, Sendable {
        /// A read request.
        case read
        /// A write with a response, possibly in several parts.
        case write
        /// A write without a response, whose errors are not reported.
        case command
    }

    /// Whether the central reads, writes with a response, or writes without one.
    public let kind: Kind
    private var completion: (@SimulatorActor (ATTResult) -> Void)?

    init(_ kind: Kind, completion: @escaping @SimulatorActor (ATTResult) -> Void) {
        self.kind = kind
        self.completion = completion
    }

    /// Responds to a read with its value. Call it without an argument to respond to a write. At most 512 bytes are
    /// sent.
    public func respond(with value: [UInt8] = []) {
        finish(.success(Array(value.prefix(512))))
    }

    /// Responds with an error.
    public func fail(_ error: ATTError) {
        finish(.failure(error))
    }

    private func finish(_ result: ATTResult) {
        completion.take()?(result)
    }
}
