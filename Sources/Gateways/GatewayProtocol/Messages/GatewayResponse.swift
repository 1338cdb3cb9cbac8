/// A gateway's response. Its MQTT correlation data is the request's identifier.
///
/// The result's type depends on the request. Decode a response to an unknown request as `GatewayResponse<EmptyResult>`,
/// which accepts every result.
package struct GatewayResponse<Value: Codable & Hashable & Sendable>: GatewayMessage {
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

    private enum CodingKeys: String, CodingKey {
        case version, id, instance, now, result, error
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        version = try container.decode(Int.self, forKey: .version)
        id = try container.decode(Identifier.self, forKey: .id)
        instance = try container.decode(Identifier.self, forKey: .instance)
        now = try container.decode(UInt64.self, forKey: .now)
        if let failure = try container.decodeIfPresent(GatewayFailure.self, forKey: .error) {
            outcome = .failure(failure)
        } else {
            outcome = .success(try container.decode(Value.self, forKey: .result))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(version, forKey: .version)
        try container.encode(id, forKey: .id)
        try container.encode(instance, forKey: .instance)
        try container.encode(now, forKey: .now)
        switch outcome {
        case .success(let value): try container.encode(value, forKey: .result)
        case .failure(let failure): try container.encode(failure, forKey: .error)
        }
    }
}
