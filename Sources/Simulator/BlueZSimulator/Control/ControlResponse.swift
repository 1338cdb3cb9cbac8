/// One response line of the control channel.
struct ControlResponse: Encodable, Sendable {
    struct Peer: Encodable, Sendable {
        let peer: String
        let address: String
        let addressType: String
        let name: String

        enum CodingKeys: String, CodingKey {
            case peer, address, name
            case addressType = "address_type"
        }
    }

    struct Entry: Encodable, Sendable {
        let op: String
        let char: String
        let value: String
    }

    /// A service that the central found.
    struct Service: Encodable, Sendable {
        let uuid: String
        let handle: UInt16
        let primary: Bool
        let includes: [UInt16]
        let characteristics: [Characteristic]
    }

    /// A characteristic that the central found, with the handle of its value.
    struct Characteristic: Encodable, Sendable {
        let uuid: String
        let handle: UInt16
        let properties: UInt16
        let descriptors: [Descriptor]
    }

    /// A descriptor that the central found.
    struct Descriptor: Encodable, Sendable {
        let uuid: String
        let handle: UInt16
    }

    /// An advertisement that the central heard.
    struct Advertisement: Encodable, Sendable {
        let address: String
        let addressType: String
        let connectable: Bool
        let data: String
        let scanResponse: String

        enum CodingKeys: String, CodingKey {
            case address, connectable, data
            case addressType = "address_type"
            case scanResponse = "scan_response"
        }
    }

    /// A value that the central received.
    struct Update: Encodable, Sendable {
        let char: String
        let value: String
        let kind: String
    }

    var id = JSONScalar.null
    var ok = true
    var error: String?
    var side: String?
    var capabilities: [String]?
    var peers: [Peer]?
    var entries: [Entry]?
    var sent: Int?
    var links: Int?
    var asked: Bool?
    var shown: UInt32?
    var compared: UInt32?
    var failure: String?
    var bonds: Int?
    var encrypted: Bool?
    var sc: Bool?
    var authenticated: Bool?
    var advertisements: [Advertisement]?
    var mtu: Int?
    var services: [Service]?
    var value: String?
    var att: UInt8?
    var values: [Update]?
    var paired: Bool?
    var connected: Bool?

    static func failure(_ text: String) -> ControlResponse { ControlResponse(ok: false, error: text) }
}

/// The reason for refusing a request.
struct ControlRefusal: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
