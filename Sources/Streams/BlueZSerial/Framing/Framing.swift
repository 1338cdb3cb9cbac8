import CoreBlueZ
import FoundationEssentials

/// A rule that delimits messages in a stream of bytes, which arrive in arbitrary pieces.
///
/// A framing is a value without a clock or a link, which `FramedStream` provides. Bytes that cannot be a message are
/// reported as an error among the messages, and the framing resynchronizes. Each framing documents when.
public protocol Framing<Message>: Sendable {
    /// The type of the messages.
    associatedtype Message: Sendable

    /// Encodes a message.
    ///
    /// - Throws: `BluetoothError.Code.valueTooLong` if the message is longer than the framing allows,
    ///   `invalidArguments` if the receiver could not find the end of the message.
    func encode(_ message: Message) throws(BluetoothError) -> Data

    /// Receives the next bytes, and returns the messages that they complete, in order.
    mutating func receive(_ bytes: Data) -> [Result<Message, FramingError>]

    /// The time after the last byte at which to call `idle` if no other byte arrives, or nil if the framing is not
    /// waiting.
    var idleDeadline: Duration? { get }

    /// Whether part of an incomplete message has arrived. By default, it is true while there is an `idleDeadline`.
    var isIncomplete: Bool { get }

    /// Reports that no byte has arrived for `idleDeadline`.
    mutating func idle() -> [Result<Message, FramingError>]

    /// Reports that nothing more will arrive, so an incomplete message is an error.
    mutating func finish() -> [Result<Message, FramingError>]

    /// Discards an incomplete message.
    mutating func clear()
}

extension Framing {
    /// Whether there is an `idleDeadline`.
    public var isIncomplete: Bool { idleDeadline != nil }
}

/// The order of the bytes of a number.
public enum ByteOrder: Hashable, Sendable {
    /// The most significant byte first.
    case bigEndian
    /// The least significant byte first.
    case littleEndian
}

/// Bytes that are not a message.
public struct FramingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The error in the bytes.
    public enum Reason: Hashable, Sendable {
        /// No message begins where one is expected.
        case garbage
        /// The announced length is impossible.
        case impossibleLength
        /// The checksum does not match.
        case wrongChecksum
        /// The message was incomplete when its idle gap was over or the stream ended.
        case cutOff
        /// The message is longer than the limit.
        case tooLong
    }

    /// The error in the bytes.
    public let reason: Reason
    /// The bytes that were dropped, or the first ones if a message is too long.
    public let bytes: Data

    /// Creates an error for bytes that were dropped.
    public init(_ reason: Reason, _ bytes: Data) {
        self.reason = reason
        self.bytes = bytes
    }

    /// The text for users: the reason and the bytes.
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
