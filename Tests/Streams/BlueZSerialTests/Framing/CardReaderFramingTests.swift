import BlueZSerial
import CoreBlueZ
import FoundationEssentials
import TestSupport
import Testing

@Suite("The card reader's framing", .virtualTime) struct CardReaderFramingTests {
    @Test(
        "The article's example is framed with each CRC in each byte order",
        arguments: [
            (CRC16.ccittFalse, ByteOrder.bigEndian), (.ccittFalse, .littleEndian), (.xmodem, .bigEndian),
            (.xmodem, .littleEndian), (.kermit, .bigEndian), (.kermit, .littleEndian),
        ])
    func layout(crc: CRC16, order: ByteOrder) throws {
        var framing = CardReaderFraming(checksum: crc, checksumByteOrder: order)
        let message = CardReaderFrame(command: 0xC1, subcommand: 0x07, data: Data([0, 0]))
        let bytes = try framing.encode(message)
        let sum = crc.checksum(of: [0xC1, 0x07, 0x00, 0x02, 0x00, 0x00])
        let high = UInt8(sum >> 8)
        let low = UInt8(sum & 0xFF)
        #expect(
            bytes
                == Data(
                    [0x02, 0xC1, 0x07, 0x00, 0x02, 0x00, 0x00] + (order == .bigEndian ? [high, low] : [low, high])))
        #expect(bytes.count == 9)
        #expect(framing.receive(bytes) == [.success(message)])
        #expect(framing.idleDeadline == nil)
    }

    @Test("Two frames in one piece are both taken, and one in many pieces too")
    func cuts() throws {
        var framing = CardReaderFraming()
        let first = try frame(1, [1, 2, 3])
        let second = try frame(2)
        #expect(framing.receive(first + second).map(\.message?.command) == [1, 2])
        #expect(framing.receiveSingly(first + second).map(\.message?.command) == [1, 2])
    }

    @Test("Garbage before STX is an error, and the frame behind it comes out")
    func garbage() throws {
        var framing = CardReaderFraming()
        let events = framing.receive(Data([0xFF, 0x00, 0x7E]) + (try frame(5)))
        #expect(events.map(\.reason) == [.garbage, nil])
        #expect(events.first?.lostBytes == Data([0xFF, 0x00, 0x7E]))
        #expect(events.last?.message?.command == 5)
    }

    @Test("A wrong CRC is one error with the bytes, and the next frame comes out")
    func wrongChecksum() throws {
        var framing = CardReaderFraming()
        var wrong = try frame(1, [9, 9, 9])
        wrong[6] ^= 0x40
        let events = framing.receive(wrong + (try frame(2)))
        #expect(events.map(\.reason) == [.wrongChecksum, nil])
        #expect(events.first?.lostBytes == wrong)
    }

    @Test("An impossible length is an error, and the next frame comes out")
    func impossibleLength() throws {
        var framing = CardReaderFraming()
        let events = framing.receive(Data([0x02, 0xC1, 0x07, 0xFF, 0xFF, 0x41, 0x42]) + (try frame(2)))
        #expect(events.map(\.reason) == [.impossibleLength, nil])
        #expect(events.first?.lostBytes?.count == 7)
    }

    @Test("A frame that the end of the stream cuts off is an error")
    func cutOff() throws {
        var framing = CardReaderFraming()
        let bytes = try frame(1, [1, 2, 3]).dropLast(2)
        #expect(framing.receive(bytes).isEmpty)
        #expect(framing.idleDeadline != nil)
        let events = framing.finish()
        #expect(events.map(\.reason) == [.cutOff])
        #expect(events.first?.lostBytes == Data(bytes))
        #expect(framing.finish().isEmpty)
    }

    @Test("A frame behind a false STX comes out once the announced bytes have come")
    func falseStart() throws {
        var framing = CardReaderFraming()
        // Announces 20 bytes of data, 27 in all: all of the valid frame and some of what follows.
        let false1 = Data([0x02, 0x00, 0x00, 0x00, 20])
        #expect(framing.receive(false1 + (try frame(7, [1, 2, 3]))).isEmpty)
        let events = framing.receive(try frame(8, Array(repeating: 0, count: 10)))
        #expect(events.map(\.reason) == [.wrongChecksum, nil, nil])
        #expect(events.compactMap(\.message?.command) == [7, 8])
    }

    @Test("A frame behind a false STX comes out after the idle gap at the latest")
    func falseStartAndSilence() throws {
        var framing = CardReaderFraming()
        #expect(framing.receive(Data([0x02, 0x00, 0x00, 0x01, 0x00]) + (try frame(7))).isEmpty)
        let events = framing.idle()
        #expect(events.map(\.reason) == [.cutOff, nil])
        #expect(events.last?.message?.command == 7)
        #expect(framing.idleDeadline == nil)
    }

    @Test("A frame within a frame with a wrong CRC comes out")
    func frameWithinFrame() throws {
        var framing = CardReaderFraming()
        var outer = try frame(1, Array(try frame(2, [5])))
        outer[outer.count - 1] ^= 1
        #expect(framing.receive(outer).compactMap(\.message?.command) == [2])
    }

    @Test(
        "The first frame shows its CRC, whichever it is, and the next ones must have the same",
        arguments: CardReaderChecksum.known)
    func detection(checksum: CardReaderChecksum) throws {
        var framing = CardReaderFraming(detectsChecksum: true)
        #expect(framing.detection == .waiting)
        let reader = CardReaderFraming(checksum: checksum.crc, checksumByteOrder: checksum.byteOrder)
        let first = try frame(1, [1, 2, 3], reader)
        #expect(framing.receiveSingly(first).map(\.message?.command) == [1])
        #expect(framing.detection == .found(checksum))
        #expect(try framing.encode(CardReaderFrame(command: 9, subcommand: 0)) == frame(9, [], reader))
        var damaged = try frame(2, [4, 5], reader)
        damaged[5] ^= 1
        #expect(framing.receive(damaged + (try frame(3, [], reader))).map(\.reason) == [.wrongChecksum, nil])
    }

    @Test("If the first frame has no known CRC, all frames end by their length")
    func unknownChecksum() throws {
        var framing = CardReaderFraming(detectsChecksum: true)
        let reader = CardReaderFraming(checksum: CRC16(polynomial: 0x8005, initialValue: 0x1234))
        let bytes = try frame(1, [1, 2, 3], reader) + frame(2, [], reader) + frame(3)
        #expect(framing.receive(bytes).map(\.message?.command) == [1, 2, 3])
        #expect(framing.detection == .unknown)
        // A frame that breaks off is dropped whole: what looks like a frame within it may be data.
        #expect(framing.receive(Data([0x02, 1, 0, 0, 30]) + (try frame(4))).isEmpty)
        #expect(framing.finish().map(\.reason) == [.cutOff])
    }

    @Test("A CRC of two equal bytes leaves the byte order open until a later frame shows it")
    func ambiguousByteOrder() throws {
        let reader = CardReaderFraming(checksum: .kermit, checksumByteOrder: .littleEndian)
        let data = try #require(
            (0...0xFFFF as ClosedRange<UInt16>).first { number in
                try frame(1, [UInt8(number >> 8), UInt8(number & 0xFF)], reader).suffix(2).isUniform
            })
        let ambiguous = try frame(1, [UInt8(data >> 8), UInt8(data & 0xFF)], reader)
        var framing = CardReaderFraming(detectsChecksum: true)
        #expect(framing.receive(ambiguous).count == 1)
        #expect(framing.detection == .found(CardReaderChecksum(.kermit, .bigEndian)))
        #expect(framing.receive(try frame(2, [1], reader)).map(\.message?.command) == [2])
        #expect(framing.detection == .found(CardReaderChecksum(.kermit, .littleEndian)))
    }

    @Test("No more than the longest frame is kept, whatever comes")
    func bounded() {
        var framing = CardReaderFraming(maximumFrameLength: 32)
        var generator = SeededGenerator(seed: 1)
        var held = 0
        for _ in 0..<2000 {
            let bytes = (0..<7).map { _ in
                Bool.random(using: &generator) ? 0x02 : UInt8.random(in: 0...25, using: &generator)
            }
            let events = framing.receive(Data(bytes))
            held += bytes.count
            held -= events.reduce(0) { $0 + ($1.lostBytes?.count ?? ($1.message?.data.count ?? 0) + 7) }
            #expect(held < 32)
        }
    }

    @Test("Data of more bytes than the reader's buffer takes are refused")
    func tooLong() throws {
        let framing = CardReaderFraming()
        #expect(framing.maximumFrameLength == 512)
        #expect(try frame(1, Array(repeating: 0, count: 505)).count == 512)
        #expect { _ = try framing.encode(CardReaderFrame(command: 1, subcommand: 0, data: Data(count: 506))) } throws: {
            ($0 as? BluetoothError)?.code == .valueTooLong
        }
    }

    @Test("What was incomplete is forgotten when the framing is cleared")
    func clearing() throws {
        var framing = CardReaderFraming()
        _ = framing.receive(Data([0x02, 0x00, 0x00, 0x01]))
        framing.clear()
        #expect(framing.receive(try frame(3)).map(\.message?.command) == [3])
    }
}

extension Data {
    /// Whether all bytes are equal.
    fileprivate var isUniform: Bool { Set(self).count == 1 }
}
