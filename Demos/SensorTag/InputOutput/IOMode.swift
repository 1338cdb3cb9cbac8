/// The mode of the IO service of the CC2650, AA66, 1 byte.
///
/// Set the outputs to zero before entering remote mode: the tag applies the old value of AA65 at once, and after a
/// connection that is the self-test result.
public enum IOMode: UInt8, Sendable, Hashable, CaseIterable {
    /// 0: the tag uses its outputs itself.
    case local = 0
    /// 1: the outputs follow AA65.
    case remote = 1
    /// 2: AA65 reads as the self-test result.
    case selfTest = 2

    /// Decodes the value of AA66.
    ///
    /// - Throws: `wrongLength` unless there is exactly 1 byte; `unknownValue` for 3 and more.
    public init(from payload: some Collection<UInt8>) throws(SensorTagDataError) {
        let byte = try Payload(payload, of: .ioMode, length: .exactly(1)).bytes[0]
        guard let mode = IOMode(rawValue: byte) else { throw .unknownValue(.ioMode, byte) }
        self = mode
    }
}
