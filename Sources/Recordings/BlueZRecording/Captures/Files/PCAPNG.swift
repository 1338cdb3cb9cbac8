/// The format of Wireshark (draft-ietf-opsawg-pcapng), with packets of Bluetooth's link types.
struct PCAPNG {
    static let magic: [UInt8] = [0x0A, 0x0D, 0x0D, 0x0A]
    private static let mostInterfaces = 256

    private struct Interface {
        var linkType: UInt16
        var snapLength: UInt32
        /// How many units a second has.
        var unitsPerSecond: UInt64 = 1_000_000
        /// In seconds.
        var offset: Int64 = 0
    }

    private var isBig = false
    private var interfaces: [Interface] = []
    /// The time of the last packet, for those that have none.
    private var time: Int64 = 0
    /// That of packets which are not of a Bluetooth host.
    private(set) var otherLinkType: UInt16?

    mutating func next(_ source: inout ByteSource) throws(EndOfCapture) -> CapturedPacket? {
        while var header = try source.whole(8) {
            guard let type = number(&header), var length = number(&header) else { throw .cutOff }
            var consumed: UInt32 = 8
            if type == 0x0A0D_0D0A {
                var order = PacketFields(try source.rest(4))
                guard let mark = order.big(UInt32.self), mark == 0x1A2B_3C4D || mark == 0x4D3C_2B1A else {
                    throw .wrong("The section has no byte order")
                }
                let isSwapped = isBig != (mark == 0x1A2B_3C4D)
                isBig = mark == 0x1A2B_3C4D
                if isSwapped { length = length.byteSwapped }
                interfaces = []
                consumed = 12
            }
            guard length >= consumed + 4, length % 4 == 0 else { throw .wrong("A block cannot have \(length) bytes") }
            let count = Int(length - consumed)
            guard type == 1 || type == 3 || type == 6 else {
                try source.skip(count)
                continue
            }
            guard count <= CaptureFile.longestPacket else { throw .wrong("A packet cannot have \(count) bytes") }
            let block = PacketFields(try source.rest(count).dropLast(4))
            if type == 1 {
                try addInterface(block)
            } else if let packet = try packet(block, isSimple: type == 3) {
                return packet
            }
        }
        return nil
    }

    // MARK: Blocks

    private mutating func addInterface(_ block: PacketFields) throws(EndOfCapture) {
        var block = block
        guard let type = short(&block), block.skip(2), let snapLength = number(&block) else {
            throw .wrong("An interface has too few bytes")
        }
        guard interfaces.count < Self.mostInterfaces else { throw .wrong("There are too many interfaces") }
        var interface = Interface(linkType: type, snapLength: snapLength)
        while let code = short(&block), let length = short(&block), code != 0 {
            guard let value = block.bytes((Int(length) + 3) & ~3)?.prefix(Int(length)) else { break }
            var fields = PacketFields(value)
            if code == 9, let resolution = fields.byte() {
                let exponent = Int(resolution & 0x7F)
                let base: UInt64 = resolution & 0x80 == 0 ? 10 : 2
                guard exponent <= (base == 10 ? 18 : 62) else { throw .wrong("The resolution of the time is too fine") }
                interface.unitsPerSecond = (0..<exponent).reduce(1) { product, _ in product * base }
            } else if code == 14, length == 8 {
                let offset = isBig ? fields.big(UInt64.self) : fields.little(UInt64.self)
                interface.offset = Int64(bitPattern: offset ?? 0)
            }
        }
        interfaces.append(interface)
    }

    /// The packet of a block; nil if it isn't of Bluetooth.
    private mutating func packet(_ block: PacketFields, isSimple: Bool) throws(EndOfCapture) -> CapturedPacket? {
        var block = block
        var index: UInt32 = 0
        var units: UInt64?
        var length: UInt32?
        if !isSimple {
            guard let number = number(&block), let high = self.number(&block), let low = self.number(&block),
                let captured = self.number(&block)
            else { throw .wrong("A packet has too few bytes") }
            index = number
            units = UInt64(high) << 32 | UInt64(low)
            length = captured
        }
        guard let original = number(&block), index < interfaces.count else {
            throw .wrong("A packet has no interface")
        }
        let interface = interfaces[Int(index)]
        let limit = interface.snapLength == 0 ? .max : interface.snapLength
        guard let data = block.bytes(Int(length ?? min(original, limit))) else {
            throw .wrong("A packet has too few bytes")
        }
        if let units {
            let (seconds, rest) = units.quotientAndRemainder(dividingBy: interface.unitsPerSecond)
            let fraction = Double(rest) / Double(interface.unitsPerSecond) * 1_000_000
            time = (Int64(truncatingIfNeeded: seconds) &+ interface.offset) &* 1_000_000 &+ Int64(fraction)
        }
        guard let linkType = LinkType(rawValue: UInt32(interface.linkType)) else {
            if LinkType.isSniffer(UInt32(interface.linkType)) {
                throw .wrong(LinkType.refusal(of: UInt32(interface.linkType)))
            }
            otherLinkType = interface.linkType
            return nil
        }
        return linkType.packet(data, time: time)
    }

    private func number(_ fields: inout PacketFields) -> UInt32? { fields.number(isBig) }

    private func short(_ fields: inout PacketFields) -> UInt16? {
        isBig ? fields.big(UInt16.self) : fields.little(UInt16.self)
    }
}
