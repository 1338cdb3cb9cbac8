import CoreBlueZ
import FoundationEssentials

/// How messages are marked off in a stream of bytes, which arrive in pieces that mean nothing.
///
/// A framing is a value without a clock or a link of its own: `FramedStream` gives it both. What cannot be a message is
/// an error among the messages, and the framing finds its way back; each framing says when.
public protocol Framing<Message>: Sendable {
    /// What is sent and received.
    associatedtype Message: Sendable

    /// The bytes to send for a message.
    ///
    /// - Throws: `BluetoothError.Code.valueTooLong` if the message is longer than the framing allows,
    ///   `invalidArguments` if the receiver could not tell where it ends.
    func encode(_ message: Message) throws(BluetoothError) -> Data

    /// Takes the next bytes and returns what they complete, in order.
    mutating func receive(_ bytes: Data) -> [Result<Message, FramingError>]

    /// How long after the last byte `idle` is to be called if no other byte arrives; nil if the framing does not wait
    /// for anything now.
    var idleDeadline: Duration? { get }

    /// Whether something has arrived of a message that is not complete. Without an implementation of the framing's own,
    /// this is so while there is an `idleDeadline`.
    var isIncomplete: Bool { get }

    /// Learns that no byte arrived for the time of `idleDeadline`.
    mutating func idle() -> [Result<Message, FramingError>]

    /// Learns that nothing more will arrive: what is incomplete is an error now.
    mutating func finish() -> [Result<Message, FramingError>]

    /// Forgets what is incomplete.
    mutating func clear()
}

extension Framing {
    /// Whether the framing waits for something.
    public var isIncomplete: Bool { idleDeadline != nil }
}

/// The order of the bytes of a number.
public enum ByteOrder: Hashable, Sendable {
    /// The most significant byte first.
    case bigEndian
    /// The least significant byte first.
    case littleEndian
}

/// Bytes that are no message.
public struct FramingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong with them.
    public enum Reason: Hashable, Sendable {
        /// They stand where a message would have to begin, and none does.
        case garbage
        /// The length that they give cannot be.
        case impossibleLength
        /// The checksum is another than theirs.
        case wrongChecksum
        /// The message was not complete when its time was over, or the stream.
        case cutOff
        /// The message is longer than the limit that was set.
        case tooLong
    }

    /// What is wrong with them.
    public let reason: Reason
    /// The bytes that were given up; of a message that is too long, the first ones.
    public let bytes: Data

    /// An error for bytes that are given up.
    public init(_ reason: Reason, _ bytes: Data) {
        self.reason = reason
        self.bytes = bytes
    }

    /// What happened, for people.
    public var description: String {
        let what = bytes.count == 1 ? "1 byte" : "\(bytes.count) bytes"
        return switch reason {
        case .garbage: "\(what) that belong to no message were dropped"
        case .impossibleLength: "A message with an impossible length was dropped, \(what)"
        case .wrongChecksum: "A message with a wrong checksum was dropped, \(what); send the request again"
        case .cutOff: "A message broke off after \(what)"
        case .tooLong: "A message longer than the limit was dropped after \(what)"
        }
    }
}
