/// One line from a client of the control channel.
struct ControlRequest: Decodable, Sendable {
    /// A service to add while the peripheral runs.
    struct Service: Decodable, Sendable {
        struct Characteristic: Decodable, Sendable {
            let uuid: String
            let properties: [String]
            let value: String?
        }

        let uuid: String
        let characteristics: [Characteristic]?
    }

    /// A part of a value that a central prepares.
    struct Part: Decodable, Sendable {
        let offset: Int?
        let value: String
    }

    let verb: String
    let peer: String?
    let char: String?
    let value: String?
    let uuid: String?
    let op: String?
    let isOn: Bool?
    let isNumbered: Bool?
    let count: Int?
    let interval: Double?
    let delay: Double?
    let code: Int?
    let service: Service?
    let inputOutput: String?
    let accepts: Bool?
    let confirms: Bool?
    let hasSecureConnections: Bool?
    let wantsAuthentication: Bool?
    let bonds: Bool?
    let passkey: Int?
    let address: String?
    let mtu: Int?
    let handle: Int?
    let offset: Int?
    let isLong: Bool?
    let wantsResponse: Bool?
    let parts: [Part]?
    let executes: Bool?
    let kind: String?
    let clears: Bool?

    enum CodingKeys: String, CodingKey {
        case verb = "do"
        case peer, char, value, uuid, op, count, service, passkey, address, mtu, handle, offset, parts, kind
        case isLong = "long"
        case wantsResponse = "response"
        case executes = "execute"
        case clears = "clear"
        case inputOutput = "io"
        case accepts = "accept"
        case confirms = "compare"
        case hasSecureConnections = "sc"
        case wantsAuthentication = "mitm"
        case bonds = "bonding"
        case isOn = "on"
        case isNumbered = "number"
        case interval = "every_ms"
        case delay = "ms"
        case code = "att"
    }
}

/// The part of a request that its response repeats, even if the rest cannot be understood.
struct ControlIdentifier: Decodable {
    let id: JSONScalar?
}
