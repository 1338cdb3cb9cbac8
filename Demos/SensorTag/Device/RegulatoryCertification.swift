/// The IEEE 11073-20601 regulatory certification data list of the device information service, 2A2A.
///
/// 2 bytes or more: body (uint8), structure type (uint8), data. The CC2541 sends FE 00 and the text "experimental".
public struct RegulatoryCertification: Sendable, Hashable, CustomStringConvertible {
    /// Who certified: 0 none, 1 IEEE, 2 Continua, 254 experimental.
    public let body: UInt8
    /// The kind of structure of the data.
    public let structure: UInt8
    /// The bytes behind the two header bytes.
    public let data: [UInt8]

    /// Decodes the value of 2A2A.
    ///
    /// - Throws: `wrongLength` if there are fewer than 2 bytes.
    public init(from payload: some Collection<UInt8>) throws(SensorTagDataError) {
        let payload = try Payload(payload, of: .regulatoryCertification, length: .atLeast(2))
        body = payload.bytes[0]
        structure = payload.bytes[1]
        data = Array(payload.bytes.dropFirst(2))
    }

    /// Header and data, for example "fe 00 experimental"; data that is not printable ASCII as hexadecimal bytes.
    public var description: String {
        let text = data.prefix { $0 != 0 }
        let printable = text.allSatisfy { (0x20...0x7E).contains($0) }
        let shown = printable ? [String(decoding: text, as: UTF8.self)] : data.map(\.twoHexDigits)
        return ([body.twoHexDigits, structure.twoHexDigits] + shown.filter { !$0.isEmpty }).joined(separator: " ")
    }
}
