import BLESerial
import CoreBlueZ
import FoundationEssentials
import Testing

@Suite("Values of card readers") struct CardReaderValueTests {
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
