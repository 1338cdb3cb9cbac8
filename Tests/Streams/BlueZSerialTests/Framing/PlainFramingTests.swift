import BlueZSerial
import CoreBlueZ
import FoundationEssentials
import TestSupport
import Testing

@Suite("Framings by pause, terminator and length", .virtualTime) struct PlainFramingTests {
    // MARK: Pauses

    @Test("A pause ends a message")
    func pause() {
        var framing = IdleGapFraming(gap: .milliseconds(100))
        #expect(framing.idleDeadline == nil)
        #expect(framing.receive(Data("ab".utf8)).isEmpty)
        #expect(framing.receive(Data("c".utf8)).isEmpty)
        #expect(framing.idleDeadline == .milliseconds(100))
        #expect(framing.idle() == [.success(Data("abc".utf8))])
        #expect(framing.idle().isEmpty)
    }

    @Test("What the end of the stream cuts off before the pause is an error")
    func cutOffBeforePause() {
        var framing = IdleGapFraming(gap: .milliseconds(100))
        _ = framing.receive(Data("ab".utf8))
        #expect(framing.finish() == [.failure(FramingError(.cutOff, Data("ab".utf8)))])
    }

    @Test("A message that is too long is one error, and the next one behind the pause comes out")
    func tooLongBeforePause() throws {
        var framing = IdleGapFraming(gap: .milliseconds(100), maximumLength: 3)
        #expect(framing.receive(Data("abcd".utf8)).map(\.reason) == [.tooLong])
        #expect(framing.receive(Data("efgh".utf8)).isEmpty)
        #expect(framing.idleDeadline != nil)
        #expect(framing.idle().isEmpty)
        _ = framing.receive(Data("xyz".utf8))
        #expect(framing.idle() == [.success(Data("xyz".utf8))])
        #expect(throws: BluetoothError.self) { try framing.encode(Data("abcd".utf8)) }
        #expect(throws: BluetoothError.self) { try framing.encode(Data()) }
    }

    // MARK: Terminators

    @Test("The greatest limits are no limit")
    func unlimited() throws {
        let message = Data("one".utf8)
        var terminated = TerminatorFraming(maximumLength: .max)
        #expect(terminated.receive(try terminated.encode(message)) == [.success(message)])
        var prefixed = LengthPrefixedFraming(width: .four, counted: .lengthAndMessage, maximumLength: .max)
        #expect(prefixed.receive(try prefixed.encode(message)) == [.success(message)])
        var gap = IdleGapFraming(gap: .seconds(Int64.max), maximumLength: .max)
        #expect(gap.receive(message).isEmpty)
        #expect(gap.idle() == [.success(message)])
    }

    @Test("Messages end with the terminator, however the bytes are cut")
    func terminators() throws {
        var framing = TerminatorFraming()
        let bytes = try framing.encode(Data("one".utf8)) + framing.encode(Data()) + framing.encode(Data("\r".utf8))
        #expect(bytes == Data("one\r\n\r\n\r\r\n".utf8))
        let messages = ["one", "", "\r"].map { Data($0.utf8) }
        #expect(framing.receive(bytes).map(\.message) == messages)
        #expect(framing.receiveSingly(bytes).map(\.message) == messages)
    }

    @Test(
        "A message in which the terminator stands is refused",
        arguments: [("a\r\nb", "\r\n"), ("aba", "bab"), ("xab", "aba"), ("a", "aa")])
    func terminatorWithin(message: String, terminator: String) {
        let framing = TerminatorFraming(Data(terminator.utf8))
        let text = message + terminator
        let isAmbiguous = text.range(of: terminator)?.lowerBound != text.index(text.startIndex, offsetBy: message.count)
        if isAmbiguous {
            #expect(throws: BluetoothError.self) { try framing.encode(Data(message.utf8)) }
        } else {
            #expect(throws: Never.self) { try framing.encode(Data(message.utf8)) }
        }
    }

