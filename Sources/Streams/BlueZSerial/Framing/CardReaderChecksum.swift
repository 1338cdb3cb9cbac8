/// The check of a card reader's frames: a CRC, and the order of its two bytes.
public struct CardReaderChecksum: Hashable, Sendable, CustomStringConvertible {
    /// The algorithm.
    public var crc: CRC16
    /// The order of the two bytes in the frame.
    public var byteOrder: ByteOrder

    /// The CRCs that readers use, the most common one first: each CCITT variant, in both byte orders.
    public static let known = [CRC16.ccittFalse, .xmodem, .kermit].flatMap { crc in
        [CardReaderChecksum(crc, .bigEndian), CardReaderChecksum(crc, .littleEndian)]
    }

    /// Creates the check from a CRC and the order of its bytes.
    public init(_ crc: CRC16, _ byteOrder: ByteOrder) {
        self.crc = crc
        self.byteOrder = byteOrder
    }

    /// Returns the two bytes that follow a message.
    func bytes(of message: some Sequence<UInt8>) -> [UInt8] {
        let sum = crc.checksum(of: message)
        let bytes = [UInt8(sum >> 8), UInt8(sum & 0xFF)]
        return byteOrder == .bigEndian ? bytes : bytes.reversed()
    }

    /// Returns whether two bytes are those of a message.
    func isValid(_ first: UInt8, _ second: UInt8, for message: some Sequence<UInt8>) -> Bool {
        let sum =
            byteOrder == .bigEndian
            ? UInt16(lowByte: second, highByte: first) : UInt16(lowByte: first, highByte: second)
        return crc.checksum(of: message) == sum
    }

    /// The text for users: the name of the CRC, and its byte order.
    public var description: String { "\(crc), \(byteOrder == .bigEndian ? "high" : "low") byte first" }
}
