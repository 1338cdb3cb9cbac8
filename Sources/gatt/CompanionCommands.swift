import ArgumentParser
import CTerminal
import CommandLineSupport
import CoreBlueZ
import Glibc

/// `gatt gateway`: starts `gatt-gateway`, which needs an MQTT library that no other command does.
struct GatewayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gateway",
        abstract: "Offers this computer's Bluetooth to other computers, over an MQTT broker.",
        discussion: "See Documentation/Gateways.md.")

    @Argument(parsing: .captureForPassthrough, help: "See gatt gateway --help.")
    var arguments: [String] = []

    func run() throws { try Companion.become(terminal_companion_gateway, "gatt-gateway") }
}

/// `gatt fleet`: starts `gatt-fleet`.
struct FleetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fleet",
        abstract: "Offers the Bluetooth of many gateways as if it were that of this computer.",
        discussion:
            "Prints the setting that lets other programs use it, and goes on until Ctrl-C. See Documentation/Gateways.md."
    )

    @Argument(parsing: .captureForPassthrough, help: "See gatt fleet --help.")
    var arguments: [String] = []

    func run() throws { try Companion.become(terminal_companion_fleet, "gatt-fleet") }
}

/// The programs that `gatt` starts.
enum Companion {
    /// Becomes another program, with the arguments behind the command's name.
    static func become(_ companion: terminal_companion, _ name: String) throws -> Never {
        // The name of this program and the command's are not for the other.
        let error = terminal_become_companion(companion, 2)
        let message =
            error == ENOENT
            ? "The program \(name) stands neither beside gatt nor on the PATH. Documentation/Gateways.md says how to "
                + "build it; it needs libmosquitto"
            : "The program \(name) does not start: error \(error)"
        Progress.error(message)
        throw ExitCode(ExitStatus.unavailable.rawValue)
    }
}
