/// A central's request to read or write an attribute. Respond once, now or later; further responses are dropped.
@SimulatorActor public final class AttributeRequest {
    /// How a value is written.
    public enum Kind: Hashable, Sendable {
        /// A read.
        case read
        /// A write with response, possibly in several parts.
        case write
        /// A write without response: errors are not reported.
        case command
    }

    /// The kind of request.
    public let kind: Kind
    private var completion: (@SimulatorActor (ATTResult) -> Void)?

    init(_ kind: Kind, completion: @escaping @SimulatorActor (ATTResult) -> Void) {
        self.kind = kind
        self.completion = completion
    }

    /// Responds to a read with its value, to a write without arguments. At most 512 bytes are sent.
    public func respond(with value: [UInt8] = []) {
        finish(.success(Array(value.prefix(512))))
    }

    /// Responds with an error.
    public func fail(_ error: ATTError) {
        finish(.failure(error))
    }

    private func finish(_ result: ATTResult) {
        let completion = completion
        self.completion = nil
        completion?(result)
    }
}