    @Test("A message that is too long is one error, and the next one comes out", arguments: [false, true])
    func tooLongBeforeTerminator(singly: Bool) throws {
        var framing = TerminatorFraming(Data("\r\n".utf8), maximumLength: 3)
        let bytes = Data("abcdefgh\r\nxyz\r\n".utf8)
        let events = singly ? framing.receiveSingly(bytes) : framing.receive(bytes)
        #expect(events.map(\.reason) == [.tooLong, nil])
        #expect(events.last?.message == Data("xyz".utf8))
        #expect(throws: BluetoothError.self) { try framing.encode(Data("abcd".utf8)) }
    }

    @Test("What has no terminator when the stream ends is an error")
    func cutOffBeforeTerminator() {
        var framing = TerminatorFraming()
        _ = framing.receive(Data("a\r\nrest\r".utf8))
        #expect(framing.finish() == [.failure(FramingError(.cutOff, Data("rest\r".utf8)))])
    }

    // MARK: Lengths

    @Test(
        "The length has its width and byte order, and counts what it should",
        arguments: [
            (LengthPrefixedFraming.Width.one, ByteOrder.bigEndian, LengthPrefixedFraming.Counted.message, [3]),
            (.two, .bigEndian, .message, [0, 3]),
            (.two, .littleEndian, .message, [3, 0]),
            (.three, .littleEndian, .lengthAndMessage, [6, 0, 0]),
            (.four, .bigEndian, .lengthAndMessage, [0, 0, 0, 7]),
        ] as [(LengthPrefixedFraming.Width, ByteOrder, LengthPrefixedFraming.Counted, [UInt8])])
    func lengths(
        width: LengthPrefixedFraming.Width, order: ByteOrder, counted: LengthPrefixedFraming.Counted, prefix: [UInt8]
    ) throws {
        var framing = LengthPrefixedFraming(width: width, byteOrder: order, counted: counted)
        let message = Data([7, 8, 9])
        let bytes = try framing.encode(message)
        #expect(bytes == Data(prefix) + message)
        let empty = try framing.encode(Data())
        #expect(framing.receive(bytes + empty + bytes).map(\.message) == [message, Data(), message])
        #expect(framing.receiveSingly(bytes + empty + bytes).map(\.message) == [message, Data(), message])
    }

    @Test(
        "After an impossible length all is dropped until the pause",
        arguments: [
            (LengthPrefixedFraming(maximumLength: 4), Data([0, 5, 1, 2, 3])),
            (LengthPrefixedFraming(counted: .lengthAndMessage), Data([0, 1, 1, 2, 3])),
        ])
    func impossibleLength(framing: LengthPrefixedFraming, bytes: Data) throws {
        var framing = framing
        #expect(framing.receive(bytes) == [.failure(FramingError(.impossibleLength, bytes))])
        #expect(framing.receive(try framing.encode(Data([1]))).isEmpty)
        #expect(framing.idleDeadline != nil)
        #expect(framing.idle().isEmpty)
        #expect(framing.receive(try framing.encode(Data([1]))) == [.success(Data([1]))])
    }

    @Test("A message that is incomplete when the pause or the end comes is an error")
    func incomplete() throws {
        var framing = LengthPrefixedFraming(width: .one)
        _ = framing.receive(Data([3, 1]))
        #expect(framing.idleDeadline == framing.idleGap)
        #expect(framing.idle().map(\.reason) == [.cutOff])
        #expect(framing.receive(Data([1, 5])) == [.success(Data([5]))])
        _ = framing.receive(Data([3, 1]))
        #expect(framing.finish().map(\.reason) == [.cutOff])
    }

    @Test("A message that the length cannot give is refused")
    func tooLongForLength() {
        let framing = LengthPrefixedFraming(width: .one, counted: .lengthAndMessage)
        #expect(framing.maximumLength == 254)
        #expect(throws: BluetoothError.self) { try framing.encode(Data(count: 255)) }
        #expect(throws: Never.self) { try framing.encode(Data(count: 254)) }
    }
}
