import CoreBlueZ
import FoundationEssentials

/// Each message is preceded by its length.
///
/// Only a pause shows where a message begins: after an impossible length, everything is dropped until no byte has
/// arrived for the idle gap, including an incomplete message. No more than the longest message and its length are kept
/// between two calls of `receive`.
public struct LengthPrefixedFraming: Framing {
    /// How many bytes the length has.
    public enum Width: Int, Hashable, Sendable, CaseIterable {
        /// Up to 255.
        case one = 1
        /// Up to 65,535.
        case two = 2
        /// Up to 16,777,215.
        case three = 3
        /// Up to 4,294,967,295.
        case four = 4
    }

    /// What the length counts.
    public enum Counted: Hashable, Sendable {
        /// The bytes after the length.
        case message
        /// The length itself and what follows it.
        case lengthAndMessage
    }

    /// How many bytes the length has.
    public let width: Width
    /// Their order.
    public let byteOrder: ByteOrder
    /// What the length counts.
    public let counted: Counted
    /// The longest message in bytes, without the length.
    public let maximumLength: Int
    /// The pause that ends an incomplete message.
    public let idleGap: Duration
    private var buffer: [UInt8] = []
    private var isLost = false

    /// Makes a framing with length prefixes.
    public init(
        width: Width = .two,
        byteOrder: ByteOrder = .bigEndian,
        counted: Counted = .message,
        maximumLength: Int = 65_536,
        idleGap: Duration = .seconds(1)
    ) {
        self.width = width
        self.byteOrder = byteOrder
        self.counted = counted
        let greatest = 1 << (8 * width.rawValue) - 1
        let prefix = counted == .message ? 0 : width.rawValue
        self.maximumLength = min(max(maximumLength, 0), greatest - prefix)
        self.idleGap = max(idleGap, .zero)
    }

    private var prefixCounted: Int { counted == .message ? 0 : width.rawValue }

    /// Returns the length and the message.
    public func encode(_ message: Data) throws(BluetoothError) -> Data {
        try message.checkLength(maximumLength)
        let length = message.count + prefixCounted
        let bytes = (0..<width.rawValue).map { UInt8(truncatingIfNeeded: length >> (8 * $0)) }
        return Data(byteOrder == .bigEndian ? bytes.reversed() : bytes) + message
    }

    /// Returns the complete messages.
    public mutating func receive(_ bytes: Data) -> [Result<Data, FramingError>] {
        guard !isLost else { return [] }
        buffer.append(contentsOf: bytes)
        var events: [Result<Data, FramingError>] = []
        var start = 0
        while buffer.count - start >= width.rawValue {
            let prefix = buffer[start..<start + width.rawValue]
            let ordered = byteOrder == .bigEndian ? Array(prefix) : prefix.reversed()
            let length = ordered.reduce(0) { $0 << 8 | Int($1) } - prefixCounted
            guard (0...maximumLength).contains(length) else {
                events.append(.failure(FramingError(.impossibleLength, Data(buffer[start...]))))
                buffer = []
                isLost = true
                return events
            }
            let end = start + width.rawValue + length
            guard end <= buffer.count else { break }
            events.append(.success(Data(buffer[end - length..<end])))
            start = end
        }
        buffer.removeFirst(start)
        return events
    }

    /// The idle gap, while a message is incomplete.
    public var idleDeadline: Duration? { buffer.isEmpty && !isLost ? nil : idleGap }

    /// Drops the incomplete message: the next byte begins a message.
    public mutating func idle() -> [Result<Data, FramingError>] {
        defer { clear() }
        return buffer.isEmpty ? [] : [.failure(FramingError(.cutOff, Data(buffer)))]
    }

    /// Reports an incomplete message as cut off.
    public mutating func finish() -> [Result<Data, FramingError>] { idle() }

    /// Discards an incomplete message.
    public mutating func clear() {
        buffer = []
        isLost = false
    }
}
