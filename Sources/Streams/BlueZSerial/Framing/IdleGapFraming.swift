import CoreBlueZ
import FoundationEssentials

/// A framing by pauses. A message ends when no byte has arrived for a while.
///
/// Two messages with a shorter pause between them count as one, which cannot be detected. After a message that is too
/// long, the next one begins after the next gap. No more than the longest message is kept.
public struct IdleGapFraming: Framing {
    /// The pause that ends a message.
    public let gap: Duration
    /// The greatest length of a message in bytes; 65,536 by default.
    public let maximumLength: Int
    private var message = Data()
    private var isSkipping = false

    /// Creates a framing by pauses.
    public init(gap: Duration, maximumLength: Int = 65_536) {
        self.gap = max(gap, .zero)
        self.maximumLength = max(maximumLength, 1)
    }

    /// Returns the message unchanged. An empty message cannot be sent (`invalidArguments`).
    public func encode(_ message: Data) throws(BluetoothError) -> Data {
        guard !message.isEmpty else {
            throw BluetoothError(.invalidArguments, "There are no bytes to send; give at least one")
        }
        try message.checkLength(maximumLength)
        return message
    }

    /// Keeps the bytes until the gap.
    public mutating func receive(_ bytes: Data) -> [Result<Data, FramingError>] {
        guard !isSkipping else { return [] }
        message.append(bytes)
        guard message.count > maximumLength else { return [] }
        defer { message = Data() }
        isSkipping = true
        return [.failure(FramingError(.tooLong, message))]
    }

    /// The gap, while a message is incomplete.
    public var idleDeadline: Duration? { message.isEmpty && !isSkipping ? nil : gap }

    /// Ends the message.
    public mutating func idle() -> [Result<Data, FramingError>] {
        defer { clear() }
        return message.isEmpty ? [] : [.success(message)]
    }

    /// Reports the bytes since the last gap as cut off, because more may have been intended.
    public mutating func finish() -> [Result<Data, FramingError>] {
        defer { clear() }
        return message.isEmpty ? [] : [.failure(FramingError(.cutOff, message))]
    }

    /// Discards the bytes since the last gap.
    public mutating func clear() {
        message = Data()
        isSkipping = false
    }
}

extension Data {
    /// - Throws: `BluetoothError.Code.valueTooLong` if there are more bytes than the limit.
    func checkLength(_ limit: Int) throws(BluetoothError) {
        guard count > limit else { return }
        throw BluetoothError(.valueTooLong, "A message of \(count) bytes is too long: the limit is \(limit)")
    }
}
