import BlueZJSONLine
import BlueZScript

/// An object of a file. It has no other keys than those of `Key`.
struct FileObject<Key: RawRepresentable & CaseIterable & Hashable> where Key.RawValue == String {
    private let value: FileValue
    private var values: [Key: FileValue] = [:]

    /// - Parameter kind: what the object describes, for messages.
    init(_ value: FileValue, _ kind: String) throws(FileError) {
        self.value = value
        guard case .object(let members) = value.node.content else {
            throw value.error("Expected \(kind), which is an object")
        }
        for member in members {
            guard let key = Key(rawValue: member.key) else { throw Self.unknown(member, in: value, kind) }
            if case .null = member.value.content { continue }
            values[key] = FileValue(node: member.value, path: value.path(of: member.key))
        }
    }

    /// The value of a key; nil without it, and if it is null.
    subscript(key: Key) -> FileValue? { values[key] }

    /// The value of a key that must be there.
    func required(_ key: Key) throws(FileError) -> FileValue {
        if let found = values[key] { return found }
        throw FileError(value.node.line, "\(value.path.isEmpty ? "The file" : value.path) has no \"\(key.rawValue)\"")
    }

    /// Bytes that are given in hexadecimal digits or as text.
    func bytes(_ hexadecimal: Key, _ text: Key) throws(FileError) -> [UInt8]? {
        guard let text = values[text] else { return try values[hexadecimal]?.bytes() }
        if values[hexadecimal] != nil { throw text.error("Give either \(hexadecimal.rawValue) or this") }
        return try text.textBytes()
    }

    /// Lists of such bytes, one after the other.
    func lists(_ hexadecimal: Key, _ texts: Key) throws(FileError) -> [[UInt8]] {
        var lists: [[UInt8]] = []
        for element in try values[hexadecimal]?.elements() ?? [] { lists.append(try element.bytes()) }
        for element in try values[texts]?.elements() ?? [] { lists.append(try element.textBytes()) }
        return lists
    }

    private static func unknown(_ member: JSONMember, in value: FileValue, _ kind: String) -> FileError {
        let names = Key.allCases.map(\.rawValue)
        let near = member.key.utf8.count <= 40 ? UnknownCommand.nearest(to: member.key, among: names) : nil
        let question = near.map { "did you mean \"\($0)\"" } ?? "its keys are \(names.joined(separator: ", "))"
        let path = value.path.isEmpty ? "" : value.path + ": "
        return FileError(
            member.line,
            "\(path)\(kind) has no key \(JSONNode.quoted(member.key)); \(question)\(near == nil ? "" : "?")")
    }
}
