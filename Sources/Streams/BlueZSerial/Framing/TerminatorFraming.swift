import CoreBlueZ
import FoundationEssentials

/// A framing in which each message ends with certain bytes, such as CR LF, which it cannot contain.
///
/// The message after a terminator is always found, whatever precedes it. No more than the longest message and a
/// terminator are kept between two calls of `receive`.
public struct TerminatorFraming: Framing {
    /// The bytes that end a message.
    public let terminator: Data
    /// The greatest length of a message in bytes, without the terminator; 65,536 by default.
    public let maximumLength: Int
    private let pattern: [UInt8]
    private var buffer: [UInt8] = []
    /// No terminator begins in the buffer before this index.
    private var searched = 0
    private var isSkipping = false

    /// Creates a framing with terminators. An empty terminator means LF.
    public init(_ terminator: Data = Data([0x0D, 0x0A]), maximumLength: Int = 65_536) {
        self.terminator = terminator.isEmpty ? Data([0x0A]) : terminator
        self.maximumLength = max(maximumLength, 0)
        pattern = Array(self.terminator)
    }

    /// Returns the message and the terminator.
    public func encode(_ message: Data) throws(BluetoothError) -> Data {
        try message.checkLength(maximumLength)
        let bytes = message + terminator
        // The end of a message can also form a terminator with the first bytes of the real one.
        guard firstTerminator(in: Array(bytes), from: 0) == message.count else {
            throw BluetoothError(
                .invalidArguments, "The message contains the terminator and would end there; remove it")
        }
        return bytes
    }

    /// Returns the messages, without their terminators.
    public mutating func receive(_ bytes: Data) -> [Result<Data, FramingError>] {
        buffer.append(contentsOf: bytes)
        var events: [Result<Data, FramingError>] = []
        var start = 0
        while let end = firstTerminator(in: buffer, from: max(start, searched)) {
            if !isSkipping {
                let message = Data(buffer[start..<end])
                events.append(
                    message.count > maximumLength ? .failure(FramingError(.tooLong, message)) : .success(message))
            }
            isSkipping = false
            start = end + pattern.count
        }
        buffer.removeFirst(start)
        if buffer.count - pattern.count >= maximumLength {
            if !isSkipping { events.append(.failure(FramingError(.tooLong, Data(buffer)))) }
            isSkipping = true
            buffer.removeFirst(buffer.count - pattern.count + 1)
        }
        searched = max(0, buffer.count - pattern.count + 1)
        return events
    }

    private func firstTerminator(in bytes: [UInt8], from start: Int) -> Int? {
        guard start + pattern.count <= bytes.count else { return nil }
        return (start...bytes.count - pattern.count).first { index in
            pattern.indices.allSatisfy { bytes[index + $0] == pattern[$0] }
        }
    }

    /// Always nil, because a message may take any time.
    public var idleDeadline: Duration? { nil }

    /// Whether bytes have arrived since the last terminator.
    public var isIncomplete: Bool { !buffer.isEmpty || isSkipping }

    /// Returns nothing.
    public mutating func idle() -> [Result<Data, FramingError>] { [] }

    /// Reports bytes without a terminator as cut off.
    public mutating func finish() -> [Result<Data, FramingError>] {
        defer { clear() }
        return buffer.isEmpty || isSkipping ? [] : [.failure(FramingError(.cutOff, Data(buffer)))]
    }

    /// Discards the bytes since the last terminator.
    public mutating func clear() {
        buffer = []
        searched = 0
        isSkipping = false
    }
}
