import ArgumentParser
import BLESerial
import CommandLineSupport
import CoreBlueZ
import FoundationEssentials
import PrintableText

/// The demo: a framed card reader, in a terminal.
@main struct CardReaderTool: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cardreader",
        abstract: "Finds a framed card reader, reads a magnetic stripe, and sends APDUs to a chip card.",
        discussion: """
            The reader has Microchip's (ISSC's) Transparent UART and does not advertise it: the command connects to one \
            device after the other until one has it. Give the address or the name if you know it.

            Without --tracks and --apdu, it reads the tracks and then selects the chip's payment environment.

            Of a card number, the first 6 and the last 4 digits are printed; the rest of a track is asterisks. \
            --show-card-numbers prints everything.

            Data go to the standard output, everything else to the standard error. Ctrl-C and SIGTERM cancel what waits, \
            disconnect, and end the command by the signal; another one, a second later or more, ends it at once.

            Examples:
              cardreader --simulate                   a simulated reader; no Bluetooth needed
              cardreader                              the first reader that is found
              cardreader 00:AA:02:00:00:77 --tracks   swipe a card
              cardreader --apdu 00A4040000 --json     one command to the chip
              cardreader --crc kermit --crc-order low-first

            \(ExitStatus.manual)

            Environment:
              DBUS_SYSTEM_BUS_ADDRESS   another message bus, such as that of
                                        bluez-simulator
            """,
        version: CentralManager.version
    )

    @Argument(help: "The reader's address or name; otherwise all devices found are tried.")
    var device: String?

    @Flag(help: "Read the tracks of a magnetic stripe.")
    var tracks = false

    @Option(
        name: .customLong("apdu"),
        help: ArgumentHelp("Send this command APDU; may be given several times.", valueName: "hexadecimal"))
    var apdus: [HexadecimalBytes] = []

    @Flag(help: "Print one JSON object per line.")
    var json = false

    @Flag(help: "Print card numbers and tracks in full, not with asterisks for all but 6 and 4 digits of a number.")
    var showCardNumbers = false

    @Flag(help: "Use a simulated reader on a message bus of its own; no Bluetooth is needed.")
    var simulate = false

    @Option(help: ArgumentHelp("The adapter, by name or address; otherwise the first that is on.", valueName: "hci0"))
    var adapter: String?

    @Option(help: ArgumentHelp("How long to look for the reader, and to wait for each response.", valueName: "seconds"))
    var timeout = 30.0

    @Option(
        help: ArgumentHelp("How long the reader may pause within a response.", valueName: "seconds"))
    var gap = 1.0

    @Option(help: "The CRC of the reader's frames; its manual says which.")
    var crc = CRCChoice.ccittFalse

    @Option(help: "The order of the CRC's bytes.")
    var crcOrder = CRCOrder.highFirst

    @Option(help: "The reader's command for tracks: command, subcommand and data.")
    var tracksCommand = HexadecimalBytes([0xC1, 0x07, 0x00, 0x00])

    @Option(help: "The reader's command for APDUs: command and subcommand. The default is invented; ask its maker.")
    var apduCommand = HexadecimalBytes([0xC1, 0x08])

    func validate() throws {
        guard timeout > 0, timeout <= 1e6 else {
            throw ValidationError("Give --timeout more than 0 and at most 1000000 seconds")
        }
        guard gap > 0, gap <= 1e6 else {
            throw ValidationError("Give --gap more than 0 and at most 1000000 seconds")
        }
        guard tracksCommand.bytes.count >= 2, apduCommand.bytes.count == 2 else {
            throw ValidationError("Give --tracks-command two bytes or more, --apdu-command exactly two")
        }
        if let short = apdus.first(where: { $0.bytes.count < 4 }) {
            throw ValidationError("An APDU has at least 4 bytes (CLA, INS, P1, P2); \(short) has fewer")
        }
    }

    /// The frames of the reader's commands.
    var commands: CardReaderCommands {
        CardReaderCommands(readTracks: Self.frame(tracksCommand), sendAPDU: Self.frame(apduCommand))
    }

    private static func frame(_ bytes: HexadecimalBytes) -> CardReaderFrame {
        CardReaderFrame(command: bytes.bytes[0], subcommand: bytes.bytes[1], data: Data(bytes.bytes.dropFirst(2)))
    }

    static func main() async {
        StandardDescriptors.keepClosed()
        ProgramArguments.require("cardreader")
        await main(nil)
    }

    func run() async throws {
        TraceLog.begin([])
        throw ExitCode(await ProgramWork.status(of: "cardreader") { try await ReaderSession(self).run() })
    }
}

/// The CRCs, by their names on the command line.
enum CRCChoice: String, ExpressibleByArgument, CaseIterable, Sendable {
    case ccittFalse = "ccitt-false"
    case xmodem
    case kermit

    var crc: CRC16 {
        switch self {
        case .ccittFalse: .ccittFalse
        case .xmodem: .xmodem
        case .kermit: .kermit
        }
    }
}

/// The byte orders, by their names on the command line.
enum CRCOrder: String, ExpressibleByArgument, CaseIterable, Sendable {
    case highFirst = "high-first"
    case lowFirst = "low-first"
}

/// Bytes as pairs of hexadecimal digits, optionally separated by spaces, colons or hyphens.
struct HexadecimalBytes: ExpressibleByArgument, CustomStringConvertible, Sendable {
    let bytes: [UInt8]

    init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

    init?(argument: String) {
        guard let bytes = [UInt8](hexadecimal: argument.filter { !" :-".contains($0) }) else { return nil }
        self.bytes = bytes
    }

    var description: String { String(hexadecimal: bytes, uppercase: true) }
}
