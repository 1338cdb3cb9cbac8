import BlueZSerial
import BlueZSimulatedSerial
import BlueZSimulator
import CoreBlueZ
import FoundationEssentials
import TestSupport
import Testing

extension ExchangeDevices.BLECardReaderTests {
    @Test(
        "A reply ends by its length, and the first one shows which CRC the reader has",
        arguments: CardReaderChecksum.known)
    func otherChecksums(checksum: CardReaderChecksum) async throws {
        let framing = CardReaderFraming(checksum: checksum.crc, checksumByteOrder: checksum.byteOrder)
        try await withReader(framing: framing) { reader, peripheral, simulator in
            let mainMenu = MainMenuDelegate()
            reader.mainMenuDelegate = mainMenu
            reader.connect(peripheral)
            #expect(reader.checksum == nil)
            let command = CardReaderFrame(command: 0xC1, subcommand: 0x07, data: Data([0, 0]))
            reader.writeChar(try framing.encode(command))
            try await eventually("the tracks", until: { !mainMenu.data.isEmpty })
            #expect(mainMenu.checksums == [checksum])
            #expect(reader.checksum == checksum)
            // The program's own commands have it from now on.
            reader.write(command: 0xC1, subcommand: 0x08, data: Data([0, 1, 2, 3]))
            try await eventually("the response", until: { mainMenu.data.count == 2 })
            let frames = await simulator.perform {
                [$0.script.frame(0xC1, 0x07, $0.script.tracks), $0.script.frame(0xC1, 0x08, [0x6D, 0x00])]
            }
            #expect(mainMenu.data == frames.map { Data($0) })
            #expect(mainMenu.errors.isEmpty)
        }
    }

    @Test("Replies whose CRC is none of the known ones are taken as they arrive")
    func unknownChecksum() async throws {
        let framing = CardReaderFraming(checksum: CRC16(polynomial: 0x8005, initialValue: 0x1234))
        try await withReader(framing: framing) { reader, peripheral, simulator in
            let mainMenu = MainMenuDelegate()
            reader.mainMenuDelegate = mainMenu
            reader.connect(peripheral)
            await simulator.perform { $0.script.faults = [.unsolicitedFrame, .wrongChecksum] }
            let command = try framing.encode(CardReaderFrame(command: 0xC1, subcommand: 0x08, data: Data([0, 0])))
            reader.writeChar(command)
            try await eventually("both frames", until: { mainMenu.data.count == 2 })
            reader.writeChar(command)
            try await eventually("the damaged frame", until: { mainMenu.data.count == 3 })
            let frame = await simulator.perform { $0.script.frame(0xC1, 0x08, [0x6D, 0x00]) }
            #expect(mainMenu.data[1] == Data(frame))
            #expect(mainMenu.data[2] == Data(frame.dropLast() + [frame[frame.count - 1] ^ 0xFF]))
            #expect(mainMenu.checksums == [nil])
            #expect(reader.checksum == nil)
            #expect(mainMenu.errors.isEmpty)
        }
    }

    @Test("writeChar discards the remains of an earlier reply")
    func leftOver() async throws {
        // No pause ends the rest.
        let framing = CardReaderFraming(detectsChecksum: true, idleGap: .seconds(3600))
        try await withReader { _, peripheral, simulator in
            let (reader, mainMenu) = (BLECardReader(framing), MainMenuDelegate())
            reader.mainMenuDelegate = mainMenu
            (reader.connectTimeout, reader.subscribeTimeout) = (Duration.ample, Duration.ample)
            await simulator.perform { $0.script.faults = [.cutOff] }
            reader.connect(peripheral)
            let command = try framing.encode(CardReaderFrame(command: 0xC1, subcommand: 0x07, data: Data([0, 0])))
            reader.writeChar(command)
            let sent = await simulator.perform { $0.script.frame(0xC1, 0x07, $0.script.tracks) }
            try await eventually("a part of the reply") {
                (peripheral[SerialProfile.issc.service] as? SerialService)?.received == sent.count - 4
            }
            reader.writeChar(command)
            try await eventually("the reply", until: { !mainMenu.data.isEmpty })
            #expect(mainMenu.data == [Data(sent)])
            #expect(mainMenu.errors.isEmpty)
        }
    }
}
