/// The format of Apple's PacketLogger: a length, seconds, microseconds and a type before each packet, all with the high
/// byte first, or all with the low byte first.
struct PacketLogger {
    private static let types: Set<UInt8> = [0, 1, 2, 3, 8, 9]
    private let isBig: Bool

    /// Nil if the file doesn't begin like one.
    init?(_ start: [UInt8]) {
        var fields = PacketFields(start)
        guard start.count >= 13, let big = fields.big(UInt32.self) else { return nil }
        isBig = big < 1 << 16
        let length = isBig ? big : big.byteSwapped
        guard length >= 9, length <= CaptureFile.longestPacket else { return nil }
        // What isn't a packet is text of the logger.
        guard Self.types.contains(start[12]) || start[12] >= 0x0A else { return nil }
    }

    func next(_ source: inout ByteSource) throws(EndOfCapture) -> CapturedPacket? {
        guard var header = try source.whole(4) else { return nil }
        guard let length = number(&header) else { throw .cutOff }
        guard length >= 9, length <= CaptureFile.longestPacket else {
            throw .wrong("A packet cannot have \(length) bytes")
        }
        var fields = PacketFields(try source.rest(Int(length)))
        guard let seconds = number(&fields), let microseconds = number(&fields), let type = fields.byte() else {
            throw .cutOff
        }
        let time = Int64(seconds) * 1_000_000 + Int64(microseconds)
        var packet = CapturedPacket(number: 0, time: time, kind: .other, bytes: Array(fields.rest))
        switch type {
        case 0: packet.kind = .command
        case 1: packet.kind = .event
        case 2, 3: packet.kind = .acl
        default: break
        }
        packet.isReceived = type == 1 || type == 3
        return packet
    }

    private func number(_ fields: inout PacketFields) -> UInt32? {
        isBig ? fields.big(UInt32.self) : fields.little(UInt32.self)
    }
}
