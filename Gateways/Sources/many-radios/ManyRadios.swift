import ArgumentParser

/// Both ends of the trials with many gateways: peripherals that notify and count, and a client that uses them.
@main struct ManyRadios: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "many-radios",
        abstract: "What Gateways/measure and Gateways/chaos run: many simulated radios, and a client.",
        subcommands: [SimulateCommand.self, ClientCommand.self])
}
