import CoreBlueZ
import FoundationEssentials

/// The card reader's frames: STX (0x02), command, subcommand, length of the data (2 bytes, high byte first), data, and
/// a CRC (2 bytes) of all but STX.
///
/// The result does not depend on how the bytes are split. If a valid frame begins at a byte, it is returned, and the
/// search continues after it. Otherwise the search continues with the next byte, even within a frame whose CRC is
/// wrong. So **every valid frame that does not overlap an earlier valid one is found**, whatever surrounds it. (Random
/// bytes form a valid frame with a probability of 1 in 65,536 for each 0x02 in them.)
///
/// A 0x02 in invalid bytes may announce more bytes than arrive. What follows it is found when the announced number of
/// bytes has arrived, at the latest after `idleGap` without a byte. Between two calls of `receive`, at most the length
/// of the longest frame is kept, and no byte is examined more often than that.
public struct CardReaderFraming: Framing {
    /// The byte with which each frame begins (STX).
    public static let startOfText: UInt8 = 0x02
    /// The number of bytes of a frame in addition to its data.
    public static let overhead = 7

    /// The algorithm of the CRC; CCITT-FALSE by default.
    public let checksum: CRC16
    /// The order of the two bytes of the CRC; the high byte first by default.
    public let checksumByteOrder: ByteOrder
    /// The greatest length of a frame in bytes, which is the size of the reader's buffer; 512 by default.
    public let maximumFrameLength: Int
    /// The pause that ends an incomplete frame; 1 s by default.
    public let idleGap: Duration
    private var buffer: [UInt8] = []

    /// Creates the framing. The reader's manual says which CRC it uses. The defaults are the most common ones.
    public init(
        checksum: CRC16 = .ccittFalse,
        checksumByteOrder: ByteOrder = .bigEndian,
        maximumFrameLength: Int = 512,
        idleGap: Duration = .seconds(1)
    ) {
        self.checksum = checksum
        self.checksumByteOrder = checksumByteOrder
        self.maximumFrameLength = min(max(maximumFrameLength, Self.overhead), Self.overhead + 0xFFFF)
        self.idleGap = max(idleGap, .zero)
    }

    /// Returns the frame of a message.
    public func encode(_ message: CardReaderFrame) throws(BluetoothError) -> Data {
        try message.data.checkLength(maximumFrameLength - Self.overhead)
        let length = message.data.count
        var bytes = Data([message.command, message.subcommand, UInt8(length >> 8), UInt8(length & 0xFF)])
        bytes.append(message.data)
        let sum = checksum.checksum(of: bytes)
        let sumBytes = [UInt8(sum >> 8), UInt8(sum & 0xFF)]
        return Data([Self.startOfText]) + bytes + (checksumByteOrder == .bigEndian ? sumBytes : sumBytes.reversed())
    }

    /// Returns the complete frames, and errors for bytes that cannot belong to one.
    public mutating func receive(_ bytes: Data) -> [Result<CardReaderFrame, FramingError>] {
        buffer.append(contentsOf: bytes)
        return search(isOver: false)
    }

    /// The idle gap, while a frame is incomplete.
    public var idleDeadline: Duration? { buffer.isEmpty ? nil : idleGap }

    /// Drops the incomplete frame, and returns the valid frames within it.
    public mutating func idle() -> [Result<CardReaderFrame, FramingError>] { search(isOver: true) }

    /// Drops the incomplete frame, and returns the valid frames within it.
    public mutating func finish() -> [Result<CardReaderFrame, FramingError>] { search(isOver: true) }

    /// Discards the incomplete frame.
    public mutating func clear() { buffer = [] }

    // MARK: The search

    private enum Candidate {
        case frame(CardReaderFrame, length: Int)
        case incomplete
        /// There is no frame. The error covers this many bytes.
        case none(FramingError.Reason, length: Int)
    }

    /// Consecutive bytes that belong to no frame.
    private struct Run {
        let reason: FramingError.Reason
        let start: Int
        /// The earliest end of the bytes that the error covers.
        let end: Int

        func goesOn(at place: Int, _ reason: FramingError.Reason) -> Bool {
            place < end || reason == .garbage && self.reason != .wrongChecksum
        }
    }

    /// Removes the bytes from the buffer whose frames are known or, with `isOver`, all bytes.
    private mutating func search(isOver: Bool) -> [Result<CardReaderFrame, FramingError>] {
        var events: [Result<CardReaderFrame, FramingError>] = []
        var run: Run?
        var place = 0
        func endRun() {
            guard let ended = run else { return }
            events.append(.failure(FramingError(ended.reason, Data(buffer[ended.start..<place]))))
            run = nil
        }
        search: while place < buffer.count {
            let reason: FramingError.Reason
            let length: Int
            switch candidate(at: place) {
            case .frame(let frame, let length):
                endRun()
                events.append(.success(frame))
                place += length
                continue search
            case .incomplete where !isOver: break search
            case .incomplete: (reason, length) = (.cutOff, buffer.count - place)
            case .none(let why, let count): (reason, length) = (why, count)
            }
            if run?.goesOn(at: place, reason) != true {
                endRun()
                run = Run(reason: reason, start: place, end: place + length)
            }
            place += 1
        }
        endRun()
        buffer.removeFirst(place)
        return events
    }

    private func candidate(at start: Int) -> Candidate {
        guard buffer[start] == Self.startOfText else { return .none(.garbage, length: 1) }
        let header = 5
        guard buffer.count - start >= header else { return .incomplete }
        let dataLength = Int(buffer[start + 3]) << 8 | Int(buffer[start + 4])
        let length = dataLength + Self.overhead
        guard length <= maximumFrameLength else { return .none(.impossibleLength, length: header) }
        guard buffer.count - start >= length else { return .incomplete }
        let end = start + header + dataLength
        let sum =
            checksumByteOrder == .bigEndian
            ? UInt16(lowByte: buffer[end + 1], highByte: buffer[end])
            : UInt16(lowByte: buffer[end], highByte: buffer[end + 1])
        guard checksum.checksum(of: buffer[start + 1..<end]) == sum else {
            return .none(.wrongChecksum, length: length)
        }
        let frame = CardReaderFrame(
            command: buffer[start + 1], subcommand: buffer[start + 2], data: Data(buffer[start + header..<end]))
        return .frame(frame, length: length)
    }
}

/// A message to or from the framed card reader.
public struct CardReaderFrame: Hashable, Sendable {
    /// The first byte of the command number.
    public var command: UInt8
    /// The second byte of the command number.
    public var subcommand: UInt8
    /// The data that follow; empty by default.
    public var data: Data

    /// Creates a message.
    public init(command: UInt8, subcommand: UInt8, data: Data = Data()) {
        self.command = command
        self.subcommand = subcommand
        self.data = data
    }
}
