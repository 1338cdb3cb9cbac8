import ArgumentParser
import CommandLineSupport

/// Starts `sensortag-web`: a web server brings all of Foundation, which no other command needs.
struct WebCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "web", abstract: "Show SensorTags live on a page of a web browser.")

    @Argument(parsing: .captureForPassthrough, help: "See sensortag web --help.")
    var arguments: [String] = []

    func run() async throws {
        let failure = Companion.web.replace(
            "sensortag", suggestion: "In a checkout, build it with: swift build --product sensortag-web")
        Progress.error(failure.message)
        throw failure.status.exitCode
    }
}
