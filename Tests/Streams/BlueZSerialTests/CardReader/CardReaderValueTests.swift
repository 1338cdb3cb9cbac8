import BlueZSerial
import CoreBlueZ
import FoundationEssentials
import TestSupport
import Testing

@Suite("Values of card readers", .virtualTime) struct CardReaderValueTests {
    @Test(
        "Tracks are distinguished by their sentinels",
        arguments: [
            ("%B1^A?;1=2?+3?", ["%B1^A?", ";1=2?", "+3?"]),
            (";1=2?;3?", [nil, ";1=2?", ";3?"]),
            ("\u{1}\u{2}%B1^A?\r", ["%B1^A?", nil, nil]),
            (";1=2", [nil, nil, nil]),
            ("", [nil, nil, nil]),
        ] as [(String, [String?])])
    func tracks(text: String, tracks: [String?]) {
        let found = MagneticTracks(Data(text.utf8))
        #expect([found.track1, found.track2, found.track3] == tracks)
        #expect(found.data == Data(text.utf8))
    }

    @Test(
        "Of a card number the first 6 and last 4 digits are shown, and nothing else of a track",
        arguments: [
            ("%B4111111111111111^DOE/JANE^2912101?", "%B411111******1111^********^*******?"),
            (";4111111111111111=2912101?", ";411111******1111=*******?"),
            // 13 and 19 digits are card numbers; 12 and 20 are not.
            (";4222222222222=1?", ";422222***2222=*?"),
            (";6304000000000000008=1?", ";630400*********0008=*?"),
            (";123456789012=1?", ";************=*?"),
            (";12345678901234567890=1?", ";********************=*?"),
            ("%B3782 822463 10005^A^1?", "%B3782*82******0005^*^*?"),
            // Other formats, a number that is not all there is in its field, a track without a field, no digits.
            ("%A4111111111111111^A?", "%*****************^*?"),
            (";4111111111111111A=1?", ";*****************=*?"),
            (";4111111111111111?", ";411111******1111?"),
            (";?", ";?"),
            (
                "%B?;é\u{301}4111111111111111=?+014111111111111111=1?",
                "%B?;********************=?+014111********1111=*?"
            ),
        ])
    func masks(text: String, masked: String) {
        let tracks = MagneticTracks(Data(text.utf8))
        #expect("\(tracks)" == masked)
        #expect("\([tracks])" == "[\(masked)]")
        #expect(tracks.masked.data == Data(masked.utf8))
        #expect(tracks.masked.masked.data.count == masked.utf8.count)
    }

    @Test(
        "Of a chip's response too, and what cannot be understood is masked altogether",
        arguments: [
            ("6F10840E325041592E5359532E4444463031", "6F10840E325041592E5359532E4444463031"),
            ("700D5A0841111111111111115F3400", "700D5A08411111******11115F3400"),
            ("5A0A6304000000000000008F", "5A0A630400*********0008F"),
            ("0057114111111111111111D2912101000000000F", "005711411111******1111D****************F"),
            ("57124111111111111111D2912101000000000F", "**************************************"),
            ("9F6B0A4111111111111111D291", "9F6B0A411111******1111D***"),
            ("56034231329F200112", "5603******9F2001**"),
            ("7081045A024111", "7081045A02****"),
            ("4111111111111111", "****************"),
            ("5A", "**"), ("", ""),
        ])
    func maskedData(data: String, masked: String) throws {
        var rest = Substring(data)
        var bytes = Data()
        while !rest.isEmpty {
            bytes.append(try #require(UInt8(rest.prefix(2), radix: 16)))
            rest = rest.dropFirst(2)
        }
        let response = try ResponseAPDU(bytes + [0x90, 0x00])
        #expect(response.maskedData == masked)
        #expect("\(response)" == (masked.isEmpty ? "9000" : "9000 \(masked)"))
    }

    @Test("A response has data and a status; without a status it is an error")
    func responses() throws {
        let response = try ResponseAPDU(Data([1, 2, 0x90, 0x00]))
        #expect(response.data == Data([1, 2]))
        #expect(response.status == 0x9000)
        #expect(try ResponseAPDU(Data([0x6D, 0x00])).data.isEmpty)
        let error = #expect(throws: ExchangeError.self) { try ResponseAPDU(Data([0x90])) }
        #expect(error?.code == .decodeFailed)
    }

    @Test("The commands have the numbers that were given")
    @BluetoothActor func numbers() async throws {
        let stream = MemoryStream()
        let framing = CardReaderFraming()
        let commands = CardReaderCommands(
            readTracks: CardReaderFrame(command: 0xD2, subcommand: 0x06, data: Data([1])),
            sendAPDU: CardReaderFrame(command: 0xD1, subcommand: 0x05))
        let reader = CardReader(stream, framing: framing, commands: commands)
        let answers: [UInt8: [UInt8]] = [0xD2: Array(";1=2?".utf8), 0xD1: [0x90, 0x00]]
        stream.answer = { sent in
            var reply = CardReaderFrame(command: sent[1], subcommand: sent[2])
            reply.data = Data(answers[sent[1]] ?? [])
            if let bytes = try? framing.encode(reply) { stream.arrive(bytes) }
        }
        #expect(try await reader.readTracks().track2 == ";1=2?")
        #expect(try await reader.sendAPDU(Data([0, 1, 2, 3])).status == 0x9000)
        #expect(stream.sent.map { Array($0.dropLast(2)) } == [[2, 0xD2, 6, 0, 1, 1], [2, 0xD1, 5, 0, 4, 0, 1, 2, 3]])
    }

    @Test("A frame is the reply to a request of its command and subcommand only")
    @BluetoothActor func classification() {
        let request = CardReaderFrame(command: 1, subcommand: 2, data: Data([9]))
        #expect(CardReader.isReplyOfSameCommand(CardReaderFrame(command: 1, subcommand: 2), request) == .reply)
        #expect(CardReader.isReplyOfSameCommand(CardReaderFrame(command: 1, subcommand: 3), request) == .unsolicited)
        #expect(CardReader.isReplyOfSameCommand(CardReaderFrame(command: 3, subcommand: 2), request) == .unsolicited)
        #expect(CardReader.isReplyOfSameCommand(request, nil) == .unsolicited)
    }
}
