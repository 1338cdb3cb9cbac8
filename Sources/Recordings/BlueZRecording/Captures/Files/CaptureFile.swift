/// Reads the packets of a capture, one after another.
struct CaptureFile {
    /// The most bytes of a packet. The largest that HCI has is 65,540.
    static let longestPacket = 1 << 17

    private enum Format {
        case btsnoop(BTSnoop)
        case packetLogger(PacketLogger)
        case pcap(PCAP)
        case pcapng(PCAPNG)
    }

    private(set) var source: ByteSource
    private var format: Format
    private var number = 0
    /// Whether the file ends within a packet.
    private(set) var isCutOff = false

    /// Recognizes the format by the first bytes.
    init(_ source: ByteSource) throws {
        self.source = source
        let start = try self.source.peek(16)
        guard !start.isEmpty else { throw CaptureError(offset: 0, message: "The file is empty") }
        if start.starts(with: BTSnoop.magic) {
            format = .btsnoop(try BTSnoop(&self.source))
        } else if start.starts(with: PCAPNG.magic) {
            format = .pcapng(PCAPNG())
        } else if let pcap = try PCAP(&self.source) {
            format = .pcap(pcap)
        } else if let logger = PacketLogger(start) {
            format = .packetLogger(logger)
        } else {
            throw CaptureError(
                offset: 0,
                message: "This is no capture that can be read: btsnoop, PacketLogger (.pklg), pcap or pcapng")
        }
    }

    /// Why the file has no packets, at its end.
    var emptiness: String {
        if isCutOff { return "The file ends within its first packet" }
        if case .pcapng(let reader) = format, let type = reader.otherLinkType {
            return LinkType.refusal(of: UInt32(type))
        }
        return "The capture contains no HCI packets"
    }

    /// Returns the next packet; nil at the end.
    mutating func next() throws -> CapturedPacket? {
        let start = source.offset
        do throws(EndOfCapture) {
            let packet: CapturedPacket?
            switch format {
            case .btsnoop(let reader): packet = try reader.next(&source)
            case .packetLogger(let reader): packet = try reader.next(&source)
            case .pcap(let reader): packet = try reader.next(&source)
            case .pcapng(var reader):
                packet = try reader.next(&source)
                format = .pcapng(reader)
            }
            guard var packet else { return nil }
            number += 1
            packet.number = number
            return packet
        } catch {
            switch error {
            case .cutOff:
                isCutOff = true
                return nil
            case .wrong(let message): throw CaptureError(offset: start, message: message)
            case .source(let error): throw error
            }
        }
    }
}

/// Why there is no next packet.
enum EndOfCapture: Error {
    /// The file ends within the packet.
    case cutOff
    case wrong(String)
    case source(any Error)
}

extension ByteSource {
    /// Takes exactly this many bytes; nil at the end.
    mutating func whole(_ count: Int) throws(EndOfCapture) -> PacketFields? {
        let bytes: [UInt8]
        do { bytes = try take(count) } catch { throw .source(error) }
        if bytes.isEmpty, count > 0 { return nil }
        guard bytes.count == count else { throw .cutOff }
        return PacketFields(bytes)
    }

    /// Takes exactly this many bytes.
    mutating func rest(_ count: Int) throws(EndOfCapture) -> [UInt8] {
        guard let fields = try whole(count) else { throw .cutOff }
        return Array(fields.rest)
    }

    /// Skips this many bytes, in pieces.
    mutating func skip(_ count: Int) throws(EndOfCapture) {
        var left = count
        while left > 0 {
            let piece = min(left, 1 << 16)
            _ = try rest(piece)
            left -= piece
        }
    }
}
