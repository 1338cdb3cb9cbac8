import BlueZJSONLine
import BlueZPrintableText
import BlueZValues
import FoundationEssentials

/// How the value of a key is read, written and redacted.
struct EventField<Value> {
    let read: (JSONNode, EventPlace) throws(FileError) -> Value
    let write: (Value, inout EventLine) -> Void
    var redact: (Value, Redaction) -> Value = { value, _ in value }
}

extension EventField {
    /// A value that is written as text.
    init(_ expected: String, text format: @escaping (Value) -> String, _ parse: @escaping (String) -> Value?) {
        read = { node, place throws(FileError) in
            guard case .string(let text) = node.content else { throw place.error("must be a string") }
            guard let value = parse(text) else { throw place.error(expected) }
            return value
        }
        write = { value, line in line.append(format(value)) }
    }

    /// An object with keys of its own.
    ///
    /// - Parameters:
    ///   - kind: what it is, for messages; nil for the name of its key.
    ///   - value: what it is without any keys.
    static func object(
        _ kind: String? = nil, _ value: Value, _ keys: @escaping (inout Value, inout EventCoder) -> Void
    ) -> EventField {
        EventField { node, place throws(FileError) in
            try EventCoder.read(EventObject(node, kind ?? "\"\(place.key)\""), into: value, keys)
        } write: { value, line in
            EventCoder.write(value, to: &line, keys)
        } redact: { value, redaction in
            EventCoder.redact(value, redaction, keys)
        }
    }

    static func list<Element>(_ element: EventField<Element>) -> EventField where Value == [Element] {
        EventField { node, place throws(FileError) in
            guard case .array(let nodes) = node.content else { throw place.error("must be a list") }
            var elements: [Element] = []
            elements.reserveCapacity(nodes.count)
            for node in nodes { elements.append(try element.read(node, place)) }
            return elements
        } write: { elements, line in
            line.list(elements, element.write)
        } redact: { elements, redaction in
            elements.map { element.redact($0, redaction) }
        }
    }

    /// An object whose keys are data.
    static func dictionary<Key: Hashable & Comparable, Element>(
        _ expected: String, of element: EventField<Element>, key format: @escaping (Key) -> String,
        _ parse: @escaping (String) -> Key?
    ) -> EventField where Value == [Key: Element] {
        EventField { node, place throws(FileError) in
            let object = try EventObject(node, "\"\(place.key)\"")
            var elements: [Key: Element] = [:]
            for member in object.members {
                guard let key = parse(member.key) else { throw object.error(member.key, expected) }
                elements[key] = try element.read(member.value, EventPlace(object: object, key: member.key))
            }
            return elements
        } write: { elements, line in
            let isOuterFirst = line.beginObject()
            for (key, value) in elements.sorted(by: { $0.key < $1.key }) { line.add(format(key), value, element) }
            line.endObject(isOuterFirst)
        }
    }

    /// Bytes by numbers in hexadecimal digits.
    static func numberedBytes<Number>() -> EventField
    where Value == [Number: Data], Number: FixedWidthInteger & Hashable & UnsignedInteger {
        let digits = Number.bitWidth / 4
        return .dictionary("must be a hexadecimal number", of: .data) {
            String(hexadecimal: $0, digits: digits, uppercase: true)
        } _: {
            Number($0, radix: 16)
        }
    }

    static func number(from least: Value = .min, to most: Value = .max) -> EventField where Value: FixedWidthInteger {
        EventField { node, place throws(FileError) in
            guard case .number(let digits) = node.content, let number = Value(digits), (least...most).contains(number)
            else { throw place.error("must be a whole number from \(least) to \(most)") }
            return number
        } write: { number, line in
            line.append(number: number)
        }
    }

    /// One of several words.
    static func choice() -> EventField where Value: RawRepresentable<String> & CaseIterable {
        let choices = Value.allCases.map(\.rawValue).joined(separator: ", ")
        return EventField("must be one of \(choices)", text: \.rawValue) { Value(rawValue: $0) }
    }
}

extension EventField<String> {
    static var text: EventField { EventField("", text: { $0 }, { $0 }) }
}

extension EventField<Bool> {
    static var flag: EventField {
        EventField { node, place throws(FileError) in
            guard case .boolean(let flag) = node.content else { throw place.error("must be true or false") }
            return flag
        } write: { flag, line in
            line.append(raw: flag ? "true" : "false")
        }
    }

    /// Whether something concerns this side: "here".
    static var here: EventField { EventField("must be here", text: { _ in "here" }, { $0 == "here" ? true : nil }) }
}

extension EventField<[UInt8]> {
    static var bytes: EventField {
        EventField("must be hexadecimal", text: { String(hexadecimal: $0) }, { [UInt8](hexadecimal: $0) })
    }
}

extension EventField<Data> {
    static var data: EventField {
        EventField("must be hexadecimal", text: { String(hexadecimal: $0) }, { [UInt8](hexadecimal: $0).map { Data($0) } })
    }
}

extension EventField<BluetoothAddress> {
    static var address: EventField {
        var field = EventField("must be an address", text: \.description) { BluetoothAddress($0) }
        field.redact = { address, redaction in redaction.redacting(address) }
        return field
    }
}

extension EventField<BluetoothAddress.Kind> {
    static var addressType: EventField {
        EventField("must be public or random", text: \.rawValue) { BluetoothAddress.Kind(rawValue: $0) }
    }
}

extension EventField<BluetoothUUID> {
    static var uuid: EventField {
        var field = EventField("must be a UUID", text: \.description) { BluetoothUUID($0) }
        field.redact = { uuid, redaction in redaction.redacting(uuid) }
        return field
    }
}
