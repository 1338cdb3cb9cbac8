import ArgumentParser
import BLESerial
import CommandLineSupport
import CoreBlueZ
import UnixSockets

/// `gatt serial`
struct SerialCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "serial",
        abstract: "Opens a terminal on a serial device, or offers the device to other programs as a serial port.",
        discussion: """
            A serial device is one with the Nordic UART or another serial profile. Each typed line goes to the device, \
            with --raw each key; what the device sends is shown. The end of the input (Ctrl-D) ends it, in raw mode \
            Ctrl-]. Without DEVICE, it lists the devices in range to choose from.

            With --pty the device is a pseudo-terminal, whose path is printed, with --tcp a port of this machine, whose \
            address is printed: both stay while a lost link is made again, until Ctrl-C or SIGTERM.

            Examples:
              gatt serial UART                         type lines, Ctrl-D ends
              gatt serial UART --raw --log uart.log
              printf 'AT\\n' | gatt serial Modem --exchange --line-end crlf --until OK
              gatt serial UART --pty=./uart &          then: picocom ./uart
              gatt serial UART --tcp 127.0.0.1:4000 &  then: nc 127.0.0.1 4000
            """)

    @Argument(help: .device, completion: .device)
    var device: String?

    @Option(
        help: ArgumentHelp(
            "The profile, if it is not to be recognized: one of these, or SERVICE/WRITE/NOTIFY as UUIDs.",
            valueName: "profile"))
    var profile: SerialProfileChoice?

    @Flag(help: "Give each key to the device as it is typed, and show what it sends as it is; Ctrl-] ends.")
    var raw = false

    @Flag(help: "Show what the device sends as hexadecimal numbers.")
    var hex = false

    @Option(
        help: ArgumentHelp(
            "What is sent behind a line; by default what the profile says, or else lf, with --exchange none.",
            valueName: "end"))
    var lineEnd: LineEnd?

    @Flag(
        help: "Send one line at a time, and wait for its reply, which a pause ends; status 75 if one did not come.")
    var exchange = false

    @Option(
        help: ArgumentHelp(
            "With --exchange: a reply ends with the first line that this regular expression matches.",
            valueName: "pattern"))
    var until: ReplyPattern?

    @Option(
        help: ArgumentHelp(
            "With --exchange: a reply has this many lines; empty ones do not count.", valueName: "number"))
    var lines: Int?

    @Option(
        help: ArgumentHelp(
            "With --exchange: how long the reply may take to begin, with --until and --lines to end; by default 2.",
            valueName: "time"))
    var replyTimeout: Seconds?

    @Option(
        help: ArgumentHelp(
            "With --exchange: a pause of this length ends a reply, or its last line; by default 200ms.",
            valueName: "time"))
    var gap: Seconds?

    @Option(
        help: ArgumentHelp(
            "With --exchange: how long the device may take to confirm a write; by default 1500ms.", valueName: "time"))
    var writeTimeout: Seconds?

    @Option(
        help: ArgumentHelp(
            "Offer a pseudo-terminal: --pty, or --pty=LINK for a symbolic link to it, which is removed at the end.",
            valueName: "link"),
        completion: .file())
    var pty: String?

    /// `--pty` without a link.
    @Flag(help: .hidden)
    var ptyWithoutLink = false

    @Option(
        help: ArgumentHelp(
            "Offer a TCP port to one client at a time, on this machine: 127.0.0.1:4000, [::1]:4000. Every user of the "
                + "machine can connect to it; --pty is this user's alone.",
            valueName: "address"))
    var tcp: String?

    @Option(
        help: ArgumentHelp("Add what is sent and received, and messages, to this file.", valueName: "file"),
        completion: .file())
    var log: String?

    @Option(
        help: ArgumentHelp(
            "End when nothing has come for so long after the end of the input; by default 1, on a terminal 0.",
            valueName: "time"))
    var linger: Seconds?

    @Flag(
        inversion: .prefixedNo,
        help: "Connect again when the link is lost; by default on a terminal, with --pty and with --tcp.")
    var reconnect: Bool?

    @Flag(help: "Send as fast as bluetoothd takes it, unconfirmed: what is lost with a link is not noticed.")
    var withoutResponse = false

    @OptionGroup var connection: ConnectionOptions

    /// For a pseudo-terminal or port, only the path or address is printed, and its reader may then close the output.
    var isStreaming: Bool { !isPort }

    /// The path for the link to a pseudo-terminal: empty for none; nil without a pseudo-terminal.
    var pseudoTerminal: String? { pty ?? (ptyWithoutLink ? "" : nil) }

    private var isPort: Bool { pseudoTerminal != nil || tcp != nil }

    var reconnects: Bool { reconnect ?? (isPort || SerialInput.isTerminal) }

    var lingering: Duration { linger?.duration ?? (SerialInput.isTerminal ? .zero : .seconds(1)) }

    var timeouts: TxRxTimeouts {
        var timeouts = TxRxTimeouts()
        timeouts.firstFragment = replyTimeout?.duration ?? timeouts.firstFragment
        timeouts.nextFragment = gap?.duration ?? timeouts.nextFragment
        timeouts.write = writeTimeout?.duration ?? timeouts.write
        return timeouts
    }

    /// Decides where a reply ends; nil if a pause does.
    var isLastLine: ((_ line: String, _ number: Int) -> Bool)? {
        if let lines { return { _, number in number >= lines } }
        return until.map { pattern in
            let matches = pattern.matcher
            return { line, _ in matches(line) }
        }
    }

    func validate() throws {
        let uses = [("--pty", pseudoTerminal != nil), ("--tcp", tcp != nil), ("--exchange", exchange), ("--raw", raw)]
        let given = uses.filter(\.1).map(\.0)
        guard given.count < 2 else {
            throw ValidationError("Give either \(given[0]) or \(given[1]): they exclude each other")
        }
        if isPort {
            let unused = [("--hex", hex), ("--line-end", lineEnd != nil), ("--linger", linger != nil)].first(where: \.1)
            if let unused { throw ValidationError("Leave out \(unused.0): it has no meaning with \(given[0])") }
        }
        let others = [
            ("--until", until != nil), ("--lines", lines != nil), ("--reply-timeout", replyTimeout != nil),
            ("--gap", gap != nil), ("--write-timeout", writeTimeout != nil),
        ]
        if !exchange, let other = others.first(where: \.1) {
            throw ValidationError("Give \(other.0) only with --exchange")
        }
        if until != nil, lines != nil {
            throw ValidationError("Give either --until or --lines: each says where a reply ends")
        }
        if let lines, lines < 1 { throw ValidationError("Give --lines a number of at least 1") }
        if pty != nil, pty?.isEmpty == true || ptyWithoutLink {
            throw ValidationError("Give --pty the path of the link once: --pty=LINK")
        }
        if raw, lineEnd != nil { throw ValidationError("Leave out --line-end: it has no meaning with --raw") }
        if let tcp, LoopbackAddress(tcp) == nil {
            throw ValidationError("Give --tcp an address of this machine: 127.0.0.1:PORT or [::1]:PORT")
        }
        if device?.isEmpty == true { throw ValidationError("Give DEVICE an address or a name, or leave it out") }
    }

    @BluetoothActor func run(in session: Session) async throws {
        let log = try log.map { path throws(CommandFailure) in try SerialLog(path) }
        var device = device
        if device == nil { device = try await DevicePicker().choose(session, connection.adapter) }
        try await SerialRun(self, session, device ?? "", log).run()
    }
}
