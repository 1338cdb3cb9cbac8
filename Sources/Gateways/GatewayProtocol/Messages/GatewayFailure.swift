import BlueZDBus
import BlueZJSONLine

/// The reason why a gateway did not perform a request.
package struct GatewayFailure: Error, JSONObject, Hashable {
    package enum Code: String, CaseIterable, Sendable {
        /// bluetoothd refused the request or failed, with the error `name` and `text`.
        case bluez
        /// Another client has a lease on the device.
        case leased
        /// The deadline has passed. This delivery was not performed.
        case expired
        /// There is no such link.
        case notConnected
        /// A limit is reached, such as that of requests per second, identifiers or links. This delivery was not
        /// performed.
        case busy
        /// The request is for another instance of the gateway, for example before it restarted.
        case instance
        /// The request is malformed.
        case malformed
        /// The request has another protocol version.
        case version
        /// The gateway's configuration does not allow this device.
        case notAllowed
        /// Whether the request was performed is unknown.
        case unknown
    }

    package var code: Code
    /// The name of the D-Bus error, such as org.bluez.Error.Failed.
    package var name: String?
    /// The message.
    package var text: String

    /// Creates a failure. Text of more than 512 bytes is truncated.
    package init(_ code: Code, name: String? = nil, text: String) {
        self.code = code
        self.name = name
        self.text = text.prefix(bytes: Self.textLimit)
    }

    package init() { self.init(.bluez, text: "") }

    package mutating func code(_ keys: inout JSONKeys) {
        keys.add("code", required: &code, .choice())
        // A client passes the name on to a bus, which disconnects a program that sends an invalid one.
        keys.add(
            "name", &name,
            .text(limit: 255).checked { name in
                (try? Names.check(errorName: name)) == nil ? "It is not the name of a D-Bus error" : nil
            })
        keys.add("text", orElse: &text, .text(limit: Self.textLimit))
    }

    private static let textLimit = 512
}
