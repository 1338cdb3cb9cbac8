import BlueZJSONLine
import BlueZPrintableText
import BlueZScript
import CoreBlueZ
import FoundationEssentials

extension JSONField<Duration> {
    static func seconds(from least: Double = 0) -> JSONField {
        JSONField { node throws(FileError) in
            guard case .number(let digits) = node.content, let number = Double(digits), (least...1e9).contains(number)
            else { throw node.error(wanted: "a time from \(least == 0 ? "0" : "\(least)") to 1e9 seconds") }
            return .seconds(number)
        } write: { time, output in
            output.append(raw: "\(time / .seconds(1))")
        }
    }
}

extension JSONField<BluetoothUUID> {
    static var uuid: JSONField {
        JSONField("a UUID of 4, 8 or 32 hexadecimal digits", text: \.description) { BluetoothUUID(typed: $0) }
    }
}

extension JSONField<ATTError> {
    static var error: JSONField {
        let code = JSONField<UInt8>.number(from: 1)
        return JSONField { node throws(FileError) in
            ATTError(rawValue: try code.read(node))
        } write: { error, output in
            code.write(error.rawValue, &output)
        }
    }
}

extension JSONField<String> {
    static var address: JSONField {
        JSONField("an address of six pairs of digits with colons", text: { $0 }) {
            BluetoothAddress(typed: $0)?.description
        }
    }

    /// A name has at most 248 bytes (Core Specification, volume 3, part C, 12.1), and D-Bus has no text with a NUL.
    static var name: JSONField {
        JSONField.text.checked { name in
            if name.utf8.count > 248 { return "The name has \(name.utf8.count) bytes; the limit is 248" }
            return name.utf8.contains(0) ? "The name has the character U+0000, which BlueZ does not permit" : nil
        }
    }
}

extension JSONField where Value: RangeReplaceableCollection<UInt8> & SendableMetatype {
    static var hexadecimal: JSONField {
        JSONField("pairs of hexadecimal digits like 0a1b", text: { String(hexadecimal: $0) }) { text in
            (try? ValueFormat.bytes(hex: text)).map(Value.init)
        }.checked(tooLong)
    }

    static var text: JSONField {
        JSONField("", text: { String(decoding: $0, as: UTF8.self) }, { Value($0.utf8) }).checked(tooLong)
    }

    /// An attribute has at most 512 bytes (Core Specification, volume 3, part F, 3.2.9).
    private static func tooLong(_ bytes: Value) -> String? {
        bytes.count > 512 ? "The value has \(bytes.count) bytes; the limit is 512" : nil
    }
}

extension JSONField<CharacteristicProperties> {
    static var properties: JSONField {
        let names = CharacteristicProperties.flagNames.compactMap { name in
            CharacteristicProperties(flag: name).map { (name: name, value: $0) }
        }
        let list = JSONField<[CharacteristicProperties]>.list(.choice(names, \.description))
        return JSONField { node throws(FileError) in
            try list.read(node).reduce(into: []) { $0.formUnion($1) }
        } write: { properties, output in
            list.write(names.map(\.value).filter(properties.contains), &output)
        }
    }
}

extension JSONKeys {
    /// A value that is given in hexadecimal digits or as text, and written as text if its UUID means that.
    mutating func addValue(_ value: inout [UInt8], of uuid: BluetoothUUID? = nil) {
        var (bytes, text): ([UInt8]?, [UInt8]?) = (value.isEmpty ? nil : value, nil)
        if let uuid, case .text(let known)? = ReadableValue.known(Data(value), uuid)?.decoded,
            Array(known.utf8) == value
        {
            swap(&bytes, &text)
        }
        add("value", &bytes, .hexadecimal)
        add("text", &text, .text)
        if has("value"), has("text") { refuse("Give either value or this", at: ["text"]) }
        value = text ?? bytes ?? []
    }

    /// Lists of such values, one after the other.
    mutating func addValues(_ values: inout [[UInt8]]) {
        var texts: [[UInt8]] = []
        add("values", &values, unless: [], .list(.hexadecimal))
        add("texts", &texts, unless: [], .list(.text))
        values += texts
    }
}
