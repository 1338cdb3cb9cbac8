import BlueZPrintableText
public import FoundationEssentials

/// A value that a device advertises: what it is, how much, and in which unit.
public struct AdvertisementReading: Hashable, Sendable {
    /// What the value is.
    public var kind: Kind
    /// The value.
    public var value: Value
    /// The unit of a number. Nil if it has none, as a count.
    public var unit: Unit?

    /// Creates a reading.
    ///
    /// - Parameters:
    ///   - kind: what the value is.
    ///   - value: the value.
    ///   - unit: the unit of a number that has one.
    public init(_ kind: Kind, _ value: Value, unit: Unit? = nil) {
        self.kind = kind
        self.value = value
        self.unit = unit
    }

    /// The number, if the value is one.
    public var number: Double? {
        if case .number(let number) = value { number } else { nil }
    }

    /// What a value is. Its raw value names it in JSON, and doesn't change with versions of this library.
    public struct Kind: RawRepresentable, Hashable, Sendable {
        /// The name.
        public let rawValue: String

        /// Creates a kind for your own format, or one of this library from its name.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The unit of a number. Its raw value is the usual symbol.
    public struct Unit: RawRepresentable, Hashable, Sendable {
        /// The symbol, such as "°C".
        public let rawValue: String

        /// Creates a unit from its symbol.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// A value of one of the types that formats have.
    public enum Value: Hashable, Sendable {
        /// A number, which is finite.
        case number(Double)
        /// Whether something is so.
        case flag(Bool)
        /// A text from the device, which may contain any character: escape it before you print it.
        case text(String)
        /// Bytes that only the device's maker can read.
        case bytes(Data)
    }
}

extension AdvertisementReading: CustomStringConvertible {
    /// The kind, the value and the unit, such as "temperature 25.06 °C".
    public var description: String {
        "\(kind.rawValue) \(value)" + (unit.map { " \($0.rawValue)" } ?? "")
    }
}

extension AdvertisementReading.Value: CustomStringConvertible {
    /// The value as text: numbers as short as possible, bytes as hexadecimal digits.
    public var description: String {
        switch self {
        case .number(let number): Int(exactly: number).map(String.init) ?? String(number)
        case .flag(let flag): String(flag)
        case .text(let text): text
        case .bytes(let data): String(hexadecimal: data)
        }
    }
}
