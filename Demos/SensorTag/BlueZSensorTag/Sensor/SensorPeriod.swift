import CoreBlueZ
import FoundationEssentials

/// The time between two measurements, as encoded in the period characteristics: AA03, AA13 and so on.
///
/// 1 byte, uint8, in units of 10 ms. Source: TI SensorTag User Guide; minimum and default from the tag's firmware.
public struct SensorPeriod: Sendable, Hashable {
    /// The periods that a sensor accepts, and its default. In milliseconds.
    public struct Limits: Sendable, Hashable {
        /// The shortest and the longest period.
        public let allowed: ClosedRange<Int>
        /// The period from the tag's start until another is set.
        public let defaultMilliseconds: Int

        /// IR temperature: 300 to 2550 ms, default 1000.
        public static let temperature = Limits(allowed: 300...2550, defaultMilliseconds: 1000)
        /// Magnetometer of the CC2541: 100 to 2550 ms, default 2000.
        public static let magnetometer = Limits(allowed: 100...2550, defaultMilliseconds: 2000)
        /// Light sensor: 100 to 2550 ms, default 800.
        public static let optical = Limits(allowed: 100...2550, defaultMilliseconds: 800)
        /// Every other sensor: 100 to 2550 ms, default 1000.
        public static let standard = Limits(allowed: 100...2550, defaultMilliseconds: 1000)
    }

    /// The byte of the period characteristic.
    public let byte: UInt8

    /// The period in milliseconds, 0 to 2550.
    public var milliseconds: Int { Int(byte) * 10 }

    /// The period nearest to `milliseconds`; half steps are rounded up.
    ///
    /// - Throws: `periodOutOfRange` outside the limits. The tag would refuse it or, with firmware 1.0, ignore it.
    public init(milliseconds: Int, limits: Limits) throws(SensorTagDataError) {
        guard limits.allowed.contains(milliseconds), let byte = UInt8(exactly: (milliseconds + 5) / 10) else {
            throw .periodOutOfRange(milliseconds: milliseconds, allowed: limits.allowed)
        }
        self.byte = byte
    }

    /// Decodes the value of a period characteristic without checking limits: firmware 1.0 accepts any value.
    ///
    /// - Throws: `wrongLength` unless there is exactly 1 byte.
    public init(from payload: some Collection<UInt8>) throws(SensorTagDataError) {
        byte = try Payload(payload, of: .period, length: .exactly(1)).bytes[0]
    }
}

extension SensorTagService {
    private static let firstFirmwareThatKeepsPeriods = FirmwareVersion(major: 1, minor: 4)

    /// From version 1.4, a CC2541 continues with the period of an earlier link, although the characteristic reads as
    /// the default.
    private var mayHideAPeriod: Bool {
        guard let tag, tag.generation == .cc2541 else { return false }
        return (tag.firmware ?? Self.firstFirmwareThatKeepsPeriods) >= Self.firstFirmwareThatKeepsPeriods
    }

    /// Whether the tag's firmware allows setting the period of this sensor.
    public var hasPeriod: Bool { self[Self.periodName]?.isDiscovered ?? false }

    /// Reads the period at which the sensor measures, or will measure once `turnOn` switches it on.
    ///
    /// - Parameter completion: gets the period, or the error: `notSupported` if the firmware has no period for this
    ///   sensor, `invalidData` for a length other than 1 byte.
    public func readPeriod(completion: @escaping @BluetoothActor (SensorPeriod?, BluetoothError?) -> Void) {
        guard periodCharacteristic({ completion(nil, $0) }) != nil else { return }
        let decode = { @BluetoothActor (value: Data) throws(SensorTagDataError) in try SensorPeriod(from: value) }
        read(Self.periodName, decode) { [self] period, error in
            if let period { self.period = period }
            completion(period, error)
        }
    }

    /// Sets the period, and writes it again whenever the sensor is switched on, until the link ends. A CC2650 keeps it
    /// until it is restarted; a CC2541 forgets it with the link.
    ///
    /// - Parameters:
    ///   - milliseconds: the time between two measurements, within `periodLimits`, rounded to 10 ms.
    ///   - completion: gets nil, or the error: `invalidArguments` outside the limits (nothing is then written),
    ///     `notSupported` if the firmware has no period for this sensor, `att` with 0x80 if the tag refuses it.
    public func setPeriod(
        milliseconds: Int,
        completion: @escaping @BluetoothActor (BluetoothError?) -> Void
    ) {
        let period: SensorPeriod
        do throws(SensorTagDataError) {
            period = try SensorPeriod(milliseconds: milliseconds, limits: periodLimits)
        } catch {
            let error = BluetoothError(error, name)
            return perform({ done in done(error) }, completion: completion)
        }
        perform({ [self] done in write(period, done) }, completion: completion)
    }

    /// Reads the period; the async form of `readPeriod(completion:)`.
    public func readPeriod() async throws(BluetoothError) -> SensorPeriod {
        try await waiting { readPeriod(completion: $0) }
    }

    /// Sets the period; the async form of `setPeriod(milliseconds:completion:)`.
    public func setPeriod(milliseconds: Int) async throws(BluetoothError) {
        try await waiting { setPeriod(milliseconds: milliseconds, completion: $0) }
    }

    /// The tag may have returned to its default since, or use the period of an earlier link.
    func writeWantedPeriod(_ done: @escaping @BluetoothActor (BluetoothError?) -> Void) {
        let usual =
            mayHideAPeriod
            ? try? SensorPeriod(milliseconds: periodLimits.defaultMilliseconds, limits: periodLimits) : nil
        guard let period = wantedPeriod ?? usual, hasPeriod else { return done(nil) }
        write(period, done)
    }

    /// Firmware up to 1.3 resets the period of accelerometer and magnetometer when they are switched.
    func writePeriodAgain(_ done: @escaping @BluetoothActor (BluetoothError?) -> Void) {
        guard let firmware = tag?.firmware, firmware < Self.firstFirmwareThatKeepsPeriods else { return done(nil) }
        writeWantedPeriod(done)
    }

    private func write(_ period: SensorPeriod, _ done: @escaping @BluetoothActor (BluetoothError?) -> Void) {
        guard let characteristic = periodCharacteristic(done) else { return }
        characteristic.writeByte(period.byte) { [self] error in
            if error == nil {
                self.period = period
                wantedPeriod = period
            }
            done(error)
        }
    }

    private func periodCharacteristic(_ fail: @escaping @BluetoothActor (BluetoothError?) -> Void) -> Characteristic? {
        guard let characteristic = characteristic(Self.periodName, fail) else { return nil }
        guard isDiscovered, !characteristic.isDiscovered else { return characteristic }
        let error = BluetoothError(.notSupported, "\(name): the tag's firmware has no period for this sensor")
        BluetoothActor.perform { fail(error) }
        return nil
    }
}
