import ArgumentParser
import CommandLineSupport

/// `gatt gateway`: starts `gatt-gateway`, which needs an MQTT library that no other command needs.
struct GatewayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gateway",
        abstract: "Offers this computer's Bluetooth to other computers, over an MQTT broker.",
        discussion: "See Documentation/Gateways.md.")

    @Argument(parsing: .captureForPassthrough, help: "See gatt gateway --help.")
    var arguments: [String] = []

    func run() throws { throw Companion.gateway.replaceGatt() }
}

/// `gatt fleet`: starts `gatt-fleet`.
struct FleetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fleet",
        abstract: "Offers the Bluetooth of many gateways as if it were that of this computer.",
        discussion:
            """
            Prints the setting that lets other programs use it, and goes on until Ctrl-C. gatt fleet status shows the \
            gateways, their links, the devices, and who hears them. See Documentation/Gateways.md.
            """
    )

    @Argument(parsing: .captureForPassthrough, help: "See gatt fleet --help.")
    var arguments: [String] = []

    func run() throws { throw Companion.fleet.replaceGatt() }
}

extension Companion {
    /// Returns only after a failure, which it reports.
    fileprivate func replaceGatt() -> ExitCode {
        let failure = replace(
            "gatt", suggestion: "Documentation/Gateways.md says how to build it; it needs libmosquitto")
        Progress.error(failure.message)
        return ExitCode(failure.status.rawValue)
    }
}
