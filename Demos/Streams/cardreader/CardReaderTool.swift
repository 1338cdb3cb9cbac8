import ArgumentParser
import BlueZScript
import BlueZSerial
import CoreBlueZ
import FoundationEssentials

/// `cardreader`: a demo of a framed card reader.
@main struct CardReaderTool: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cardreader",
        abstract: "Finds a framed card reader, reads magnetic stripes, and sends APDUs to chip cards.",
        discussion: """
            The reader has Microchip's (ISSC's) Transparent UART, which it does not advertise. So the command connects \
            to one device after the other until one has this service, unless you give the reader's address or name.

            Without --tracks and --apdu, the command reads the tracks and then selects the payment environment of the \
            chip.

            --crc auto takes the first response by its length, finds its CRC, and reports it. Until bytes arrive, it \
            sends the first command again with each known CRC, so use it with a command that may be repeated.

            Of a card number, the command prints the first 6 and the last 4 digits; it replaces the rest of a track \
            with asterisks. --show-card-numbers prints everything.

            Data goes to the standard output, everything else to the standard error. Ctrl-C and SIGTERM cancel the \
            current step, disconnect, and end the command by the signal. Another signal, a second later or more, ends \
            it immediately.

            Examples:
              cardreader --simulate                   uses a simulated reader
              cardreader                              uses the first reader found
              cardreader 00:AA:02:00:00:77 --tracks   reads a magnetic stripe
              cardreader --apdu 00A4040000 --json     sends a command to the chip
              cardreader --crc kermit --crc-order low-first
              cardreader --tracks --crc auto          finds the reader's CRC

            \(ExitStatus.section(statuses))

            Environment:
              DBUS_SYSTEM_BUS_ADDRESS   the message bus to use instead of the
                                        system's
            """,
        version: CentralManager.version
    )

    private static let statuses: [ExitStatus: String] = [
        .success: "success, also if the reader of the output has exited",
        .data: "an APDU is too long for the reader, or the reader sent bytes that are not a response",
        .notFound: "the device is not such a reader",
        .connection: "the reader could not be connected, or the link was lost",
        .software: "a response is invalid; usually another --crc is needed, or auto",
        .timedOut: "no reader was found, or the reader did not respond, in time",
        .attError: "the reader refused a write",
    ]

    @Argument(help: "The reader's address or name. By default, the command tries all devices in range.")
    var device: String?

    @Flag(help: "Reads the tracks of a magnetic stripe.")
    var tracks = false

    @Option(
        name: .customLong("apdu"),
        help: ArgumentHelp("Sends this command APDU of at least 4 bytes. May be repeated.", valueName: "hexadecimal"))
    var apdus: [HexadecimalBytes] = []

    @Flag(help: "Prints one JSON object per line.")
    var json = false

    @Flag(help: "Prints card numbers and tracks in full, without asterisks.")
    var showCardNumbers = false

    @Flag(help: "Uses a simulated reader; needs no Bluetooth.")
    var simulate = false

    @Option(
        help: ArgumentHelp(
            "The adapter to use: its name (hci0) or its address. The default is the first one that is on.",
            valueName: "adapter"))
    var adapter: String?

    @Option(
        help: ArgumentHelp(
            "The timeout for finding the reader, and for each response.", valueName: "time"),
        transform: Duration.init(typed:))
    var timeout = Duration.seconds(30)

    @Option(
        help: ArgumentHelp("The longest pause within a response.", valueName: "time"),
        transform: Duration.init(typed:))
    var gap = Duration.seconds(1)

    @Option(help: "The CRC of the reader's frames, as stated in its manual, or auto to find it.")
    var crc = CRCChoice.ccittFalse

    @Option(help: "The byte order of the CRC. (default: high-first)")
    var crcOrder: CRCOrder?

    @Option(
        help: ArgumentHelp(
            "The reader's command for reading tracks: command, subcommand and data.", valueName: "hexadecimal"))
    var tracksCommand = HexadecimalBytes([0xC1, 0x07, 0x00, 0x00])

    @Option(
        help: ArgumentHelp(
            "The reader's command for sending APDUs: command and subcommand. The default is invented.",
            valueName: "hexadecimal"))
    var apduCommand = HexadecimalBytes([0xC1, 0x08])

    func validate() throws {
        guard gap > .zero else { throw ValidationError("Give --gap more than 0 seconds") }
        if crc == .auto, crcOrder != nil {
            throw ValidationError("Give --crc-order only with the name of a CRC; --crc auto finds the order too")
        }
        guard tracksCommand.bytes.count >= 2, apduCommand.bytes.count == 2 else {
            throw ValidationError("Give --tracks-command two bytes or more, --apdu-command exactly two")
        }
        if let short = apdus.first(where: { $0.bytes.count < 4 }) {
            throw ValidationError("An APDU has at least 4 bytes (CLA, INS, P1, P2); \(short) has fewer")
        }
    }

    /// The reader's commands, as the options set them.
    var commands: CardReaderCommands {
        CardReaderCommands(readTracks: Self.frame(tracksCommand), sendAPDU: Self.frame(apduCommand))
    }

    /// The framing that the options describe.
    var framing: CardReaderFraming {
        CardReaderFraming(
            checksum: crc.crc ?? .ccittFalse,
            checksumByteOrder: crcOrder == .lowFirst ? .littleEndian : .bigEndian,
            detectsChecksum: crc == .auto, idleGap: gap)
    }

    private static func frame(_ bytes: HexadecimalBytes) -> CardReaderFrame {
        CardReaderFrame(command: bytes.bytes[0], subcommand: bytes.bytes[1], data: Data(bytes.bytes.dropFirst(2)))
    }

    static func main() async {
        Program.begin("cardreader")
        await main(nil)
    }

    func run() async throws {
        throw ExitCode(await Program.run("cardreader") { try await ReaderSession(self).run() })
    }
}

/// The CRCs, by their names on the command line.
enum CRCChoice: String, ExpressibleByArgument, CaseIterable, Sendable {
    case ccittFalse = "ccitt-false"
    case xmodem
    case kermit
    case auto

    /// The CRC, or nil if it is to be found.
    var crc: CRC16? {
        switch self {
        case .ccittFalse: .ccittFalse
        case .xmodem: .xmodem
        case .kermit: .kermit
        case .auto: nil
        }
    }

    /// The options that select a known CRC.
    static func options(for checksum: CardReaderChecksum) -> String? {
        guard let choice = allCases.first(where: { $0.crc == checksum.crc }) else { return nil }
        let order: CRCOrder = checksum.byteOrder == .bigEndian ? .highFirst : .lowFirst
        return "--crc \(choice.rawValue) --crc-order \(order.rawValue)"
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
