/// A reading of an accelerometer, with the axes as the tag sends them.
public struct AccelerometerReading: ThreeAxisReading {
    /// Acceleration along x, in g (9.80665 m/s²).
    public let x: Double
    /// Acceleration along y, in g.
    public let y: Double
    /// Acceleration along z, in g.
    public let z: Double

    /// A reading of three accelerations in g.
    public init(x: Double, y: Double, z: Double) {
        self.x = x
        self.y = y
        self.z = z
    }
}

/// The accelerometer of the CC2541 SensorTag.
///
/// Data AA11, 3 bytes: x, y, z (int8 each), g = raw * range / 128.
/// Source: TI SensorTag User Guide (CC2541), accelerometer; ranges from the tag's firmware 1.3 and 1.5.
public enum KXTJ9 {
    /// The measuring range. The raw value is the range in g.
    public enum Range: Int, Sendable, Hashable, CaseIterable {
        /// -2 to 2 g, 1/64 g per step.
        case twoG = 2
        /// -4 to 4 g, 1/32 g per step.
        case fourG = 4
        /// -8 to 8 g, 1/16 g per step.
        case eightG = 8
    }

    /// The byte that switches the accelerometer on, for AA12, and the range that the tag then has.
    public struct Setting: Sendable, Hashable {
        /// The configuration byte for AA12.
        public let configuration: UInt8
        /// The range to decode with.
        public let range: Range
    }

    private static let firstFirmwareWithRanges = FirmwareVersion(major: 1, minor: 5)

    /// The setting nearest to a requested range.
    ///
    /// Firmware before 1.5 knows only 1 = ±2 g; from 1.5 on 1 = ±8 g, 2 = ±4 g, 3 = ±2 g. With unknown firmware (nil)
    /// the byte is 1, which switches every version on, and the range is that of 1.5.
    public static func setting(for wanted: Range, firmware: FirmwareVersion?) -> Setting {
        guard let firmware else { return Setting(configuration: 1, range: .eightG) }
        guard firmware >= firstFirmwareWithRanges else { return Setting(configuration: 1, range: .twoG) }
        return switch wanted {
        case .twoG: Setting(configuration: 3, range: .twoG)
        case .fourG: Setting(configuration: 2, range: .fourG)
        case .eightG: Setting(configuration: 1, range: .eightG)
        }
    }

    /// Decodes one value of AA11 that was measured with `range`.
    ///
    /// - Throws: `wrongLength` unless there are exactly 3 bytes.
    public static func reading(
        from payload: some Collection<UInt8>,
        range: Range
    ) throws(SensorTagDataError) -> AccelerometerReading {
        let payload = try Payload(payload, of: .accelerometer, length: .exactly(3))
        let scale = Double(range.rawValue) / 128
        return AccelerometerReading(
            x: Double(payload.int8(at: 0)) * scale,
            y: Double(payload.int8(at: 1)) * scale,
            z: Double(payload.int8(at: 2)) * scale
        )
    }
}
