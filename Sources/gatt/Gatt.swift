import ArgumentParser
import CommandLineSupport
import CoreBlueZ

/// The command without a subcommand.
struct Gatt: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gatt",
        abstract: "Reads, writes and follows the characteristics of Bluetooth LE devices.",
        discussion: """
            DEVICE is an address, a name, or the beginning of either. CHARACTERISTIC is a UUID (2A19), an assigned name \
            ("battery level") or its beginning ("batt"), service/characteristic, or @handle. A link that is there already \
            is used and stays; another is ended when the command ends. Data goes to the standard output, everything else \
            to the standard error.

            First steps:
              gatt scan                         what is in range
              gatt inspect Thermometer          what a device has
              gatt read Thermometer batt        one value: the battery level
              gatt notify Thermometer 2A6E      values as they come, until Ctrl-C
              gatt write Lamp FFE9 ff8800       three bytes
              gatt serial UART                  a terminal on a serial device

            Exit status:
              0    done; also if the reader of the output has gone, such as head
              64   wrong arguments, or DEVICE or CHARACTERISTIC matches several
              65   a value does not fit its format
              66   there is no such characteristic, or a file cannot be read
              68   the link did not come up, or was lost
              69   unavailable: no bus, bluetoothd, adapter or power, or not permitted
                   by the characteristic
              70   a response is invalid
              71   /proc is not mounted
              73   a log, a link or a port cannot be made, or is there already
              74   the output or a log cannot be written, as on a full disk or if the
                   standard output is closed (>&-), or is not read; or the standard
                   input or the terminal cannot be used
              75   the device was not found in time, or did not respond in time, or is
                   busy; trying again may help
              76   the device returned an ATT error
              77   permission: the bus or the device refuses, or the device wants to be
                   paired
              130  Ctrl-C; 143 for SIGTERM (the command cleans up and then ends by the
                   signal; if it cannot clean up, the status is that of the error)

            Environment:
              DBUS_SYSTEM_BUS_ADDRESS   another message bus, such as that of
                                        gatt simulate
            """,
        version: CentralManager.version,
        subcommands: [
            AdaptersCommand.self, ScanCommand.self, InfoCommand.self, InspectCommand.self, ReadCommand.self,
            WriteCommand.self, NotifyCommand.self, PairCommand.self, UnpairCommand.self, TrustCommand.self,
            ConnectCommand.self, DisconnectCommand.self, WatchCommand.self, SerialCommand.self, RunCommand.self,
            SimulateCommand.self, GatewayCommand.self, FleetCommand.self,
        ]
    )
}

extension Gatt {
    /// Parses a command from words.
    static func parse(words: [String]) throws -> any ParsableCommand {
        let names = configuration.subcommands.compactMap { $0.configuration.commandName }
        if let message = UnknownCommand.message(for: words, commands: names) { throw ValidationError(message) }
        return try parseAsRoot(words.first == SerialCommand.configuration.commandName ? withoutLink(words) : words)
    }

    /// `--pty` may stand alone; then the next word is not its value.
    private static func withoutLink(_ words: [String]) -> [String] {
        let end = words.firstIndex(of: "--") ?? words.endIndex
        return words[..<end].map { $0 == "--pty" ? "--pty-without-link" : $0 } + words[end...]
    }
}
