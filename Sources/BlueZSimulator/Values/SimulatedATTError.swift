/// An error code of the Attribute Protocol (Bluetooth Core Specification, Vol 3, Part F, 3.4.1.1).
public struct SimulatedATTError: Error, Hashable, Sendable {
    /// The code as it is sent.
    public let code: UInt8

    /// Any code; 0x80 to 0x9f belong to the application.
    public init(_ code: UInt8) { self.code = code }

    /// 0x01
    public static let invalidHandle = SimulatedATTError(0x01)
    /// 0x02
    public static let readNotPermitted = SimulatedATTError(0x02)
    /// 0x03
    public static let writeNotPermitted = SimulatedATTError(0x03)
    /// 0x05
    public static let insufficientAuthentication = SimulatedATTError(0x05)
    /// 0x07
    public static let invalidOffset = SimulatedATTError(0x07)
    /// 0x0b
    public static let attributeNotLong = SimulatedATTError(0x0B)
    /// 0x0d
    public static let invalidLength = SimulatedATTError(0x0D)
    /// 0x0e. BlueZ also generates it if the link was lost during a request.
    public static let unlikely = SimulatedATTError(0x0E)
    /// 0x0f
    public static let insufficientEncryption = SimulatedATTError(0x0F)

    /// Whether bluetoothd pairs and asks again.
    var needsPairing: Bool { self == .insufficientAuthentication || self == .insufficientEncryption }
}

/// The result of an ATT request.
typealias ATTResult = Result<[UInt8], SimulatedATTError>
