import BlueZJSONLine
import BlueZScript
import CoreBlueZ

/// A value of a file, and its place: the keys and indices that lead to it, separated by dots.
struct FileValue {
    let node: JSONNode
    let path: String

    func path(of key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }

    func error(_ message: String) -> FileError {
        FileError(node.line, path.isEmpty ? message : "\(path): \(message)")
    }

    /// The value is not what it should be.
    func error(wanted: String) -> FileError { error("Expected \(wanted), found \(node.summary)") }

    func text() throws(FileError) -> String {
        guard case .string(let text) = node.content else { throw error(wanted: "text in quotation marks") }
        return text
    }

    func flag() throws(FileError) -> Bool {
        guard case .boolean(let value) = node.content else { throw error(wanted: "true or false") }
        return value
    }

    /// A whole number, which may also be written like 1.0 or 1e3.
    func integer<Number: FixedWidthInteger>(in range: ClosedRange<Number>) throws(FileError) -> Number {
        guard case .number(let digits) = node.content,
            let number = Number(digits) ?? Double(digits).flatMap({ Number(exactly: $0) }), range.contains(number)
        else { throw error(wanted: "a whole number from \(range.lowerBound) to \(range.upperBound)") }
        return number
    }

    func seconds(from least: Double = 0) throws(FileError) -> Duration {
        guard case .number(let digits) = node.content, let number = Double(digits), (least...1e9).contains(number)
        else { throw error(wanted: "a time from \(least == 0 ? "0" : "\(least)") to 1e9 seconds") }
        return .seconds(number)
    }

    func uuid() throws(FileError) -> BluetoothUUID {
        guard let uuid = BluetoothUUID(typed: try text()) else {
            throw error("\(node.summary) is not a UUID: write 4, 8 or 32 hexadecimal digits")
        }
        return uuid
    }

    func address() throws(FileError) -> String {
        guard let address = BluetoothAddress(typed: try text()) else {
            throw error("\(node.summary) is not an address: write six pairs of digits with colons between them")
        }
        return address.description
    }

    func bytes() throws(FileError) -> [UInt8] {
        guard let bytes = try? ValueFormat.bytes(hex: try text()) else {
            throw error("\(node.summary) is not hexadecimal: write pairs of digits like 0a1b")
        }
        return try limited([UInt8](bytes))
    }

    func textBytes() throws(FileError) -> [UInt8] { try limited(Array(try text().utf8)) }

    /// An attribute has at most 512 bytes (Core Specification, volume 3, part F, 3.2.9).
    private func limited(_ bytes: [UInt8]) throws(FileError) -> [UInt8] {
        guard bytes.count <= 512 else { throw error("The value has \(bytes.count) bytes; the limit is 512") }
        return bytes
    }

    /// One of several words.
    func choice<Choice>(_ choices: [(name: String, value: Choice)]) throws(FileError) -> Choice {
        let word = try text()
        if let found = choices.first(where: { $0.name == word }) { return found.value }
        throw error(wanted: "one of \(choices.map(\.name).joined(separator: ", "))")
    }

    func elements() throws(FileError) -> [FileValue] {
        guard case .array(let nodes) = node.content else { throw error(wanted: "a list") }
        return nodes.enumerated().map { FileValue(node: $1, path: path(of: "\($0)")) }
    }

    /// The elements of an object with any keys.
    func members() throws(FileError) -> [(key: String, value: FileValue)] {
        guard case .object(let members) = node.content else { throw error(wanted: "an object") }
        return members.map { ($0.key, FileValue(node: $0.value, path: path(of: JSONNode.quoted($0.key)))) }
    }

    func properties() throws(FileError) -> CharacteristicProperties {
        let choices = CharacteristicProperties.flagNames.compactMap { name in
            CharacteristicProperties(flag: name).map { (name: name, value: $0) }
        }
        var properties: CharacteristicProperties = []
        for element in try elements() { properties.insert(try element.choice(choices)) }
        return properties
    }
}
