/// The battery level of the CC2650, 2A19.
///
/// 1 byte: percent. The firmware computes it from the voltage without a limit, so that a fresh battery exceeds 100.
public struct BatteryLevel: Sendable, Hashable {
    /// The charge in percent, 0 to 100.
    public let percent: Int

    /// Decodes one value of 2A19. More than 100 becomes 100.
    ///
    /// - Throws: `wrongLength` unless there is exactly 1 byte.
    public init(from payload: some Collection<UInt8>) throws(SensorTagDataError) {
        let payload = try Payload(payload, of: .batteryLevel, length: .exactly(1))
        percent = min(Int(payload.bytes[0]), 100)
    }
}
