import BlueZJSONLine
import BlueZPrintableText
import CoreBlueZ
import FoundationEssentials

/// The meaning of a value, given the assigned number of its attribute.
struct ReadableValue: Equatable {
    /// For machines; nil if the value has no valid reading.
    var decoded: JSONValue?
    /// The unit of `decoded`.
    var unit: String?
    /// The units of the fields of `decoded`.
    var units: [String: String]?
    /// Why there is no `decoded`.
    var reason: String?
    /// Why fields are missing from `decoded`.
    var reasons: [String: String]?
    /// For users, with the unit; nil if the bytes say as much.
    var text: String?

    /// The meaning given by the assigned number; nil if there is none.
    static func known(_ data: Data, _ uuid: BluetoothUUID) -> ReadableValue? {
        guard let number = uuid.short else { return nil }
        return string(data, number) ?? choice(data, number) ?? pnpIdentifier(data, number) ?? defined(data, uuid)
    }

    /// For users: the meaning if known; otherwise hexadecimal, and text if it looks like text.
    static func text(_ data: Data, _ uuid: BluetoothUUID) -> String {
        known(data, uuid)?.text ?? unknown(data)
    }

    /// For users who inspect bytes: the bytes, and the meaning if known.
    static func textWithBytes(_ data: Data, _ uuid: BluetoothUUID) -> String {
        guard let known = known(data, uuid), let text = known.text else { return unknown(data) }
        let hex = hexadecimal(data)
        if case .text(text)? = known.decoded { return "\(hex) \"\(text.escapedForTerminal())\"" }
        return "\(hex) (\(text))"
    }

    private static func unknown(_ data: Data) -> String {
        guard data.count >= 3, let text = String(validating: data, as: UTF8.self), text.escapedForTerminal() == text
        else { return hexadecimal(data) }
        return "\(hexadecimal(data)) \"\(text)\""
    }

    private static func hexadecimal(_ data: Data) -> String {
        data.isEmpty ? "(empty)" : ValueFormat.hex(data)
    }

    // MARK: Strings

    private static func string(_ data: Data, _ number: UInt16) -> ReadableValue? {
        guard [0x2A00, 0x2A24, 0x2A25, 0x2A26, 0x2A27, 0x2A28, 0x2A29, 0x2901].contains(number),
            let all = String(validating: data, as: UTF8.self)
        else { return nil }
        // Strings are often padded with zeros.
        let text = String(all.prefix { $0 != "\0" })
        return ReadableValue(decoded: .text(text), text: text)
    }

    // MARK: Assigned numbers

    /// A number that means a word. `decoded` is the number.
    private static func choice(_ data: Data, _ number: UInt16) -> ReadableValue? {
        guard number == 0x2A01 || number == 0x2902, let value: UInt16 = try? data.littleEndian() else { return nil }
        let text = number == 0x2902 ? subscription(value) : AssignedNumbers.appearanceName(value)
        return ReadableValue(decoded: .unsigned(UInt64(value)), text: text ?? "\(value)")
    }

    private static func subscription(_ bits: UInt16) -> String? {
        switch bits {
        case 0: "off"
        case 1: "notifications"
        case 2: "indications"
        case 3: "notifications, indications"
        default: nil
        }
    }

    /// PnP ID: source of the vendor number, vendor, product, and version 0xJJMN.
    private static func pnpIdentifier(_ data: Data, _ number: UInt16) -> ReadableValue? {
        guard number == 0x2A50, data.count == 7, let source = data.first else { return nil }
        let bytes = [UInt8](data.dropFirst())
        let numbers = [0, 2, 4].map { UInt16(lowByte: bytes[$0], highByte: bytes[$0 + 1]) }
        let (vendor, product, version) = (numbers[0], numbers[1], numbers[2])
        let release = "\(version >> 8).\(version >> 4 & 0xF).\(version & 0xF)"
        var fields: [String: JSONValue] = [
            "vendor": .unsigned(UInt64(vendor)), "product": .unsigned(UInt64(product)), "version": .text(release),
        ]
        let place = source == 1 ? "Bluetooth" : source == 2 ? "USB" : nil
        fields["vendorSource"] = place.map(JSONValue.text)
        let name = source == 1 ? AssignedNumbers.companyName(vendor) : nil
        fields["vendorName"] = name.map(JSONValue.text)
        let hexadecimal = CharacteristicMatch.hexadecimal
        let maker = name ?? [place, "vendor", hexadecimal(vendor)].compactMap { $0 }.joined(separator: " ")
        return ReadableValue(
            decoded: .object(fields), text: "\(maker), product \(hexadecimal(product)), version \(release)")
    }
}
