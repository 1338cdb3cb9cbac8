/// The format of Android's snoop log and of btmon (BlueZ: doc/btsnoop-protocol.rst).
struct BTSnoop {
    static let magic = Array("btsnoop\0".utf8)
    /// The time 0 of the format is midnight of 1 January of the year 0.
    private static let epoch: Int64 = 0x00DC_DDB3_0F2F_8000

    private enum DataLink: UInt32 {
        /// Packets without the byte that says what they are.
        case unencapsulated = 1001
        case uart = 1002
        case monitor = 2001
    }

    private let dataLink: DataLink

    init(_ source: inout ByteSource) throws {
        var header = PacketFields(try source.take(16))
        guard header.skip(8), let version = header.big(UInt32.self), let link = header.big(UInt32.self) else {
            throw CaptureError(offset: 0, message: "The file ends within its header")
        }
        guard version == 1, let dataLink = DataLink(rawValue: link) else {
            throw CaptureError(
                offset: 8,
                message: """
                    btsnoop version \(version) with datalink \(link) is unknown; this program reads version 1 with \
                    1001, 1002 and 2001
                    """)
        }
        self.dataLink = dataLink
    }

    func next(_ source: inout ByteSource) throws(EndOfCapture) -> CapturedPacket? {
        guard var header = try source.whole(24) else { return nil }
        guard header.skip(4), let length = header.big(UInt32.self), let flags = header.big(UInt32.self),
            let dropped = header.big(UInt32.self), let stamp = header.big(UInt64.self)
        else { throw .cutOff }
        guard length <= CaptureFile.longestPacket else { throw .wrong("A packet cannot have \(length) bytes") }
        let time = Int64(bitPattern: stamp).subtractingReportingOverflow(Self.epoch).partialValue
        let bytes = try source.rest(Int(length))
        var packet = CapturedPacket(number: 0, time: time, kind: .other, bytes: bytes, dropped: dropped)
        switch dataLink {
        case .uart: packet.takeUARTType(isReceived: flags & 1 == 1)
        case .unencapsulated:
            packet.isReceived = flags & 1 == 1
            packet.kind = flags & 2 == 0 ? .acl : flags & 1 == 1 ? .event : .command
        case .monitor: packet.setMonitor(opcode: UInt16(truncatingIfNeeded: flags), adapter: UInt16(flags >> 16))
        }
        return packet
    }
}

extension CapturedPacket {
    /// Takes the first byte, which says what the packet is (Core Specification, volume 4, part A, 2).
    mutating func takeUARTType(isReceived: Bool?) {
        let type = bytes.isEmpty ? 0 : bytes.removeFirst()
        self.isReceived = isReceived
        switch type {
        case 1: kind = .command
        case 2: kind = .acl
        case 4: kind = .event
        default: kind = .other
        }
    }

    /// Sets what the packet is by the opcode of Linux's monitor (BlueZ: doc/btsnoop-protocol.rst).
    mutating func setMonitor(opcode: UInt16, adapter: UInt16) {
        self.adapter = adapter
        switch opcode {
        case 0, 10: kind = .adapterAdded
        case 1: kind = .adapterRemoved
        case 2: kind = .command
        case 3: kind = .event
        case 4, 5: kind = .acl
        case 8: kind = .adapterPowered(true)
        case 9: kind = .adapterPowered(false)
        default: kind = .other
        }
        if opcode == 0 { bytes = Array(bytes.dropFirst(2)) }
        isReceived = opcode == 3 || opcode == 5
    }
}
