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
        let error = terminal_become_web_program(2)
        let message =
            error == ENOENT
            ? "The program sensortag-web does not stand beside sensortag. In a checkout, build it with: swift build "
                + "--product sensortag-web"
            : "The program sensortag-web does not start: error \(error)"
        Progress.error(message)
        throw ExitStatus.unavailable.exitCode
    }
}
