import BlueZJSONLine

/// A gateway's response. Its MQTT correlation data is the request's identifier.
///
/// The result's type depends on the request. Read a response to an unknown request as `GatewayResponse<EmptyResult>`,
/// which accepts every result.
package struct GatewayResponse<Value: JSONObject & Hashable>: GatewayMessage {
    /// A table of services is much larger than any other result.
    package static var limit: Int { GatewayLimits.packet - 1024 }

    package var version = Topics.version
    package var id: Identifier
    package var instance: Identifier
    /// The gateway's clock, in milliseconds since its start.
    package var now: UInt64
    package var outcome: Result<Value, GatewayFailure>

    package init(id: Identifier, instance: Identifier, now: UInt64, outcome: Result<Value, GatewayFailure>) {
        self.id = id
        self.instance = instance
        self.now = now
        self.outcome = outcome
    }

    package init() { self.init(id: .unread, instance: .unread, now: 0, outcome: .success(Value())) }

    package mutating func code(_ keys: inout JSONKeys) {
        keys.add("version", required: &version, .number())
        keys.add("id", required: &id, .identifier)
        keys.add("instance", required: &instance, .identifier)
        keys.add("now", required: &now, .number())
        var (failure, result): (GatewayFailure?, Value?) = (nil, nil)
        switch outcome {
        case .success(let value): result = value
        case .failure(let error): failure = error
        }
        keys.add("error", &failure, .object("a failure"))
        if let failure { return outcome = .failure(failure) }
        var value = result ?? Value()
        keys.add("result", required: &value, .object("a result"))
        outcome = .success(value)
    }
}
