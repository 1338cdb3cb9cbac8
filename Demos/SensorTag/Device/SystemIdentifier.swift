/// The system ID of the device information service, 2A23.
///
/// 8 bytes, least significant first: three bytes of the Bluetooth address, two zero bytes, the other three.
public struct SystemIdentifier: Sendable, Hashable, CustomStringConvertible {
    /// The 8 bytes in the order in which the tag sends them.
    public let bytes: [UInt8]

    /// Decodes the value of 2A23.
    ///
    /// - Throws: `wrongLength` unless there are exactly 8 bytes.
    public init(from payload: some Collection<UInt8>) throws(SensorTagDataError) {
        bytes = try Payload(payload, of: .systemIdentifier, length: .exactly(8)).bytes
    }

    /// The bytes, most significant first: "bc:6a:29:00:00:ab:cd:ef".
    public var description: String {
        bytes.reversed().map(\.twoHexDigits).joined(separator: ":")
    }
}
