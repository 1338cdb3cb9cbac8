import BlueZSimulator

/// A card reader with commands and responses in frames: magnetic tracks and APDUs. Its command numbers are this
/// project's own, except for C1 07 00 00, the example of the article that describes the frame. It ignores commands with
/// a wrong CRC, and bytes outside of frames.
public final class CardReaderScript: SerialScript {
    /// The CRC of the frames: polynomial 0x1021 of 16 bits.
    public struct Checksum: Hashable, Sendable {
        /// The initial value.
        public var initialValue: UInt16
        /// Whether the lowest bit comes first.
        public var isReflected: Bool
        /// Whether the low byte is sent first.
        public var isLowByteFirst: Bool

        /// Makes a CRC; by default CCITT-FALSE with the high byte first.
        public init(initialValue: UInt16 = 0xFFFF, isReflected: Bool = false, isLowByteFirst: Bool = false) {
            self.initialValue = initialValue
            self.isReflected = isReflected
            self.isLowByteFirst = isLowByteFirst
        }

        /// The two bytes after a frame, computed bit by bit.
        func bytes(of body: some Sequence<UInt8>) -> [UInt8] {
            var register = initialValue
            for byte in body {
                for bit in 0..<8 {
                    let incoming = UInt16(byte >> (isReflected ? bit : 7 - bit)) & 1
                    if isReflected {
                        let isSet = (register ^ incoming) & 1 == 1
                        register = register >> 1 ^ (isSet ? 0x8408 : 0)
                    } else {
                        let isSet = (register >> 15 ^ incoming) & 1 == 1
                        register = register << 1 ^ (isSet ? 0x1021 : 0)
                    }
                }
            }
            let bytes = [UInt8(register >> 8), UInt8(register & 0xFF)]
            return isLowByteFirst ? bytes.reversed() : bytes
        }
    }

    /// A fault of a response.
    public enum Fault: Hashable, Sendable {
        /// There is no response.
        case silence
        /// It is preceded by meaningless bytes, among them an STX.
        case garbage
        /// Its CRC is wrong.
        case wrongChecksum
        /// Its length is more than a reader can send.
        case impossibleLength
        /// Its last bytes are missing.
        case cutOff
        /// An unsolicited frame follows in the same notification.
        case unsolicitedFrame
    }

    /// The reader's buffer: it ignores longer frames.
    public static let bufferSize = 512

    /// The data on the card's stripe.
    public var tracks = Array("%B4111111111111111^DOE/JANE^29121010000000000?;4111111111111111=29121010000000000?".utf8)
    /// The faults of the next responses, one each; later responses have none.
    public var faults: [Fault] = []
    /// The commands that were understood: command, subcommand and data.
    public private(set) var commands: [[UInt8]] = []

    private let checksum: Checksum
    private var buffer: [UInt8] = []

    /// Makes a reader with a card in it.
    public init(_ checksum: Checksum = Checksum()) {
        self.checksum = checksum
    }

    /// Returns the responses to complete commands.
    public func received(_ bytes: [UInt8]) -> [[UInt8]] {
        buffer += bytes
        var pieces: [[UInt8]] = []
        while let start = buffer.firstIndex(of: 0x02) {
            buffer.removeFirst(start)
            guard buffer.count >= 5 else { return pieces }
            let length = Int(buffer[3]) << 8 | Int(buffer[4])
            let end = length + 7
            guard end <= Self.bufferSize else {
                buffer.removeFirst()
                continue
            }
            guard buffer.count >= end else { return pieces }
            let body = Array(buffer[1..<end - 2])
            guard checksum.bytes(of: body) == Array(buffer[end - 2..<end]) else {
                buffer.removeFirst()
                continue
            }
            buffer.removeFirst(end)
            pieces += response(body[0], body[1], Array(body[4...]))
        }
        buffer.removeAll()
        return pieces
    }

    /// An incomplete command is discarded.
    public func disconnected() { buffer.removeAll() }

    /// A frame.
    public func frame(_ command: UInt8, _ subcommand: UInt8, _ data: [UInt8]) -> [UInt8] {
        let body = [command, subcommand, UInt8(data.count >> 8 & 0xFF), UInt8(data.count & 0xFF)] + data
        return [0x02] + body + checksum.bytes(of: body)
    }

    private func response(_ command: UInt8, _ subcommand: UInt8, _ data: [UInt8]) -> [[UInt8]] {
        commands.append([command, subcommand] + data)
        let response =
            switch (command, subcommand) {
            case (0xC1, 0x07): frame(command, subcommand, tracks)
            case (0xC1, 0x08): frame(command, subcommand, response(to: data))
            default: frame(0xFF, subcommand, [command])
            }
        guard !faults.isEmpty else { return [response] }
        switch faults.removeFirst() {
        case .silence: return []
        case .garbage: return [[0x55, 0x02, 0x00, 0x00, 0x00, 0x03, 0xAA] + response]
        case .wrongChecksum: return [response.dropLast() + [response[response.count - 1] ^ 0xFF]]
        case .impossibleLength: return [response.prefix(3) + [0xFF, 0xFF] + response.dropFirst(5)]
        case .cutOff: return [response.dropLast(4)]
        case .unsolicitedFrame: return [frame(0xEE, 0x01, [1]) + response]
        }
    }

    /// The chip's response: the payment environment can be selected; anything else is unknown.
    private func response(to apdu: [UInt8]) -> [UInt8] {
        guard apdu.starts(with: [0x00, 0xA4, 0x04, 0x00]) else { return [0x6D, 0x00] }
        let name = Array(apdu.dropFirst(5).prefix(Int(apdu.dropFirst(4).first ?? 0)))
        return [0x6F, UInt8(truncatingIfNeeded: name.count + 2), 0x84, UInt8(truncatingIfNeeded: name.count)] + name
            + [0x90, 0x00]
    }
}
