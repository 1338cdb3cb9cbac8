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

    enum CodingKeys: String, CodingKey {
        case verb = "do"
        case peer, char, value, uuid, op, count, service, passkey
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
