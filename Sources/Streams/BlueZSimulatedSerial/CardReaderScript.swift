import BlueZSerial
import BlueZSimulator
import FoundationEssentials

/// The script of a card reader with commands and responses in frames, for magnetic tracks and APDUs. Its command
/// numbers are this project's own, except for C1 07 00 00, which is the example of the article that describes the
/// frame. It ignores commands with a wrong CRC, and bytes outside of frames.
public final class CardReaderScript: SerialScript {
    /// A fault of a response, to test how a program handles it.
    public enum Fault: Hashable, Sendable {
        /// There is no response.
        case silence
        /// The response is preceded by meaningless bytes, including an STX.
        case garbage
        /// The CRC of the response is wrong.
        case wrongChecksum
        /// The length of the response is more than a reader can send.
        case impossibleLength
        /// The last bytes of the response are missing.
        case cutOff
        /// An unsolicited frame follows in the same notification.
        case unsolicitedFrame
    }

    /// The data on the card's stripe.
    public var tracks = Array("%B4111111111111111^DOE/JANE^29121010000000000?;4111111111111111=29121010000000000?".utf8)
    /// The faults of the next responses, one per response. Later responses have none.
    public var faults: [Fault] = []
    /// The commands that were understood: command, subcommand and data.
    public private(set) var commands: [[UInt8]] = []

    private var framing: CardReaderFraming

    /// Creates a reader with a card.
    public init(_ framing: CardReaderFraming = CardReaderFraming()) {
        self.framing = framing
    }

    /// Returns the responses to complete commands.
    public func received(_ bytes: [UInt8]) -> [[UInt8]] {
        framing.receive(Data(bytes)).flatMap { (try? $0.get()).map(respond(to:)) ?? [] }
    }

    /// Discards an incomplete command.
    public func disconnected() { framing.clear() }

    /// Returns a frame, or nothing if it is longer than the reader's buffer.
    public func frame(_ command: UInt8, _ subcommand: UInt8, _ data: [UInt8]) -> [UInt8] {
        let message = CardReaderFrame(command: command, subcommand: subcommand, data: Data(data))
        return (try? framing.encode(message)).map { [UInt8]($0) } ?? []
    }

    private func respond(to message: CardReaderFrame) -> [[UInt8]] {
        let (command, subcommand) = (message.command, message.subcommand)
        commands.append([command, subcommand] + message.data)
        let response =
            switch (command, subcommand) {
            case (0xC1, 0x07): frame(command, subcommand, tracks)
            case (0xC1, 0x08): frame(command, subcommand, response(to: [UInt8](message.data)))
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

    /// Returns the chip's response. The payment environment can be selected. Anything else is unknown.
    private func response(to apdu: [UInt8]) -> [UInt8] {
        guard apdu.starts(with: [0x00, 0xA4, 0x04, 0x00]) else { return [0x6D, 0x00] }
        let name = Array(apdu.dropFirst(5).prefix(Int(apdu.dropFirst(4).first ?? 0)))
        return [0x6F, UInt8(truncatingIfNeeded: name.count + 2), 0x84, UInt8(truncatingIfNeeded: name.count)] + name
            + [0x90, 0x00]
    }
}
