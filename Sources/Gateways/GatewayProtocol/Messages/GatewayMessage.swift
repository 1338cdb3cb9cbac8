import BlueZJSONLine

/// A message of the protocol: a JSON object of a bounded size.
///
/// Unknown keys are ignored. Wrong types, wrong formats and values over the limits are errors.
package protocol GatewayMessage: JSONObject, Hashable {
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
    /// - Throws: `MessageError` if the message is too large or malformed. It quotes nothing of it.
    package init(payload: [UInt8]) throws(MessageError) {
        guard payload.count <= Self.limit else {
            throw MessageError("The message has \(payload.count) bytes; at most \(Self.limit) are allowed")
        }
        do throws(FileError) {
            let nodes = try JSONParser.values(in: payload)
            guard let node = nodes.first, nodes.count == 1 else { throw FileError(1, "") }
            try self.init(node, "the message")
        } catch {
            let path = [error.path, error.missing ?? ""].filter { !$0.isEmpty }.joined(separator: ".")
            let place = path.isEmpty ? "The message" : "\"\(path)\""
            throw MessageError("\(place) is \(error.missing == nil ? "malformed" : "missing")")
        }
    }

    /// Returns the message as JSON.
    ///
    /// - Throws: `MessageError` if the message is larger than its limit.
    package func payload() throws(MessageError) -> [UInt8] {
        var output = JSONOutput()
        write(to: &output)
        guard output.bytes.count <= Self.limit else {
            throw MessageError("The message would have \(output.bytes.count) bytes; at most \(Self.limit) are allowed")
        }
        return output.bytes
    }
}
