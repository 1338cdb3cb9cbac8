import BlueZDBus

/// What an adapter can advertise, as far as bluetoothd reports it (doc/org.bluez.LEAdvertisingManager.rst).
public struct AdvertisingCapabilities: Hashable, Sendable {
    /// How many advertisements are active, of all programs.
    public internal(set) var activeInstances = 0
    /// How many more advertisements bluetoothd accepts.
    public internal(set) var supportedInstances = 0
    /// The secondary channels; empty if the controller has no extended advertising.
    public internal(set) var secondaryChannels: [LocalAdvertisement.SecondaryChannel] = []
    /// The greatest number of bytes of advertising data; nil if bluetoothd does not report it (before 5.77 without
    /// `--experimental`). 31 is then assumed.
    public internal(set) var maximumLength: Int?
    /// The greatest number of bytes of a scan response; nil like `maximumLength`.
    public internal(set) var maximumScanResponseLength: Int?
    /// The transmit powers in dBm; nil if the controller or bluetoothd does not report them.
    public internal(set) var txPowers: ClosedRange<Int>?
    /// BlueZ's names of features, such as "CanSetTxPower"; nil if bluetoothd does not report them (before 5.77 without
    /// `--experimental`).
    public internal(set) var features: [String]?

    /// Whether bluetoothd considers intervals and transmit powers. It reports features in the same versions, and with
    /// the same option (src/advertising.c: parse_min_interval).
    public var considersIntervals: Bool { features != nil }

    init() {}

    /// Reads the properties of LEAdvertisingManager1, `a{sv}`.
    init(_ reader: inout MessageReader) throws(DBusError) {
        var powers: (low: Int?, high: Int?)
        try reader.readVariants { (name, value) throws(DBusError) in
            switch name {
            case "ActiveInstances": activeInstances = Int(try value.readByte())
            case "SupportedInstances": supportedInstances = Int(try value.readByte())
            case "SupportedFeatures": features = try value.readStrings()
            case "SupportedSecondaryChannels":
                secondaryChannels = try value.readStrings().compactMap(LocalAdvertisement.SecondaryChannel.init)
            case "SupportedCapabilities":
                try value.readVariants { (name, value) throws(DBusError) in
                    switch name {
                    case "MaxAdvLen": maximumLength = Int(try value.readByte())
                    case "MaxScnRspLen": maximumScanResponseLength = Int(try value.readByte())
                    case "MinTxPower": powers.low = Int(try value.readInt16())
                    case "MaxTxPower": powers.high = Int(try value.readInt16())
                    default: break
                    }
                }
            default: break
            }
        }
        if let low = powers.low, let high = powers.high, low <= high { txPowers = low...high }
    }
}

extension LocalAdvertisement {
    /// The properties that bluetoothd ignores.
    public struct Ignored: OptionSet, Hashable, Sendable {
        /// The bits.
        public let rawValue: Int

        /// Creates a set from its bits.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// `interval` is ignored.
        public static let interval = Ignored(rawValue: 1 << 0)
        /// `txPower` is ignored.
        public static let txPower = Ignored(rawValue: 1 << 1)
    }

    /// Returns the properties that are set and that bluetoothd ignores.
    func ignored(by capabilities: AdvertisingCapabilities) -> Ignored {
        guard !capabilities.considersIntervals else { return [] }
        var ignored: Ignored = []
        if interval != nil { ignored.insert(.interval) }
        if txPower != nil { ignored.insert(.txPower) }
        return ignored
    }

    /// The types that bluetoothd refuses as structures, because there are properties for them (src/shared/ad.c:
    /// type_reject_list).
    private static let refusedTypes: Set<UInt8> = [
        0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0A, 0x0D, 0x0E, 0x0F, 0x10, 0x11, 0x12, 0x14, 0x15,
        0x16,
        0x17, 0x18, 0x19, 0x1A, 0x1B, 0x1C, 0x1D, 0x1E, 0x1F, 0x20, 0x21, 0xFF,
    ]

    private static let seconds = Duration.seconds(1)...Duration.seconds(65535)
    private static let intervals = Duration.milliseconds(20)...Duration.seconds(10485)

    /// Returns what is wrong, or nil if the advertisement can be registered.
    func problem(_ capabilities: AdvertisingCapabilities) -> BluetoothError? {
        let limit =
            secondaryChannel == nil ? min(31, capabilities.maximumLength ?? 31) : capabilities.maximumLength ?? 31
        if length > limit {
            return BluetoothError(
                .valueTooLong, "The advertisement is too large by \(Self.bytes(length - limit)): \(length) of \(limit)")
        }
        let nameLimit = min(31, capabilities.maximumScanResponseLength ?? 31)
        if scanResponseLength > nameLimit {
            let excess = Self.bytes(scanResponseLength - nameLimit)
            return BluetoothError(
                .valueTooLong, "The name is too long by \(excess): at most \(nameLimit - 2) bytes of UTF-8 fit")
        }
        if let problem = content { return BluetoothError(.invalidArguments, problem) }
        guard let secondaryChannel, !capabilities.secondaryChannels.contains(secondaryChannel) else { return nil }
        return BluetoothError(
            .notSupported, "The adapter cannot advertise on the secondary channel \(secondaryChannel.rawValue)")
    }

    private var content: String? {
        if localName?.contains("\0") == true { return "A name must not contain U+0000" }
        if let type = structures.keys.sorted().first(where: Self.refusedTypes.contains) {
            return "The structure type \(type) has a property of its own, or belongs to BlueZ"
        }
        if let txPower, !(-127...20).contains(txPower) { return "The transmit power must be from -127 to 20 dBm" }
        if let interval, !Self.intervals.contains(interval.lowerBound) || !Self.intervals.contains(interval.upperBound)
        {
            return "The interval must be from 20 ms to 10485 s"
        }
        for duration in [timeout, rotationDuration, discoverableTimeout] {
            if let duration, !Self.seconds.contains(duration) { return "A duration must be from 1 s to 65535 s" }
        }
        if let timeout, let discoverableTimeout, discoverableTimeout > timeout {
            return "The advertisement ends before its discoverability does"
        }
        return nil
    }

    private static func bytes(_ count: Int) -> String { count == 1 ? "1 byte" : "\(count) bytes" }
}
