import BlueZJSONLine
import BlueZPrintableText
import BlueZValues
import FoundationEssentials

/// The content of a JSON value.
package typealias JSONContent = JSONNode.Content

/// The members of an object of a recording. Every error names the line and the key.
struct EventFields {
    let line: Int
    let members: [JSONMember]
    private let kind: String

    init(_ node: JSONNode, _ kind: String) throws(FileError) {
        guard case .object(let members) = node.content else {
            throw FileError(node.line, "Expected an object for \(kind), found \(node.summary)")
        }
        self.members = members
        self.kind = kind
        line = node.line
    }

    subscript(_ key: String) -> JSONNode? { members.first { $0.key == key }?.value }

    func error(_ key: String, _ message: String) -> FileError {
        FileError(line, "In \(kind), \(JSONNode.quoted(key)) \(message)")
    }

    func required<Value>(_ key: String, _ value: Value?) throws(FileError) -> Value {
        guard let value else { throw FileError(line, "There is no \"\(key)\" in \(kind)") }
        return value
    }

    // MARK: Values

    func text(_ key: String) throws(FileError) -> String? {
        guard let node = self[key] else { return nil }
        return try text(node, key)
    }

    private func text(_ node: JSONNode, _ key: String) throws(FileError) -> String {
        guard case .string(let text) = node.content else { throw error(key, "must be a string") }
        return text
    }

    func texts(_ key: String) throws(FileError) -> [String]? {
        try map(key) { node throws(FileError) in try text(node, key) }
    }

    func flag(_ key: String) throws(FileError) -> Bool? {
        guard let node = self[key] else { return nil }
        guard case .boolean(let flag) = node.content else { throw error(key, "must be true or false") }
        return flag
    }

    func integer(_ key: String, _ range: ClosedRange<Int64>) throws(FileError) -> Int64? {
        guard let node = self[key] else { return nil }
        return try integer(node, key, range)
    }

    private func integer(_ node: JSONNode, _ key: String, _ range: ClosedRange<Int64>) throws(FileError) -> Int64 {
        guard case .number(let digits) = node.content, let number = Int64(digits), range.contains(number) else {
            throw error(key, "must be a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// A signal strength in dBm; nil also for the one that means that there is none.
    func signalStrength(_ key: String) throws(FileError) -> Int? {
        try integer(key, -32768...32767).flatMap { AdvertisementData.signalStrength(reported: Int($0)) }
    }

    func handle(_ key: String) throws(FileError) -> UInt16? {
        try integer(key, 0...0xFFFF).map { UInt16(truncatingIfNeeded: $0) }
    }

    func handles(_ key: String) throws(FileError) -> [UInt16]? {
        try map(key) { node throws(FileError) in
            UInt16(truncatingIfNeeded: try integer(node, key, 0...0xFFFF))
        }
    }

    func byte(_ key: String) throws(FileError) -> UInt8? {
        try integer(key, 0...0xFF).map { UInt8(truncatingIfNeeded: $0) }
    }

    func bytes(_ key: String) throws(FileError) -> [UInt8]? {
        guard let text = try text(key) else { return nil }
        guard let bytes = [UInt8](hexadecimal: text) else { throw error(key, "must be hexadecimal") }
        return bytes
    }

    func address(_ key: String) throws(FileError) -> BluetoothAddress? {
        guard let text = try text(key) else { return nil }
        guard let address = BluetoothAddress(text) else { throw error(key, "must be an address") }
        return address
    }

    func uuid(_ key: String) throws(FileError) -> BluetoothUUID? {
        guard let text = try text(key) else { return nil }
        return try uuid(text, key)
    }

    private func uuid(_ text: String, _ key: String) throws(FileError) -> BluetoothUUID {
        guard let uuid = BluetoothUUID(text) else { throw error(key, "must be a UUID") }
        return uuid
    }

    func uuids(_ key: String) throws(FileError) -> [BluetoothUUID]? {
        try map(key) { node throws(FileError) in try uuid(text(node, key), key) }
    }

    func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ key: String, _ type: Choice.Type
    ) throws(FileError) -> Choice? {
        guard let text = try text(key) else { return nil }
        guard let choice = Choice(rawValue: text) else {
            throw error(key, "must be one of \(Choice.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return choice
    }

    // MARK: Lists and objects

    func map<Element>(
        _ key: String, _ read: (JSONNode) throws(FileError) -> Element
    ) throws(FileError) -> [Element]? {
        guard let node = self[key] else { return nil }
        guard case .array(let nodes) = node.content else { throw error(key, "must be a list") }
        var elements: [Element] = []
        elements.reserveCapacity(nodes.count)
        for node in nodes { elements.append(try read(node)) }
        return elements
    }

    func objects<Element>(
        _ key: String, _ kind: String, _ read: (EventFields) throws(FileError) -> Element
    ) throws(FileError) -> [Element]? {
        try map(key) { node throws(FileError) in try read(EventFields(node, kind)) }
    }

    /// An object whose keys are data.
    func dictionary<Key: Hashable, Value>(
        _ key: String, _ kind: String, _ read: (String, EventFields) throws(FileError) -> (Key, Value)
    ) throws(FileError) -> [Key: Value]? {
        guard let node = self[key] else { return nil }
        let fields = try EventFields(node, kind)
        var result: [Key: Value] = [:]
        for member in fields.members {
            let (key, value) = try read(member.key, fields)
            result[key] = value
        }
        return result
    }

    /// An object of hexadecimal values whose keys are hexadecimal numbers.
    func numberedBytes<Number: FixedWidthInteger & Hashable>(
        _ key: String, _ type: Number.Type
    ) throws(FileError) -> [Number: Data]? {
        try dictionary(key, "\"\(key)\"") { name, fields throws(FileError) in
            guard let number = Number(name, radix: 16) else { throw fields.error(name, "must be a hexadecimal number") }
            return (number, Data(try fields.bytes(name) ?? []))
        }
    }
}
