import ArgumentParser
import BlueZScript
import CoreBlueZ

/// The command `gatt`, with all subcommands.
struct Gatt: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gatt",
        abstract: "Reads and writes the characteristics of Bluetooth LE devices, and prints their notifications.",
        discussion: """
            DEVICE is an address, a name, or the beginning of either. CHARACTERISTIC is a UUID (2A19), an assigned \
            name ("battery level") or its beginning ("batt"), service/characteristic, or @handle. A command uses an \
            existing link and leaves it up; it ends a link that it has made. Data goes to the standard output, \
            everything else to the standard error.

            First steps:
              gatt scan                         lists the devices in range
              gatt inspect Thermometer          shows the contents of a device
              gatt read Thermometer batt        prints a value: the battery level
              gatt notify Thermometer 2A6E      prints values until Ctrl-C
              gatt write Lamp FFE9 ff8800       writes three bytes
              gatt serial UART                  opens a terminal on a serial device
              gatt serve strap.json             makes this computer a device
              gatt show btsnoop_hci.log         shows what a capture contains
              gatt record log.jsonl -- ./app    records what a program does

            \(ExitStatus.section(statuses))

            Environment:
              DBUS_SYSTEM_BUS_ADDRESS   the message bus to use instead of the
                                        system's, such as that of gatt simulate
            """,
        version: CentralManager.version,
        subcommands: [
            AdaptersCommand.self, ScanCommand.self, InfoCommand.self, InspectCommand.self, ReadCommand.self,
            WriteCommand.self, NotifyCommand.self, PairCommand.self, UnpairCommand.self, TrustCommand.self,
            ConnectCommand.self, DisconnectCommand.self, WatchCommand.self, SerialCommand.self, RunCommand.self,
            SimulateCommand.self, ServeCommand.self, AdvertiseCommand.self, RecordCommand.self, ImportCommand.self,
            ShowCommand.self, GatewayCommand.self, FleetCommand.self,
        ]
    )
}

extension Gatt {
    private static let statuses: [ExitStatus: String] = [
        .success: "success, also if the reader of the output has exited, as head does",
        .usage: "the arguments are invalid, or DEVICE or CHARACTERISTIC is ambiguous",
        .data: "a value does not match its format, a file describes no device, or an advertisement is too large",
        .notFound: """
        there is no such characteristic, a file cannot be read, or BlueZ does not know the device of disconnect or \
        unpair
        """,
        .connection: "the device could not be connected, or the link was lost",
        .unavailable: """
        the bus, bluetoothd or the adapter is missing, or the adapter is off; or the characteristic does not \
        permit the operation
        """,
        .software: "a response is invalid",
        .cannotCreate: "a file, a link or a port cannot be created, or already exists",
        .inputOutput: """
        the output or a log cannot be written, as on a full disk or if the standard output is closed (>&-), or is \
        not read; or the standard input or the terminal cannot be used
        """,
        .timedOut: """
        a timeout has passed, such as that of --timeout, or --duration with --count; or the device is busy. Trying \
        again may help
        """,
        .attError: "the device returned an ATT error",
        .permission: "the bus or the device denies permission, or requires pairing",
    ]

    /// Ends the process as `exit(withError:)` does. The help of the program shows the commands before the statuses.
    static func end(_ error: any Error) -> Never {
        let text = fullMessage(for: error)
        guard exitCode(for: error) == .success, text.contains("\nSUBCOMMANDS:"),
            let statuses = text.firstRange(of: "Exit status:\n"), let usage = text.firstRange(of: "USAGE: ")
        else { exit(withError: error) }
        print(text[..<statuses.lowerBound] + text[usage.lowerBound...])
        print("\n" + text[statuses.lowerBound..<usage.lowerBound], terminator: "")
        exit()
    }

    /// Parses a command line, without the program's name. An unknown command is a `ValidationError` that lists all.
    static func parse(words: [String]) throws -> any ParsableCommand {
        let names = configuration.subcommands.compactMap { $0.configuration.commandName }
        if let message = UnknownCommand.message(for: words, commands: names) { throw ValidationError(message) }
        return try parseAsRoot(words.first == SerialCommand.configuration.commandName ? withoutLink(words) : words)
    }

    /// `--pty` can have no value; then the next word is not its value.
    private static func withoutLink(_ words: [String]) -> [String] {
        let end = words.firstIndex(of: "--") ?? words.endIndex
        return words[..<end].map { $0 == "--pty" ? "--pty-without-link" : $0 } + words[end...]
    }
}
