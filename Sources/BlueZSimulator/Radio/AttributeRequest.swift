/// A central's request to read or write an attribute. It is answered once, now or later; further answers are dropped.
@SimulatorActor public final class AttributeRequest {
    /// How a value is written.
    public enum Kind: Hashable, Sendable {
        /// A read.
        case read
        /// A write with response, possibly in several parts.
        case write
        /// A write without response: an error is not reported to anybody.
        case command
    }

    /// The kind of request.
    public let kind: Kind
    private var completion: (@SimulatorActor (ATTResult) -> Void)?

    init(_ kind: Kind, completion: @escaping @SimulatorActor (ATTResult) -> Void) {
        self.kind = kind
        self.completion = completion
    }

    /// Answers a read with its value, a write with nothing. At most 512 bytes are sent.
    public func answer(_ value: [UInt8] = []) {
        finish(.success(Array(value.prefix(512))))
    }

    /// Answers with an error.
    public func fail(_ error: ATTError) {
        finish(.failure(error))
    }

    private func finish(_ result: ATTResult) {
        let completion = completion
        self.completion = nil
        completion?(result)
    }
}
