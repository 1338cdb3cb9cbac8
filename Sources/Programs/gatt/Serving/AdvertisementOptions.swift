import ArgumentParser
import BlueZScript
import CoreBlueZ
import FoundationEssentials

/// The options for the advertisement of `gatt advertise`.
struct AdvertisementOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The name, at most 29 bytes of UTF-8.", valueName: "name"))
    var name: String?

    @Option(help: ArgumentHelp("A service, as a UUID. May be repeated.", valueName: "uuid"))
    var service: [String] = []

    @Option(help: ArgumentHelp("Data of a company, such as 0x004C:0215. May be repeated.", valueName: "company:hex"))
    var manufacturer: [KeyedData] = []

    @Option(help: ArgumentHelp("Data of a service, such as 180F:64. May be repeated.", valueName: "uuid:hex"))
    var serviceData: [KeyedData] = []

    @Option(
        help: ArgumentHelp(
            """
            Another structure, by its type, such as 0x26:0102. BlueZ refuses types that have options. May be repeated.
            """,
            valueName: "type:hex"))
    var data: [KeyedData] = []

    @Option(help: ArgumentHelp("The kind of device, such as 833 or 0x0341.", valueName: "number"))
    var appearance: Number?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The transmit power, -127 to 20 dBm. The controller chooses the nearest one, which is advertised.",
            valueName: "dBm"))
    var txPower: Int?

    @Option(
        help: ArgumentHelp(
            "The time between two advertisements, 20ms or more: 100ms, or 100ms-200ms.", valueName: "time"))
    var interval: Interval?

    @Option(
        help: ArgumentHelp("Sends an extended advertisement on this channel: 1M, 2M or Coded.", valueName: "channel"),
        completion: .list(LocalAdvertisement.SecondaryChannel.allCases.map(\.rawValue)))
    var secondaryChannel: LocalAdvertisement.SecondaryChannel?

    @Flag(help: "Accepts no connections: a broadcast.")
    var notConnectable = false

    @Option(
        help: ArgumentHelp("Ends after this time: whole seconds, or 2m, 1h; at most 65535 s.", valueName: "time"),
        transform: Duration.init(typed:))
    var timeout: Duration?

    func validate() throws { _ = try advertisement() }

    /// Whether nothing is given.
    var isEmpty: Bool { (try? advertisement()) == LocalAdvertisement() }

    /// The advertisement.
    func advertisement() throws -> LocalAdvertisement {
        var result = LocalAdvertisement(localName: name)
        result.serviceUUIDs = try service.map { try Self.uuid($0) }
        for entry in manufacturer {
            guard let company = entry.number(UInt16.self) else {
                throw ValidationError("\"\(entry.key)\" is not a company: write hexadecimal digits, such as 0x004C")
            }
            try Self.add(entry, company, to: &result.manufacturerData)
        }
        for entry in serviceData { try Self.add(entry, try Self.uuid(entry.key), to: &result.serviceData) }
        for entry in data {
            guard let type = entry.number(UInt8.self) else {
                throw ValidationError("\"\(entry.key)\" is not a type: write two hexadecimal digits, such as 0x26")
            }
            try Self.add(entry, type, to: &result.structures)
        }
        result.appearance = appearance?.value
        result.txPower = txPower
        result.includesTxPower = txPower != nil
        result.interval = interval?.range
        result.secondaryChannel = secondaryChannel
        result.isConnectable = !notConnectable
        result.timeout = timeout
        if let (seconds, rest) = timeout?.components, rest != 0 || !(1...65535).contains(seconds) {
            throw ValidationError("Give --timeout whole seconds, from 1 to 65535")
        }
        return result
    }

    private static func uuid(_ text: String) throws -> BluetoothUUID {
        guard let uuid = BluetoothUUID(typed: text) else {
            throw ValidationError("\"\(text)\" is not a UUID: write 4, 8 or 32 hexadecimal digits")
        }
        return uuid
    }

    private static func add<Key>(_ entry: KeyedData, _ key: Key, to data: inout [Key: Data]) throws {
        guard data.updateValue(entry.value, forKey: key) == nil else {
            throw ValidationError("\"\(entry.key)\" is given twice")
        }
    }
}

/// A key and data, such as `0x004C:0215`.
struct KeyedData: ExpressibleByArgument {
    let key: String
    let value: Data

    init?(argument: String) {
        guard let colon = argument.firstIndex(of: ":"),
            let value = try? ValueFormat.bytes(hex: String(argument[argument.index(after: colon)...]))
        else { return nil }
        key = String(argument[..<colon])
        self.value = value
    }

    /// The key as a hexadecimal number.
    func number<Value: FixedWidthInteger>(_ type: Value.Type) -> Value? {
        let digits = key.lowercased().hasPrefix("0x") ? key.dropFirst(2) : key[...]
        guard digits.allSatisfy(\.isHexDigit), digits.utf8.count <= 2 * MemoryLayout<Value>.size else { return nil }
        return Value(digits, radix: 16)
    }
}

/// A number that may be hexadecimal.
struct Number: ExpressibleByArgument {
    let value: UInt16

    init?(argument: String) {
        let isHexadecimal = argument.lowercased().hasPrefix("0x")
        let digits = isHexadecimal ? argument.dropFirst(2) : argument[...]
        guard digits.allSatisfy(\.isHexDigit), let value = UInt16(digits, radix: isHexadecimal ? 16 : 10) else {
            return nil
        }
        self.value = value
    }
}

/// A time, or a shortest and a longest one.
struct Interval: ExpressibleByArgument {
    let range: ClosedRange<Duration>

    init?(argument: String) {
        let parts = argument.split(separator: "-", omittingEmptySubsequences: false)
        let times = parts.compactMap { try? Duration(typed: String($0)) }
        guard times.count == parts.count, times.count <= 2, let first = times.first, let last = times.last,
            first <= last
        else { return nil }
        range = first...last
    }
}

extension LocalAdvertisement.SecondaryChannel: ExpressibleByArgument {
    /// The name in any case.
    public init?(argument: String) {
        guard let found = Self.allCases.first(where: { $0.rawValue.lowercased() == argument.lowercased() }) else {
            return nil
        }
        self = found
    }
}
