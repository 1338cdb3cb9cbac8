import FoundationEssentials

/// A message of the protocol: a JSON object of a bounded size.
///
/// Unknown keys are ignored. Wrong types, wrong formats and values over the limits are errors.
package protocol GatewayMessage: Codable, Hashable, Sendable {
    /// The largest size, in bytes of JSON.
    static var limit: Int { get }
}

/// The reason why a message cannot be used.
package struct MessageError: Error, Hashable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}

extension GatewayMessage {
    /// Creates a message from its JSON.
    ///
    /// - Throws: `MessageError` if the message is too large or malformed.
    package init(payload: [UInt8]) throws(MessageError) {
        guard payload.count <= Self.limit else {
            throw MessageError("The message has \(payload.count) bytes; at most \(Self.limit) are allowed")
        }
        do {
            self = try JSONDecoder().decode(Self.self, from: Data(payload))
        } catch let error as DecodingError {
            throw MessageError(error.summary)
        } catch {
            throw MessageError("The message is not valid JSON")
        }
    }

    /// Returns the message as JSON with sorted keys.
    ///
    /// - Throws: `MessageError` if the message is larger than its limit, or contains a number that JSON cannot
    ///   represent.
    package func payload() throws(MessageError) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let data: Data
        do {
            data = try encoder.encode(self)
        } catch {
            throw MessageError("The message contains a value that JSON does not have")
        }
        guard data.count <= Self.limit else {
            throw MessageError("The message would have \(data.count) bytes; at most \(Self.limit) are allowed")
        }
        return [UInt8](data)
    }
}

extension DecodingError {
    /// One line without any received content.
    fileprivate var summary: String {
        switch self {
        case .dataCorrupted(let context) where context.codingPath.isEmpty: "The message is not valid JSON"
        case .dataCorrupted(let context): "\(context.place) is malformed"
        case .keyNotFound(let key, _): "\"\(key.stringValue)\" is missing"
        case .typeMismatch(_, let context): "\(context.place) has the wrong type"
        case .valueNotFound(_, let context): "\(context.place) is null"
        @unknown default: "The message is malformed"
        }
    }
}

extension DecodingError.Context {
    fileprivate var place: String {
        codingPath.isEmpty ? "The message" : "\"" + codingPath.map(\.stringValue).joined(separator: ".") + "\""
    }
}
