import ArgumentParser
import BlueZScript
import CoreBlueZ
import FoundationEssentials

/// `gatt run`
struct RunCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Runs the commands of a file, one per line, over one connection to each device.",
        discussion: """
            Each line is a command without the word gatt. Words with spaces are quoted as in the shell, and # begins a \
            comment. gatt checks all lines before it runs the first one, and stops at the first command that fails: \
            its status is that of gatt run. At the end, gatt ends the links that the commands made.

            Examples:
              gatt run calibrate.gatt
              echo "read Tag AA03" | gatt run -

            A file:
              # Switch the sensor on, read its period, print ten values.
              write Tag AA02 01
              read Tag AA03
              notify Tag AA01 --count 10
            """)

    @Argument(help: ArgumentHelp("The file, or - for the standard input.", valueName: "file"), completion: .file())
    var file: String

    /// A line may be `watch`.
    static let connectsEarly = false

    var isStreaming: Bool { true }

    @BluetoothActor func run(in session: Session) async throws {
        for (line, command) in try commands() {
            do {
                try await command.run(in: session)
            } catch let failure as CommandFailure where !failure.message.isEmpty {
                throw CommandFailure(failure.status, "\(file):\(line): \(failure.message)")
            } catch let error as BluetoothError {
                throw CommandFailure(ExitStatus(error), "\(file):\(line): \(error)")
            }
        }
    }

    private func commands() throws -> [(line: Int, command: any SessionCommand)] {
        guard let text = String(validating: try Input.read(file), as: UTF8.self) else {
            throw CommandFailure(.data, "\(file) is not UTF-8 text")
        }
        var commands: [(Int, any SessionCommand)] = []
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let place = "\(file):\(index + 1)"
            guard let words = CommandLineWords.split(line) else {
                throw CommandFailure(.usage, "\(place): a quotation mark is not closed")
            }
            if !words.isEmpty { commands.append((index + 1, try command(words, place))) }
        }
        return commands
    }

    private func command(_ words: [String], _ place: String) throws -> any SessionCommand {
        let command: any ParsableCommand
        do {
            command = try Gatt.parse(words: words)
        } catch {
            throw CommandFailure(.usage, "\(place): \(Gatt.message(for: error))")
        }
        guard let command = command as? any SessionCommand, !(command is RunCommand), !(command is SimulateCommand),
            !(command is SerialCommand)
        else { throw CommandFailure(.usage, "\(place): \(words[0]) cannot be used in a file") }
        return command
    }
}
