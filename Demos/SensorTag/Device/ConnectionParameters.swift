/// The parameters of the connection as the tag sees them, CCC1.
///
/// 6 bytes: interval (uint16, 1.25 ms), latency (uint16), supervision timeout (uint16, 10 ms).
/// Source: TI SensorTag User Guide, connection control service.
public struct ConnectionParameters: Sendable, Hashable {
    /// The connection interval in units of 1.25 ms.
    public let interval: UInt16
    /// How many connection events the tag may skip.
    public let latency: UInt16
    /// The supervision timeout in units of 10 ms.
    public let supervisionTimeout: UInt16

    /// The connection interval in milliseconds.
    public var intervalMilliseconds: Double { Double(interval) * 1.25 }
    /// The supervision timeout in milliseconds.
    public var supervisionTimeoutMilliseconds: Int { Int(supervisionTimeout) * 10 }

    /// Decodes one value of CCC1.
    ///
    /// - Throws: `wrongLength` unless there are exactly 6 bytes.
    public init(from payload: some Collection<UInt8>) throws(SensorTagDataError) {
        let payload = try Payload(payload, of: .connectionParameters, length: .exactly(6))
        interval = payload.uint16(at: 0)
        latency = payload.uint16(at: 2)
        supervisionTimeout = payload.uint16(at: 4)
    }
}
