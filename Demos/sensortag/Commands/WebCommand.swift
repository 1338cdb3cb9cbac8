import ArgumentParser
import CTerminal
import CommandLineSupport
import Glibc

/// Starts `sensortag-web`: a web server brings all of Foundation, which no other command needs.
struct WebCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "web", abstract: "Show SensorTags live on a page of a web browser.")

    @Argument(parsing: .captureForPassthrough, help: "See sensortag web --help.")
    var arguments: [String] = []

    func run() async throws {
        // The name of this program and the word "web" are not for the other.
        let error = terminal_become_companion(terminal_companion_web, 2)
        let message =
            error == ENOENT
            ? "The program sensortag-web stands neither beside sensortag nor on the PATH. In a checkout, build it with: "
                + "swift build --product sensortag-web"
            : "The program sensortag-web does not start: error \(error)"
        Progress.error(message)
        throw ExitStatus.unavailable.exitCode
    }
}
