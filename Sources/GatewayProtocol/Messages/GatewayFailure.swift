import DBus

/// Why a gateway did not carry out a request.
package struct GatewayFailure: Error, Codable, Hashable, Sendable {
    package enum Code: String, Codable, Hashable, Sendable {
        /// bluetoothd refused it or failed, with the error `name` and `text`.
        case bluez
        /// Another client has a lease on the device.
        case leased
        /// The deadline has passed. This delivery was not carried out.
        case expired
        /// There is no such link.
        case notConnected
        /// A limit is reached: of requests per second, of identifiers, of links. This delivery was not carried out.
        case busy
        /// The request is for another instance of the gateway, for example before it restarted.
        case instance
        /// The request is malformed.
        case malformed
        /// The request has another protocol version.
        case version
        /// The gateway's configuration does not allow this device.
        case notAllowed
        /// Whether it was carried out is not known.
        case unknown
    }

    package var code: Code
    /// The name of the D-Bus error, such as org.bluez.Error.Failed.
    package var name: String?
    /// The message.
    package var text: String

    /// Makes a failure. Text over 512 bytes is cut.
    package init(_ code: Code, name: String? = nil, text: String) {
        self.code = code
        self.name = name
        self.text = text.prefix(bytes: Self.textLimit)
    }

    private enum CodingKeys: String, CodingKey {
        case code, name, text
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        code = try container.decode(Code.self, forKey: .code)
        name = try container.text(.name, limit: 255)
        text = try container.text(.text, limit: Self.textLimit) ?? ""
        // A client passes the name on to a bus, which ends the connection of whoever sends another.
        guard let name, (try? Names.check(errorName: name)) == nil else { return }
        throw container.corrupted(.name, "the name of a D-Bus error is expected")
    }

    private static let textLimit = 512
}
