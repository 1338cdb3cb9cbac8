import ArgumentParser
import BlueZScript
import SensorTagProgram

/// `sensortag web`: starts `sensortag-web`, a separate program because no other command needs all of Foundation.
struct WebCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "web", abstract: "Shows SensorTags live on a web page.")

    @Argument(parsing: .captureForPassthrough, help: "The options of sensortag-web; sensortag web --help lists them.")
    var arguments: [String] = []

    func run() async throws {
        let failure = Companion.web.replace(
            "sensortag", suggestion: "In a checkout, build it with: swift build --product sensortag-web")
        Messages.error(failure.message)
        throw ExitCode(failure.status.rawValue)
    }
}
