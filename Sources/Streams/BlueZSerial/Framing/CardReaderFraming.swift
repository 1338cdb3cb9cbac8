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
///
/// With `detectsChecksum`, the first frame is taken by its length alone, and shows which CRC the frames have; see
/// `Detection`. Frames with none of the known CRCs are taken by their length.
public struct CardReaderFraming: Framing {
    /// The CRC of the frames that have arrived, as far as they show it.
    public enum Detection: Hashable, Sendable {
        /// No frame has arrived.
        case waiting
        /// The frames have this CRC. Later frames must have it too.
        case found(CardReaderChecksum)
        /// The first frame has none of the known CRCs. All frames are taken by their length.
        case unknown
    }

    /// The byte with which each frame begins (STX).
    public static let startOfText: UInt8 = 0x02
    /// The number of bytes of a frame in addition to its data.
    public static let overhead = 7

    /// The CRC of the frames that `encode` returns: the given one or, with `detectsChecksum`, the one that was found.
    public var checksum: CRC16 { encodedChecksum.crc }
    /// The order of the two bytes of the CRC of the frames that `encode` returns.
    public var checksumByteOrder: ByteOrder { encodedChecksum.byteOrder }
    /// The greatest length of a frame in bytes, which is the size of the reader's buffer; 512 by default.
    public let maximumFrameLength: Int
    /// The pause that ends an incomplete frame; 1 s by default.
    public let idleGap: Duration
    /// The CRC of the received frames; nil without `detectsChecksum`.
    public private(set) var detection: Detection?

    /// The CRCs that the reader may have: all frames so far have each of them. If they are several, such as both byte
    /// orders after a frame whose CRC has two equal bytes, later frames decide.
    private(set) var possible: [CardReaderChecksum]
    private let given: CardReaderChecksum
    private var buffer: [UInt8] = []

    /// Creates the framing. The reader's manual says which CRC it uses. The defaults are the most common ones.
    ///
    /// - Parameters:
    ///   - checksum: the algorithm of the CRC. CCITT-FALSE by default.
    ///   - checksumByteOrder: the order of the two bytes of the CRC. The high byte is first by default.
    ///   - detectsChecksum: whether the first frame that arrives determines the CRC. It can be the given one, or one of
    ///     `CardReaderChecksum.known`. False by default: frames with another CRC than the given one are errors.
    ///   - maximumFrameLength: the size of the reader's buffer in bytes. 512 by default.
    ///   - idleGap: the pause that ends an incomplete frame. 1 s by default.
    public init(
        checksum: CRC16 = .ccittFalse,
        checksumByteOrder: ByteOrder = .bigEndian,
        detectsChecksum: Bool = false,
        maximumFrameLength: Int = 512,
        idleGap: Duration = .seconds(1)
    ) {
        let given = CardReaderChecksum(checksum, checksumByteOrder)
        self.given = given
        detection = detectsChecksum ? .waiting : nil
        possible = [given] + (detectsChecksum ? CardReaderChecksum.known.filter { $0 != given } : [])
        self.maximumFrameLength = min(max(maximumFrameLength, Self.overhead), Self.overhead + 0xFFFF)
        self.idleGap = max(idleGap, .zero)
    }

    private var encodedChecksum: CardReaderChecksum {
        if case .found(let found) = detection { found } else { given }
    }

    /// Returns the frame of a message.
    public func encode(_ message: CardReaderFrame) throws(BluetoothError) -> Data {
        try encode(message, encodedChecksum)
    }

    /// Returns the frame of a message with a CRC.
    func encode(_ message: CardReaderFrame, _ checksum: CardReaderChecksum) throws(BluetoothError) -> Data {
        try message.data.checkLength(maximumFrameLength - Self.overhead)
        let length = message.data.count
        var bytes = Data([message.command, message.subcommand, UInt8(length >> 8), UInt8(length & 0xFF)])
        bytes.append(message.data)
        return Data([Self.startOfText]) + bytes + checksum.bytes(of: bytes)
    }

    /// Returns the complete frames, and errors for bytes that cannot belong to one.
    public mutating func receive(_ bytes: Data) -> [Result<CardReaderFrame, FramingError>] {
        receiveBytes(bytes).map { $0.map(CardReaderFrame.init(bytes:)) }
    }

    /// The idle gap, while a frame is incomplete.
    public var idleDeadline: Duration? { buffer.isEmpty ? nil : idleGap }

    /// Drops the incomplete frame, and returns the valid frames within it.
    public mutating func idle() -> [Result<CardReaderFrame, FramingError>] { finish() }

    /// Drops the incomplete frame, and returns the valid frames within it.
    public mutating func finish() -> [Result<CardReaderFrame, FramingError>] {
        finishBytes().map { $0.map(CardReaderFrame.init(bytes:)) }
    }

    /// Discards the incomplete frame.
    public mutating func clear() { buffer = [] }

    // MARK: The search

    /// Does the same as `receive`, and returns the bytes of the frames.
    mutating func receiveBytes(_ bytes: Data) -> [Result<Data, FramingError>] {
        buffer.append(contentsOf: bytes)
        return search(isOver: false)
    }

    /// Does the same as `finish`, and returns the bytes of the frames.
    mutating func finishBytes() -> [Result<Data, FramingError>] { search(isOver: true) }

    private enum Candidate {
        /// A frame of this length, and the CRCs that it has.
        case frame(length: Int, [CardReaderChecksum])
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
    private mutating func search(isOver: Bool) -> [Result<Data, FramingError>] {
        var events: [Result<Data, FramingError>] = []
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
            case .frame(let length, let checksums):
                endRun()
                record(checksums)
                events.append(.success(Data(buffer[place..<place + length])))
                place += length
                continue search
            case .incomplete where !isOver: break search
            case .incomplete where takesAnyChecksum:
                // Bytes within it that look like a frame cannot be told from one.
                endRun()
                events.append(.failure(FramingError(.cutOff, Data(buffer[place...]))))
                place = buffer.count
                break search
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
        let end = start + length
        let message = buffer[start + 1..<end - 2]
        let checksums = possible.filter { $0.isValid(buffer[end - 2], buffer[end - 1], for: message) }
        guard takesAnyChecksum || !checksums.isEmpty else { return .none(.wrongChecksum, length: length) }
        return .frame(length: length, checksums)
    }

    private var takesAnyChecksum: Bool { detection == .waiting || detection == .unknown }

    /// Records the CRCs of a frame.
    private mutating func record(_ checksums: [CardReaderChecksum]) {
        guard let detection, detection != .unknown else { return }
        possible = checksums
        self.detection = checksums.first.map { .found($0) } ?? .unknown
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

    /// Creates the message of a whole frame.
    fileprivate init(bytes: Data) {
        let bytes = [UInt8](bytes)
        self.init(command: bytes[1], subcommand: bytes[2], data: Data(bytes[5..<bytes.count - 2]))
    }
}
