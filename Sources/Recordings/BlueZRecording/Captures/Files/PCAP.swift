/// The classic format of tcpdump, Wireshark and idevicebtlogger (draft-ietf-opsawg-pcap), with packets of Bluetooth's
/// link types.
struct PCAP {
    private let isBig: Bool
    private let unitsPerMicrosecond: Int64
    private let linkType: LinkType

    /// Nil if the file doesn't begin like one.
    init?(_ source: inout ByteSource) throws {
        var magic = PacketFields(try source.peek(4))
        switch magic.big(UInt32.self) {
        case 0xA1B2_C3D4: (isBig, unitsPerMicrosecond) = (true, 1)
        case 0xD4C3_B2A1: (isBig, unitsPerMicrosecond) = (false, 1)
        case 0xA1B2_3C4D: (isBig, unitsPerMicrosecond) = (true, 1000)
        case 0x4D3C_B2A1: (isBig, unitsPerMicrosecond) = (false, 1000)
        default: return nil
        }
        var header = PacketFields(try source.take(24))
        guard header.skip(20), let type = header.number(isBig) else {
            throw CaptureError(offset: 0, message: "The file ends within its header")
        }
        // The upper bits are about checksums of packets (pcap/bpf.h of libpcap: LT_LINKTYPE).
        let number = type & 0x03FF_FFFF
        guard let linkType = LinkType(rawValue: number) else {
            throw CaptureError(offset: 20, message: LinkType.refusal(of: number))
        }
        self.linkType = linkType
    }

    func next(_ source: inout ByteSource) throws(EndOfCapture) -> CapturedPacket? {
        guard var header = try source.whole(16) else { return nil }
        guard let seconds = header.number(isBig), let fraction = header.number(isBig),
            let length = header.number(isBig)
        else { throw .cutOff }
        guard length <= CaptureFile.longestPacket else { throw .wrong("A packet cannot have \(length) bytes") }
        let time = Int64(seconds) * 1_000_000 + Int64(fraction) / unitsPerMicrosecond
        return linkType.packet(try source.rest(Int(length)), time: time)
    }
}

/// How pcap and pcapng say what their packets are (www.tcpdump.org/linktypes.html). The link types of hosts.
enum LinkType: UInt32 {
    case uart = 187
    case uartWithDirection = 201
    case monitor = 254

    /// Those of sniffers: BLUETOOTH_LE_LL, BLUETOOTH_LE_LL_WITH_PHDR and NORDIC_BLE.
    private static let sniffers: Set<UInt32> = [251, 256, 272]

    static func isSniffer(_ number: UInt32) -> Bool { sniffers.contains(number) }

    /// Why packets of another link type can't be read.
    static func refusal(of number: UInt32) -> String {
        isSniffer(number)
            ? "The packets are those of a sniffer; this program reads those of a host (HCI)"
            : "The packets have link type \(number); this program reads HCI packets: 187, 201 and 254"
    }

    func packet(_ data: some Sequence<UInt8>, time: Int64) -> CapturedPacket {
        var data = PacketFields(data)
        var packet = CapturedPacket(number: 0, time: time, kind: .other, bytes: [])
        switch self {
        case .uart:
            packet.bytes = Array(data.rest)
            packet.takeUARTType(isReceived: nil)
        case .uartWithDirection:
            let direction = data.big(UInt32.self)
            packet.bytes = Array(data.rest)
            packet.takeUARTType(isReceived: direction.map { $0 & 1 == 1 })
        case .monitor:
            guard let adapter = data.big(UInt16.self), let opcode = data.big(UInt16.self) else { return packet }
            packet.bytes = Array(data.rest)
            packet.setMonitor(opcode: opcode, adapter: adapter)
        }
        return packet
    }
}
