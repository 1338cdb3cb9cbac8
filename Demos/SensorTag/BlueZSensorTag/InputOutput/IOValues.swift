/// The mode of the IO service of the CC2650, AA66, 1 byte.
///
/// Set the outputs to zero before entering remote mode: the tag applies the old value of AA65 immediately, and after a
/// connection that is the self-test result.
public enum IOMode: UInt8, Sendable, Hashable, CaseIterable {
    /// 0: the tag controls its outputs itself.
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

/// The outputs of the IO service of the CC2650, written to AA65 in remote mode. Empty: all off.
///
/// Bits 3 to 7 cannot be set: bit 3 makes firmware 1.50 erase the external flash memory.
/// Source: TI CC2650 SensorTag User's Guide, IO service; bit 3 from firmware 1.50.
public struct IOOutputs: OptionSet, Sendable, Hashable {
    /// The byte for AA65; only bits 0 to 2.
    public let rawValue: UInt8

    /// The outputs of a byte. Bits 3 to 7 are dropped.
    public init(rawValue: UInt8) { self.rawValue = rawValue & 0b111 }

    /// Bit 0: the red LED.
    public static let redLED = IOOutputs(rawValue: 1 << 0)
    /// Bit 1: the green LED.
    public static let greenLED = IOOutputs(rawValue: 1 << 1)
    /// Bit 2: the buzzer (2 kHz).
    public static let buzzer = IOOutputs(rawValue: 1 << 2)
}
