import BlueZJSONLine
import BlueZPrintableText
import BlueZValues
import FoundationEssentials

extension JSONField<[UInt8]> {
    static var bytes: JSONField {
        JSONField("hexadecimal digits", text: { String(hexadecimal: $0) }, { [UInt8](hexadecimal: $0) })
    }
}

extension JSONField<Data> {
    static var data: JSONField {
        JSONField("hexadecimal digits", text: { String(hexadecimal: $0) }) { [UInt8](hexadecimal: $0).map { Data($0) } }
    }
}

extension JSONField<BluetoothAddress> {
    static var address: JSONField { JSONField("an address", text: \.description) { BluetoothAddress($0) }.changeable }
}

extension JSONField<BluetoothAddress.Kind> {
    static var addressType: JSONField {
        JSONField("public or random", text: \.rawValue) { BluetoothAddress.Kind(rawValue: $0) }
    }
}

extension JSONField<BluetoothUUID> {
    static var uuid: JSONField { JSONField("a UUID", text: \.description) { BluetoothUUID($0) }.changeable }
}

extension JSONField<Int> {
    /// In dBm.
    static var signalStrength: JSONField { .number(from: -32768, to: 32767) }
}

extension JSONField<Bool> {
    /// Whether something concerns this side: "here".
    static var here: JSONField { JSONField("here", text: { _ in "here" }, { $0 == "here" ? true : nil }) }
}

extension JSONField {
    /// Bytes by numbers in hexadecimal digits.
    static func numberedBytes<Number>() -> JSONField
    where Value == [Number: Data], Number: FixedWidthInteger & Hashable & UnsignedInteger {
        .dictionary("a hexadecimal number", of: .data) {
            String(hexadecimal: $0, digits: Number.bitWidth / 4, uppercase: true)
        } _: {
            Number($0, radix: 16)
        }
    }
}
