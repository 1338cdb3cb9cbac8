import BlueZJSONLine
import BlueZPrintableText
import CoreBlueZ
import FoundationEssentials

/// Values with several fields, in the layout of the Bluetooth SIG's GATT Specification Supplement.
extension ReadableValue {
    static func structure(_ reader: ValueReader, _ number: UInt16) -> ReadableValue? {
        var reader = reader
        let value: ReadableValue? =
            switch number {
            case 0x2A37: heartRate(&reader)
            case 0x2A1C, 0x2A1E: bodyTemperature(&reader)
            case 0x2A50: pnpIdentifier(&reader)
            case 0x2A08: dateTime(&reader).map { ReadableValue(decoded: .text($0), text: $0) }
            case 0x2A2B: currentTime(&reader)
            default: nil
            }
        return reader.isAtEnd ? value : nil
    }

    /// Heart Rate Measurement: flags, rate, energy, and intervals between beats in 1/1024 s.
    private static func heartRate(_ reader: inout ValueReader) -> ReadableValue? {
        guard let flags = reader.unsigned(1), let rate = reader.unsigned(flags & 0x01 == 0 ? 1 : 2) else { return nil }
        var fields: [String: JSONValue] = ["beatsPerMinute": .unsigned(rate)]
        var words = ["\(rate) bpm"]
        if flags & 0x04 != 0 {
            let hasContact = flags & 0x02 != 0
            fields["hasContact"] = .boolean(hasContact)
            if !hasContact { words.append("no contact") }
        }
        if flags & 0x08 != 0 {
            guard let energy = reader.unsigned(2) else { return nil }
            fields["energyKilojoules"] = .unsigned(energy)
            words.append("\(energy) kJ")
        }
        if flags & 0x10 != 0 {
            var intervals: [UInt64] = []
            while let interval = reader.unsigned(2) { intervals.append((interval * 1000 + 512) / 1024) }
            fields["intervalsMilliseconds"] = .list(intervals.map(JSONValue.unsigned))
            words.append("intervals \(intervals.map { "\($0)" }.joined(separator: " ")) ms")
        }
        return ReadableValue(decoded: .object(fields), text: words.joined(separator: ", "))
    }

    /// Temperature Measurement and Intermediate Temperature: flags and an IEEE 11073 FLOAT, optionally followed by a
    /// time and the place on the body, which are shown only as bytes.
    private static func bodyTemperature(_ reader: inout ValueReader) -> ReadableValue? {
        guard let flags = reader.unsigned(1), let mantissa = reader.signed(3), let exponent = reader.signed(1),
            flags & 0x02 == 0 || reader.unsigned(7) != nil, flags & 0x04 == 0 || reader.unsigned(1) != nil
        else { return nil }
        // The greatest and the least mantissas mean infinities, NaN, and reserved values.
        guard abs(mantissa) < 0x7FFFFE else { return ReadableValue(text: "not known") }
        guard (-6...0).contains(exponent) else { return nil }
        let unit = flags & 0x01 == 0 ? "°C" : "°F"
        let decimals = Int(-exponent)
        return ReadableValue(
            decoded: .number(Double(mantissa) / Double(Quantity.power(decimals))), unit: unit,
            text: "\(Quantity.text(mantissa, decimals)) \(unit)")
    }

    /// PnP ID: source of the vendor number, vendor, product, and version 0xJJMN.
    private static func pnpIdentifier(_ reader: inout ValueReader) -> ReadableValue? {
        guard let source = reader.unsigned(1), let vendor = reader.unsigned(2), let product = reader.unsigned(2),
            let version = reader.unsigned(2)
        else { return nil }
        let hexadecimal = { (number: UInt64) in CharacteristicMatch.hexadecimal(UInt16(truncatingIfNeeded: number)) }
        let release = "\(version >> 8).\(version >> 4 & 0xF).\(version & 0xF)"
        var fields: [String: JSONValue] = [
            "vendor": .unsigned(vendor), "product": .unsigned(product), "version": .text(release),
        ]
        let place = source == 1 ? "Bluetooth" : source == 2 ? "USB" : nil
        fields["vendorSource"] = place.map(JSONValue.text)
        let name = source == 1 ? AssignedNumbers.companyName(UInt16(truncatingIfNeeded: vendor)) : nil
        fields["vendorName"] = name.map(JSONValue.text)
        let maker = name ?? [place, "vendor", hexadecimal(vendor)].compactMap { $0 }.joined(separator: " ")
        return ReadableValue(
            decoded: .object(fields), text: "\(maker), product \(hexadecimal(product)), version \(release)")
    }

    /// Current Time: date and time, day of the week, 1/256 s, and the reason for the last adjustment.
    private static func currentTime(_ reader: inout ValueReader) -> ReadableValue? {
        guard let time = dateTime(&reader), reader.unsigned(1) != nil, let fraction = reader.unsigned(1),
            reader.unsigned(1) != nil
        else { return nil }
        let milliseconds = String(1000 + (fraction * 1000 + 128) / 256).dropFirst()
        return ReadableValue(decoded: .text("\(time).\(milliseconds)"), text: time.replacing("T", with: " "))
    }

    /// A date with a time in an unknown zone, as in ISO 8601; nil if a part of it is unknown.
    private static func dateTime(_ reader: inout ValueReader) -> String? {
        guard let year = reader.unsigned(2), let month = reader.unsigned(1), let day = reader.unsigned(1),
            let hour = reader.unsigned(1), let minute = reader.unsigned(1), let second = reader.unsigned(1),
            (1582...9999).contains(year), (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60,
            second < 60
        else { return nil }
        let two = { (number: UInt64) in String(100 + number).dropFirst() }
        return "\(year)-\(two(month))-\(two(day))T\(two(hour)):\(two(minute)):\(two(second))"
    }
}
