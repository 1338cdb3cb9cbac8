import CoreBlueZ
import FoundationEssentials

/// A framing in which each message is preceded by its length.
///
/// After an impossible length, only a pause shows where the next message begins. So everything is dropped until no byte
/// has arrived for the idle gap, including an incomplete message. No more than the longest message and its length are
/// kept between two calls of `receive`.
public struct LengthPrefixedFraming: Framing {
    /// The number of bytes of the length.
    public enum Width: Int, Hashable, Sendable, CaseIterable {
        /// One byte: up to 255.
        case one = 1
        /// Two bytes: up to 65,535.
        case two = 2
        /// Three bytes: up to 16,777,215.
        case three = 3
        /// Four bytes: up to 4,294,967,295.
        case four = 4
    }

    /// The bytes that the length counts.
    public enum Counted: Hashable, Sendable {
        /// The bytes after the length.
        case message
        /// The length itself, and the bytes after it.
        case lengthAndMessage
    }

    /// How many bytes the length has.
    public let width: Width
    /// The order of the bytes of the length.
    public let byteOrder: ByteOrder
    /// The bytes that the length counts.
    public let counted: Counted
    /// The greatest length of a message in bytes, without the prefix; 65,536 by default.
    public let maximumLength: Int
    /// The pause that ends an incomplete message; 1 s by default.
    public let idleGap: Duration
    private var buffer: [UInt8] = []
    private var isLost = false

    /// Creates a framing with length prefixes.
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

    /// Drops the incomplete message. The next byte begins a message.
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
