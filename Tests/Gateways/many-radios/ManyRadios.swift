import ArgumentParser

/// `many-radios`: both ends of the tests with many gateways, that is, peripherals that notify and count, and a client
/// that uses them.
@main struct ManyRadios: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "many-radios",
        abstract: "Simulates many radios, and runs a client that uses them.",
        discussion: """
            Tests/Gateways/measure and Tests/Gateways/chaos start this program. It needs no signal handling: SIGINT, SIGTERM and \
            SIGHUP end it immediately.

            Examples:
              many-radios simulate --radios 2 --devices 3
              many-radios client --radios 2 --devices 3 --writes 5
            """,
        subcommands: [SimulateCommand.self, ClientCommand.self])
}
