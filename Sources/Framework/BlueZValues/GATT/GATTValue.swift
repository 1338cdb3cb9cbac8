import BlueZPrintableText
public import FoundationEssentials

/// The meaning of a characteristic's value, as the Bluetooth SIG defines it: fields with names and units.
///
/// ```swift
/// let value = try GATTValue(data, of: 0x2A35)  // Blood Pressure Measurement
/// if let systolic = value[.systolic], let pressure = systolic.number {
///     print(pressure, systolic.unit ?? "")  // 120.0 mmHg
/// }
/// ```
///
/// Types, exponents, units, ranges and special values are those of the GATT Specification Supplement, or of the service's
/// specification if that defines the characteristic. Documentation/gatt.md lists the characteristics and the names of
/// their fields.
public struct GATTValue: Hashable, Sendable {
    /// The fields that the value has, in the order of their bytes.
    public let fields: [Field]
    /// Whether the characteristic has several fields of equal rank. Otherwise, the first is its value, and any other
    /// belongs to that.
    package let isStructure: Bool

    /// Decodes a value.
    ///
    /// A field that has no valid reading is one whose content is `.special` or `.invalid`; the others are decoded.
    ///
    /// - Throws: `GATTValueError` if the characteristic isn't known, or the value is shorter or longer than its fields.
    public init(_ value: some Sequence<UInt8>, of characteristic: BluetoothUUID) throws(GATTValueError) {
        guard let layout = characteristic.short.flatMap(GATTLayout.of) else {
            throw GATTValueError(reason: "\(characteristic) has no known layout")
        }
        fields = try layout.fields(of: Array(value))
        isStructure = layout.isStructure
    }

    /// Whether values of the characteristic can be decoded.
    public static func isKnown(_ characteristic: BluetoothUUID) -> Bool {
        characteristic.short.flatMap(GATTLayout.of) != nil
    }

    /// The field of this name; nil if the value doesn't have it.
    public subscript(name: Name) -> Field? { fields.first { $0.name == name } }
}

extension GATTValue: CustomStringConvertible {
    /// The value for people, in English, with units: `systolic 120 mmHg, diastolic 80 mmHg`.
    public var description: String { fields.map(\.description).filter { !$0.isEmpty }.joined(separator: ", ") }
}

extension GATTValue {
    /// A part of a value.
    public struct Field: Hashable, Sendable, CustomStringConvertible {
        /// The name.
        public let name: Name
        /// What the field says.
        public let content: Content
        /// The symbol of the numbers' unit, such as `mmHg`. Nil if the content isn't a number, or has no unit.
        public let unit: String?
        /// What precedes the content in `description`; empty if that says enough.
        let label: String
        /// Whether `description` leaves it out.
        let isUsual: Bool

        /// The field for people, in English, with the unit; empty if it says only what is usual.
        public var description: String {
            let text = content.text
            guard !isUsual, !text.isEmpty else { return "" }
            let hasUnit = if case .number = content { true } else if case .numbers = content { true } else { false }
            return [label, text, hasUnit ? unit ?? "" : ""].filter { !$0.isEmpty }.joined(separator: " ")
        }
    }

    /// What a field says. Each type has a property of ``Field``.
    public enum Content: Hashable, Sendable {
        /// A number.
        case number(GATTNumber)
        /// Numbers of one kind, such as the axes of a magnetometer.
        case numbers([GATTNumber])
        /// Whether something applies, and how that is said to people; empty if it is the usual case.
        case boolean(Bool, String)
        /// An assigned number, and what it means.
        case choice(Int, String)
        /// The meanings of the bits that are set.
        case names([String])
        /// A date and a time of the device's clock, whose zone isn't known. The year, the month or the day is nil if the
        /// device doesn't know it.
        case time(DateComponents)
        /// What the specification assigns to this number in place of a reading, such as "not known".
        case special(String)
        /// The bytes, which have no valid reading, and why.
        case invalid([UInt8], reason: String)

        /// The content for people, without a unit; of `.invalid`, hexadecimal digits.
        var text: String {
            switch self {
            case .number(let number): "\(number)"
            case .numbers(let numbers): numbers.map { "\($0)" }.joined(separator: " ")
            case .boolean(_, let text), .choice(_, let text), .special(let text): text
            case .names(let names): names.joined(separator: ", ")
            case .time(let time): "\(time.gattDate) \(time.gattTime)"
            case .invalid(let bytes, _): String(hexadecimal: bytes)
            }
        }
    }
}

extension GATTValue.Field {
    /// The number, if the field has a valid one.
    public var number: Double? {
        if case .number(let number) = content { number.double } else { nil }
    }

    /// The numbers, if the field has several.
    public var numbers: [Double]? {
        if case .numbers(let numbers) = content { numbers.map(\.double) } else { nil }
    }

    /// Whether what the name says applies, if the field says that.
    public var flag: Bool? {
        if case .boolean(let flag, _) = content { flag } else { nil }
    }

    /// The meaning of the assigned number, in English, if the field has one with a meaning.
    public var choice: String? {
        if case .choice(_, let text) = content { text } else { nil }
    }

    /// The meanings of the bits that are set, in English, if the field has such bits.
    public var names: [String]? {
        if case .names(let names) = content { names } else { nil }
    }

    /// The date and time of the device's clock, if the field has a valid one.
    public var time: DateComponents? {
        if case .time(let time) = content { time } else { nil }
    }
}

/// Why a value can't be decoded.
public struct GATTValueError: Error, Hashable, CustomStringConvertible {
    /// What is wrong with the value, in English, as the rest of a sentence.
    public let reason: String

    /// The same as `reason`.
    public var description: String { reason }
}
