import ArgumentParser
import BlueZScript

/// `gatt gateway`: starts `gatt-gateway`, a separate program because no other command needs an MQTT library.
struct GatewayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gateway",
        abstract: "Offers this computer's Bluetooth to other computers, over an MQTT broker.",
        discussion: """
            Starts gatt-gateway, which is a separate program: see Documentation/Gateways.md.

            Example:
              gatt gateway --broker mqtt://broker.local --name kitchen
            """)

    @Argument(parsing: .captureForPassthrough, help: "The options of gatt-gateway; gatt gateway --help lists them.")
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
            Starts gatt-fleet, which is a separate program. It prints the environment variable with which other \
            programs use the gateways, and runs until Ctrl-C. gatt fleet status shows the gateways, their links, the \
            devices, and which gateways hear them. See Documentation/Gateways.md.

            Example:
              rm -f bus; gatt fleet --broker mqtt://broker.local > bus &
              until [ -s bus ]; do sleep 1; done; export "$(cat bus)"
              gatt scan
            """
    )

    @Argument(parsing: .captureForPassthrough, help: "The options of gatt-fleet; gatt fleet --help lists them.")
    var arguments: [String] = []

    func run() throws { throw Companion.fleet.replaceGatt() }
}

extension Companion {
    /// Replaces the process. Returns only after a failure, which it reports.
    fileprivate func replaceGatt() -> ExitCode {
        let failure = replace(
            "gatt", suggestion: "Documentation/Gateways.md describes how to build it; it needs libmosquitto")
        Progress.error(failure.message)
        return ExitCode(failure.status.rawValue)
    }
}
