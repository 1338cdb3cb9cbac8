@testable import BlueZRecording

/// Builds captures for tests.
struct CaptureBuilder {
    enum Format: CaseIterable {
        case android
        case unencapsulated
        case btmon
        case packetLogger
        case packetLoggerLittle
        case wireshark
        case wiresharkMonitor
        case wiresharkBig
        /// Classic pcap of `idevicebtlogger`: high bytes first, microseconds.
        case idevice
        /// Classic pcap of tcpdump on `bluetooth0`, low bytes first, and with nanoseconds.
        case tcpdump
        case tcpdumpNanoseconds
        /// Classic pcap of tcpdump on `bluetooth-monitor`, and one without directions.
        case tcpdumpMonitor
        case pcapWithoutDirection
        /// High bytes first, nanoseconds.
        case pcapBigNanoseconds
    }

    struct Packet {
        /// As in UART's first byte.
        var type: UInt8
        var isReceived: Bool
        var bytes: [UInt8]
        /// Shorter if the capture doesn't have all.
        var captured: Int
    }

    /// The time of the first packet: 26 November 2026, 10:00.
    static let began: Int64 = 1_795_687_200_000_000
    /// Between two packets.
    static let step: Int64 = 1000
    static let address: [UInt8] = [0xC0, 1, 2, 3, 4, 5]

    private(set) var packets: [Packet] = []

    // MARK: Packets

    mutating func add(_ type: UInt8, received: Bool, _ bytes: [UInt8], captured: Int? = nil) {
        packets.append(Packet(type: type, isReceived: received, bytes: bytes, captured: captured ?? bytes.count))
    }

    mutating func event(_ code: UInt8, _ parameters: [UInt8]) {
        add(4, received: true, [code, UInt8(parameters.count)] + parameters)
    }

    mutating func command(_ opcode: UInt16, _ parameters: [UInt8]) {
        add(1, received: false, Self.low(opcode) + [UInt8(parameters.count)] + parameters)
    }

    mutating func report(_ type: UInt8, _ data: [UInt8], rssi: Int8 = -60) {
        let fields = [2, 1, type, 1] + Self.address.reversed() + [UInt8(data.count)]
        event(0x3E, fields + data + [UInt8(bitPattern: rssi)])
    }

    mutating func connect(handle: UInt16 = 0x40, role: UInt8 = 0, status: UInt8 = 0) {
        let link = [1, status] + Self.low(handle) + [role, 1]
        event(0x3E, link + Self.address.reversed() + [24, 0, 0, 0, 72, 0, 0])
    }

    mutating func disconnect(handle: UInt16 = 0x40, reason: UInt8 = 0x13) {
        event(0x05, [0] + Self.low(handle) + [reason])
    }

    mutating func channel(
        _ channel: UInt16, received: Bool, _ payload: [UInt8], handle: UInt16 = 0x40, captured: Int? = nil,
        fragment: Int = .max
    ) {
        let whole = Self.low(UInt16(payload.count)) + Self.low(channel) + payload
        var start = 0
        while start < whole.count {
            let part = Array(whole[start..<min(whole.count, start + min(fragment, whole.count))])
            let flags: UInt16 = start > 0 ? 0x1000 : received ? 0x2000 : 0
            let header = Self.low(handle | flags) + Self.low(UInt16(part.count))
            add(2, received: received, header + part, captured: captured.map { $0 + 8 })
            start += part.count
        }
    }

    mutating func send(_ bytes: [UInt8], captured: Int? = nil) {
        channel(4, received: false, bytes, captured: captured)
    }

    mutating func receive(_ bytes: [UInt8], captured: Int? = nil, fragment: Int = .max) {
        channel(4, received: true, bytes, captured: captured, fragment: fragment)
    }

    static func low(_ number: UInt16) -> [UInt8] { [UInt8(number & 0xFF), UInt8(number >> 8)] }

