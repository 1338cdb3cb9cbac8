/// What the configuration byte of a sensor says when it is read: AA02, AA12 and so on. (Movement has its own.)
public enum SensorConfiguration: Sendable, Hashable {
    /// 0: the sensor is off.
    case off
    /// The sensor is on, with the byte that was written.
    case on(UInt8)
    /// 0xFF: the sensor failed its self-test or did not answer.
    case failed

    /// Decodes a configuration byte.
    ///
    /// - Throws: `wrongLength` unless there is exactly 1 byte.
    public init(from payload: some Collection<UInt8>) throws(SensorTagDataError) {
        let payload = try Payload(payload, of: .configuration, length: .exactly(1))
        self =
            switch payload.bytes[0] {
            case 0x00: .off
            case 0xFF: .failed
            case let byte: .on(byte)
            }
    }
}
