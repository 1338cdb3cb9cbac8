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
