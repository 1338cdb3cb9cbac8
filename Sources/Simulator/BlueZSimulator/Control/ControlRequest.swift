import BlueZJSONLine
import BlueZPrintableText
import FoundationEssentials

/// The members of a line from a client of the control channel, or of an object in it. Those that a verb doesn't use are
/// ignored, and null is the same as none.
struct ControlRequest: Sendable {
    private let members: [String: JSONValue]

    private init(_ members: [String: JSONValue]) { self.members = members }

    /// Reads a line.
    init(_ line: Data) throws(ControlRefusal) {
        do {
            guard case .object(let members) = try JSONDecoder().decode(JSONValue.self, from: line) else {
                throw ControlRefusal("Not a request: wrong type of the line")
            }
            self.init(members)
        } catch let refusal as ControlRefusal {
            throw refusal
        } catch {
            throw ControlRefusal("Not a request: the line is not JSON")
        }
    }

    /// The identifier, which the response repeats as it is: a number, a text, or null.
    var identifier: JSONValue {
        switch members["id"] {
        case .integer, .unsigned, .number, .text: members["id"] ?? .null
        default: .null
        }
    }

    private func member<Value>(_ key: String, _ read: (JSONValue) -> Value?) throws(ControlRefusal) -> Value? {
        guard let member = members[key], member != .null else { return nil }
        guard let value = read(member) else { throw ControlRefusal("Not a request: wrong type of \(key)") }
        return value
    }

    func text(_ key: String) throws(ControlRefusal) -> String? {
        try member(key) { if case .text(let text) = $0 { text } else { nil } }
    }

    func flag(_ key: String) throws(ControlRefusal) -> Bool? {
        try member(key) { if case .boolean(let value) = $0 { value } else { nil } }
    }

    func number(_ key: String) throws(ControlRefusal) -> Double? {
        try member(key) { member in
            switch member {
            case .integer(let number): Double(number)
            case .unsigned(let number): Double(number)
            case .number(let number): number
            default: nil
            }
        }
    }

    func integer(_ key: String) throws(ControlRefusal) -> Int? {
        try member(key) { if case .integer(let number) = $0 { Int(exactly: number) } else { nil } }
    }

    func object(_ key: String) throws(ControlRefusal) -> ControlRequest? {
        try member(key) { if case .object(let members) = $0 { ControlRequest(members) } else { nil } }
    }

    func objects(_ key: String) throws(ControlRefusal) -> [ControlRequest]? {
        try list(key) { if case .object(let members) = $0 { ControlRequest(members) } else { nil } }
    }

    func texts(_ key: String) throws(ControlRefusal) -> [String]? {
        try list(key) { if case .text(let text) = $0 { text } else { nil } }
    }

    private func list<Element>(_ key: String, _ read: (JSONValue) -> Element?) throws(ControlRefusal) -> [Element]? {
        try member(key) { member in
            guard case .list(let values) = member else { return nil }
            let elements = values.compactMap(read)
            return elements.count == values.count ? elements : nil
        }
    }

    /// A UUID.
    func uuid(_ key: String) throws(ControlRefusal) -> BluetoothUUID? {
        guard let text = try text(key) else { return nil }
        guard let uuid = BluetoothUUID(text) else { throw ControlRefusal("\"\(text)\" is not a UUID") }
        return uuid
    }

    /// A value of at most 512 bytes, in hexadecimal digits.
    func bytes(_ key: String) throws(ControlRefusal) -> [UInt8]? {
        guard let text = try text(key) else { return nil }
        guard let bytes = [UInt8](hexadecimal: text), bytes.count <= 512 else {
            throw ControlRefusal("\"\(key)\" is hexadecimal digits of at most 512 bytes")
        }
        return bytes
    }

    /// An integer of a range; the standard if there is none.
    func integer(
        _ key: String, _ range: ClosedRange<Int>, else standard: Int? = nil
    ) throws(ControlRefusal) -> Int {
        let number = try require(key, try integer(key) ?? standard)
        guard range.contains(number) else {
            throw ControlRefusal("\"\(key)\" is a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// A number of milliseconds; the standard if there is none.
    func milliseconds(
        _ key: String, upTo limit: Double, else standard: Double? = nil
    ) throws(ControlRefusal) -> Duration {
        let value = try require(key, try number(key) ?? standard)
        guard value >= 0, value <= limit else {
            throw ControlRefusal("\"\(key)\" is a number from 0 to \(Int(limit))")
        }
        return .seconds(value / 1000)
    }

    /// Returns a member that must be there.
    func require<Value>(_ key: String, _ value: Value?) throws(ControlRefusal) -> Value {
        guard let value else { throw ControlRefusal("\"\(key)\" is missing") }
        return value
    }
}

/// The members of a response, without the identifier.
typealias ControlResponse = [String: JSONValue]

extension ControlResponse {
    /// The response to what is not a request, and so has no identifier.
    static func failure(_ text: String) -> ControlResponse { ["ok": false, "error": .text(text), "id": .null] }
}

/// The reason for refusing a request.
struct ControlRefusal: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
