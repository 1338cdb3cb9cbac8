import BlueZJSONLine
import BlueZPrintableText
import BlueZSimulator

extension JSONField<WriteResponse> {
    static var response: JSONField {
        .object("a response", WriteResponse(to: [], parts: []), isStrict: true) { response, keys in
            var text: [UInt8]?
            keys.add("to", required: &response.prefix, .hexadecimal)
            keys.add("text", &text, .text)
            if let text {
                if keys.has("value") { keys.refuse("Give either value or this", at: ["text"]) }
                response.parts = [.bytes(text)]
                keys.ignore(["value"])
            } else {
                keys.add("value", required: &response.parts, .parts)
            }
            keys.add("on", &response.source, .uuid)
            keys.add("delay", &response.delay, unless: .zero, .seconds())
        }
    }
}

extension JSONField<[WriteResponse.Part]> {
    /// Hexadecimal digits, in which {} is replaced with the written bytes, and {0} with the first of them.
    fileprivate static var parts: JSONField {
        JSONField { node throws(FileError) in
            var parts: [WriteResponse.Part] = []
            var rest = try JSONField<String>.text.read(node)[...]
            while let start = rest.firstIndex(of: "{") {
                guard let end = rest[start...].firstIndex(of: "}") else { throw node.error("The brace { has no }") }
                let index = rest[rest.index(after: start)..<end]
                parts += try digits(rest[..<start], node)
                if index.isEmpty {
                    parts.append(.written)
                } else if let number = Int(index), (0..<512).contains(number) {
                    parts.append(.writtenByte(number))
                } else {
                    throw node.error("The braces must be empty or contain the index of a byte, 0 to 511")
                }
                rest = rest[rest.index(after: end)...]
            }
            return try parts + digits(rest, node)
        } write: { parts, output in
            let texts = parts.map { part in
                switch part {
                case .bytes(let bytes): String(hexadecimal: bytes)
                case .written: "{}"
                case .writtenByte(let index): "{\(index)}"
                }
            }
            output.append(texts.joined())
        }
    }

    private static func digits(_ text: Substring, _ node: JSONNode) throws(FileError) -> [WriteResponse.Part] {
        let bytes = try JSONField<[UInt8]>.hexadecimal.read(
            JSONNode(content: .string(String(text)), line: node.line))
        return bytes.isEmpty ? [] : [.bytes(bytes)]
    }
}

extension WriteResponse {
    /// What prevents it. The characteristic must be written, and the one that responds must notify or indicate.
    func problem(
        of characteristic: CharacteristicSpecification, among characteristics: [CharacteristicSpecification]
    ) -> String? {
        let writable: CharacteristicProperties = [.write, .writeWithoutResponse, .reliableWrite]
        guard !characteristic.properties.isDisjoint(with: writable) else {
            return "The characteristic \(characteristic.uuid) can't be written: add a property like write"
        }
        let found = source.map { uuid in characteristics.first { $0.uuid == uuid } } ?? characteristic
        guard let found else { return "on: The peripheral has no characteristic \(source?.description ?? "")" }
        guard found.properties.isDisjoint(with: [.notify, .indicate]) else { return nil }
        return "The characteristic \(found.uuid) can't respond: add the property notify or indicate"
    }
}