    static func big<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
        stride(from: Number.bitWidth - 8, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> Number($0)) }
    }

    // MARK: Files

    func file(_ format: Format) -> [UInt8] {
        switch format {
        case .android, .unencapsulated, .btmon: btsnoop(format)
        case .packetLogger, .packetLoggerLittle: packetLogger(isBig: format == .packetLogger)
        case .wireshark, .wiresharkMonitor, .wiresharkBig: pcapng(format)
        case .idevice: pcap(isBig: true, linkType: 201)
        case .tcpdump: pcap(isBig: false, linkType: 201)
        case .tcpdumpNanoseconds: pcap(isBig: false, linkType: 201, nanoseconds: true)
        case .tcpdumpMonitor: pcap(isBig: false, linkType: 254)
        case .pcapWithoutDirection: pcap(isBig: false, linkType: 187)
        case .pcapBigNanoseconds: pcap(isBig: true, linkType: 201, nanoseconds: true)
        }
    }

    private func pcap(isBig: Bool, linkType: UInt32, nanoseconds: Bool = false) -> [UInt8] {
        func number(_ value: UInt32) -> [UInt8] { Self.big(isBig ? value : value.byteSwapped) }
        func short(_ value: UInt16) -> [UInt8] { Self.big(isBig ? value : value.byteSwapped) }
        var file = number(nanoseconds ? 0xA1B2_3C4D : 0xA1B2_C3D4) + short(2) + short(4)
        file += number(0) + number(0) + number(2048) + number(linkType)
        for (index, packet) in packets.enumerated() {
            let time = Self.began + Int64(index) * Self.step
            let fraction = time % 1_000_000 * (nanoseconds ? 1000 : 1)
            let data = prefix(packet, linkType) + packet.bytes.prefix(packet.captured)
            let original = data.count + packet.bytes.count - packet.captured
            file += number(UInt32(time / 1_000_000)) + number(UInt32(fraction)) + number(UInt32(data.count))
            file += number(UInt32(original)) + data
        }
        return file
    }

    /// What is in front of a packet in pcap and pcapng.
    private func prefix(_ packet: Packet, _ linkType: UInt32) -> [UInt8] {
        switch linkType {
        case 254: Self.big(UInt16(0)) + Self.big(opcode(packet))
        case 187: [packet.type]
        default: Self.big(UInt32(packet.isReceived ? 1 : 0)) + [packet.type]
        }
    }

    private func opcode(_ packet: Packet) -> UInt16 {
        switch packet.type {
        case 1: 2
        case 4: 3
        default: packet.isReceived ? 5 : 4
        }
    }

    private func btsnoop(_ format: Format) -> [UInt8] {
        let link: UInt32 = format == .android ? 1002 : format == .btmon ? 2001 : 1001
        var file = Array("btsnoop\0".utf8) + Self.big(UInt32(1)) + Self.big(link)
        for (index, packet) in packets.enumerated() {
            let prefix = format == .android ? [packet.type] : []
            let bytes = prefix + packet.bytes.prefix(packet.captured)
            let received: UInt32 = packet.isReceived ? 1 : 0
            let flags = format == .btmon ? UInt32(opcode(packet)) : received | (packet.type == 2 ? 0 : 2)
            let time = Self.began + Int64(index) * Self.step + 0x00DC_DDB3_0F2F_8000
            file += Self.big(UInt32(prefix.count + packet.bytes.count)) + Self.big(UInt32(bytes.count))
            file += Self.big(flags) + Self.big(UInt32(0)) + Self.big(time) + bytes
        }
        return file
    }

    private func packetLogger(isBig: Bool) -> [UInt8] {
        var file: [UInt8] = []
        for (index, packet) in packets.enumerated() {
            let time = Self.began + Int64(index) * Self.step
            let type: UInt8 = packet.type == 1 ? 0 : packet.type == 4 ? 1 : packet.isReceived ? 3 : 2
            let bytes = packet.bytes.prefix(packet.captured)
            for number in [UInt32(bytes.count + 9), UInt32(time / 1_000_000), UInt32(time % 1_000_000)] {
                file += Self.big(isBig ? number : number.byteSwapped)
            }
            file += [type] + bytes
        }
        return file
    }

    private func pcapng(_ format: Format) -> [UInt8] {
        let isBig = format == .wiresharkBig
        func number(_ value: UInt32) -> [UInt8] { Self.big(isBig ? value : value.byteSwapped) }
        func short(_ value: UInt16) -> [UInt8] { Self.big(isBig ? value : value.byteSwapped) }
        func block(_ type: UInt32, _ body: [UInt8]) -> [UInt8] {
            let padded = body + [UInt8](repeating: 0, count: (4 - body.count % 4) % 4)
            let length = number(UInt32(padded.count + 12))
            return number(type) + length + padded + length
        }
        let section = number(0x1A2B_3C4D) + short(1) + short(0) + [UInt8](repeating: 0xFF, count: 8)
        let link: UInt16 = format == .wiresharkMonitor ? 254 : 201
        // Nanoseconds, and a block that is skipped.
        let options = short(9) + short(1) + [9, 0, 0, 0] + number(0)
        var file = block(0x0A0D_0D0A, section) + block(1, short(link) + short(0) + number(0) + options)
        file += block(5, number(7))
        for (index, packet) in packets.enumerated() {
            let time = UInt64(Self.began + Int64(index) * Self.step) * 1000
            var data = prefix(packet, UInt32(link))
            let original = data.count + packet.bytes.count
            data += packet.bytes.prefix(packet.captured)
            let header = number(0) + number(UInt32(time >> 32)) + number(UInt32(truncatingIfNeeded: time))
            file += block(6, header + number(UInt32(data.count)) + number(UInt32(original)) + data)
        }
        return file
    }
}
