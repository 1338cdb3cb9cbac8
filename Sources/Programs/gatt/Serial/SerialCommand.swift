import ArgumentParser
import BlueZScript
import BlueZSerial
import BlueZUnixSockets
import CoreBlueZ

/// `gatt serial`
struct SerialCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "serial",
        abstract: "Opens a terminal on a serial device, or offers the device to other programs as a serial port.",
        discussion: """
            A serial device is one with the Nordic UART or another serial profile. The command sends each line that \
            you type to the device, or with --raw each key, and shows what the device sends. It ends with Ctrl-D (the \
            end of the input), in raw mode with Ctrl-]. Without DEVICE, it lists the devices in range for you to \
            choose from.

            With --pty, the command offers the device as a pseudo-terminal and prints its path. With --tcp, it offers \
            the device as a TCP port of this machine and prints its address. Both remain open while a lost link is \
            re-established, until Ctrl-C (status 130) or SIGTERM (status 143).

            Examples:
              gatt serial UART                         sends lines until Ctrl-D
              gatt serial UART --raw --log uart.log
              printf 'AT\\n' | gatt serial Modem --exchange --line-end crlf --until OK
              gatt serial UART --pty=./uart &          then: picocom ./uart
              gatt serial UART --tcp 127.0.0.1:4000 &  then: nc 127.0.0.1 4000
            """)

    @Argument(help: .device, completion: .device)
    var device: String?

    @Option(
        help: ArgumentHelp(
            "The serial profile: one of these, SERVICE/WRITE/NOTIFY as UUIDs, or WRITE,NOTIFY, each as SERVICE/UUID or "
                + "@HANDLE. By default it is recognized.",
            valueName: "profile"))
    var profile: SerialProfileChoice?

    @Flag(help: "Sends each key as you type it, and shows the device's bytes unchanged. Ctrl-] ends the command.")
    var raw = false

    @Flag(help: "Shows what the device sends as hexadecimal digits.")
    var hex = false

    @Option(
        help: ArgumentHelp(
            "What is sent after each line. The default is the profile's line end or lf, with --exchange none.",
            valueName: "end"))
    var lineEnd: LineEnd?

    @Flag(
        help: "Sends one line at a time and waits for its reply, which a pause ends. Without a reply, the status is 75."
    )
    var exchange = false

    @Option(
        help: ArgumentHelp(
            "With --exchange: ends a reply with the first line that this regular expression matches.",
            valueName: "pattern"))
    var until: ReplyPattern?

    @Option(
        help: ArgumentHelp(
            "With --exchange: ends a reply after this many lines that are not empty.", valueName: "number"))
    var lines: Int?

    @Option(
        help: ArgumentHelp(
            "With --exchange: the timeout for a reply to begin, or with --until or --lines to end. The default is 2 s.",
            valueName: "time"),
        transform: Duration.init(typed:))
    var replyTimeout: Duration?

    @Option(
        help: ArgumentHelp(
            "With --exchange: the pause that ends a reply, or its last line. The default is 200 ms.",
            valueName: "time"),
        transform: Duration.init(typed:))
    var gap: Duration?

    @Option(
        help: ArgumentHelp(
            "With --exchange: the timeout for the device to confirm a write. The default is 1.5 s.", valueName: "time"),
        transform: Duration.init(typed:))
    var writeTimeout: Duration?

    @Option(
        help: ArgumentHelp(
            "Offers a pseudo-terminal: --pty, or --pty=LINK for a symbolic link to it, which is removed at the end.",
            valueName: "link"),
        completion: .file())
    var pty: String?

    /// `--pty` without a link.
    @Flag(help: .hidden)
    var ptyWithoutLink = false

    @Option(
        help: ArgumentHelp(
            "Offers a TCP port of this machine to one client at a time: 127.0.0.1:4000 or [::1]:4000. Every user of "
                + "the machine can connect to it. Only this user can open the pseudo-terminal of --pty.",
            valueName: "address"))
    var tcp: String?

    @Option(
        help: ArgumentHelp("Appends the sent and received data, and messages, to this file.", valueName: "file"),
        completion: .file())
    var log: String?

    @Option(
        help: ArgumentHelp(
            "Ends if nothing arrives for this time after the end of the input. The default is 1 s, or 0 on a terminal.",
            valueName: "time"),
        transform: Duration.init(typed:))
    var linger: Duration?

    @Flag(
        inversion: .prefixedNo,
        help: "Reconnects when the link is lost. This is the default on a terminal, with --pty and with --tcp.")
    var reconnect: Bool?

    @Flag(help: "Sends without response: faster, but data that is lost with a link is not reported.")
    var withoutResponse = false

    @OptionGroup var connection: ConnectionOptions

    /// For a pseudo-terminal or port, only the path or address is printed, and its reader may then close the output.
    var isStreaming: Bool { !isPort }

    /// The path for the link to a pseudo-terminal: empty for none; nil without a pseudo-terminal.
    var pseudoTerminal: String? { pty ?? (ptyWithoutLink ? "" : nil) }

    private var isPort: Bool { pseudoTerminal != nil || tcp != nil }

    var reconnects: Bool { reconnect ?? (isPort || SerialInput.isTerminal) }

    var lingering: Duration { linger ?? (SerialInput.isTerminal ? .zero : .seconds(1)) }

    var timeouts: TxRxTimeouts {
        var timeouts = TxRxTimeouts()
        timeouts.firstFragment = replyTimeout ?? timeouts.firstFragment
        timeouts.nextFragment = gap ?? timeouts.nextFragment
        timeouts.write = writeTimeout ?? timeouts.write
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
            if let unused { throw ValidationError("Omit \(unused.0): it has no effect with \(given[0])") }
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
        if raw, lineEnd != nil { throw ValidationError("Omit --line-end: it has no effect with --raw") }
        if let tcp, LoopbackAddress(tcp) == nil {
            throw ValidationError("Give --tcp an address of this machine: 127.0.0.1:PORT or [::1]:PORT")
        }
        if device?.isEmpty == true { throw ValidationError("Give DEVICE an address or a name, or omit it") }
    }

    @BluetoothActor func run(in session: Session) async throws {
        let log = try log.map { path throws(CommandFailure) in try SerialLog(path) }
        var device = device
        if device == nil { device = try await DevicePicker().choose(session, connection.adapter) }
        try await SerialRun(self, session, device ?? "", log).run()
    }
}
