import ArgumentParser
import BlueZScript
import CoreBlueZ

/// Nothing here is asynchronous: the main thread parses and then waits for signals; everything else happens on the
/// Bluetooth thread. libdispatch's threads would cost more than all the work of a short command.
@main enum Main {
    static func main() {
        Program.begin("gatt")
        let words = Array(CommandLine.arguments.dropFirst())
        if words.first == "---completion" { complete() }
        TraceLog.begin(words)
        let runner = Runner(connects: connectsEarly(words))
        do {
            var command = try Gatt.parse(words: words)
            if let command = command as? any SessionCommand { runner.run(command) }
            try command.run()
            Gatt.exit()
        } catch {
            runner.fail(error)
        }
    }

    /// Whether to connect while parsing, which takes about as long.
    private static func connectsEarly(_ words: [String]) -> Bool {
        let type = Gatt.configuration.subcommands.first { $0.configuration.commandName == words.first }
        let isAskingForHelp = words.contains { $0 == "-h" || $0 == "--help" }
        return (type as? any SessionCommand.Type)?.connectsEarly == true && !isAskingForHelp
    }

    /// Handles a request of a shell's completion, the only kind of parsing with asynchronous closures.
    private static func complete() -> Never {
        Task { @BluetoothActor in
            do {
                var command = try await Gatt.asyncParseAsRoot()
                try command.run()
                Gatt.exit()
            } catch {
                Gatt.exit(withError: error)
            }
        }
        SignalWatch.sleepForever()
    }
}
