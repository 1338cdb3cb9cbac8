import BlueZJSONLine
import BlueZSimulator

extension WriteResponse {
    private enum Key: String, CaseIterable { case to, value, text, on, delay }

    init(_ value: FileValue) throws(FileError) {
        let object = try FileObject<Key>(value, "a response")
        let parts: [Part]
        if let text = object[.text] {
            if object[.value] != nil { throw text.error("Give either value or this") }
            parts = [.bytes(try text.textBytes())]
        } else {
            parts = try object.required(.value).parts()
        }
        self.init(
            to: try object.required(.to).bytes(), parts: parts, on: try object[.on]?.uuid(),
            after: try object[.delay]?.seconds() ?? .zero)
    }
}

extension FileValue {
    /// Hexadecimal digits, in which {} is replaced with the written bytes, and {0} with the first of them.
    fileprivate func parts() throws(FileError) -> [WriteResponse.Part] {
        var parts: [WriteResponse.Part] = []
        var rest = try text()[...]
        while let start = rest.firstIndex(of: "{") {
            guard let end = rest[start...].firstIndex(of: "}") else { throw error("The brace { has no }") }
            let index = rest[rest.index(after: start)..<end]
            parts += try digits(rest[..<start])
            if index.isEmpty {
                parts.append(.written)
            } else if let number = Int(index), (0..<512).contains(number) {
                parts.append(.writtenByte(number))
            } else {
                throw error("The braces must be empty or contain the index of a byte, 0 to 511")
            }
            rest = rest[rest.index(after: end)...]
        }
        return try parts + digits(rest)
    }

    private func digits(_ text: Substring) throws(FileError) -> [WriteResponse.Part] {
        let node = JSONNode(content: .string(String(text)), line: node.line)
        let bytes = try FileValue(node: node, path: path).bytes()
        return bytes.isEmpty ? [] : [.bytes(bytes)]
    }
}

extension WriteResponse {
    /// Checks that the characteristic is written, and that the one that responds can.
    func check(
        _ value: FileValue, of characteristic: CharacteristicSpecification,
        among characteristics: [CharacteristicSpecification]
    ) throws(FileError) {
        let writable: CharacteristicProperties = [.write, .writeWithoutResponse, .reliableWrite]
        guard !characteristic.properties.isDisjoint(with: writable) else {
            throw value.error("The characteristic \(characteristic.uuid) can't be written: add a property like write")
        }
        let found = source.map { uuid in characteristics.first { $0.uuid == uuid } } ?? characteristic
        guard let found else {
            throw value.error("on: The peripheral has no characteristic \(source?.description ?? "")")
        }
        guard !found.properties.isDisjoint(with: [.notify, .indicate]) else {
            throw value.error("The characteristic \(found.uuid) can't respond: add the property notify or indicate")
        }
    }
}
