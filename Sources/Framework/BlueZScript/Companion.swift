import CBlueZTerminal
import Glibc

/// A separate program that runs as a subcommand, because it needs a library that no other command needs. Its name is
/// that of this program with a suffix, such as `sensortag-web`.
package enum Companion: String, Sendable {
    /// A web server.
    case web
    /// Offers this computer's Bluetooth over an MQTT broker.
    case gateway
    /// Offers the Bluetooth of such gateways on a message bus.
    case fleet

    /// Replaces this process with the companion, which gets the arguments after the command's name. The companion is
    /// searched for next to this program, then on the PATH.
    ///
    /// - Parameters:
    ///   - program: the name of this program.
    ///   - suggestion: a sentence without a full stop that says how to get the companion if it is missing.
    /// - Returns: only on failure: the error, with the status `unavailable`.
    package func replace(_ program: String, suggestion: String) -> CommandFailure {
        // The arguments without the names of this program and of the command.
        let error = terminal_become_companion(code, 2)
        return CommandFailure(.unavailable, message("\(program)-\(rawValue)", program, error, suggestion))
    }

    func message(_ name: String, _ program: String, _ error: Int32, _ suggestion: String) -> String {
        guard error == ENOENT else { return "The program \(name) cannot be started: error \(error)" }
        return "The program \(name) is neither next to \(program) nor on the PATH. \(suggestion)"
    }

    private var code: terminal_companion {
        switch self {
        case .web: terminal_companion_web
        case .gateway: terminal_companion_gateway
        case .fleet: terminal_companion_fleet
        }
    }
}
