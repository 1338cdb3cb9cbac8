import CTerminal
import Glibc

/// Programs that replace a command: each needs a library that no other command needs. A companion's name is this
/// program's name followed by its own, such as `sensortag-web`.
public enum Companion: String, Sendable {
    /// A web server.
    case web
    /// Offers this computer's Bluetooth over an MQTT broker.
    case gateway
    /// Offers the Bluetooth of such gateways on a message bus.
    case fleet

    /// Replaces this process with the companion, passing the arguments after the command's name. The companion is
    /// looked for next to this program, then on the PATH.
    ///
    /// - Parameters:
    ///   - program: the name of this program.
    ///   - suggestion: how to get the companion if it is missing: a sentence without a full stop.
    /// - Returns: only on failure: the error, with the status `unavailable`.
    public func replace(_ program: String, suggestion: String) -> CommandFailure {
        // Without the names of this program and of the command.
        let error = terminal_become_companion(code, 2)
        return CommandFailure(.unavailable, message("\(program)-\(rawValue)", program, error, suggestion))
    }

    func message(_ name: String, _ program: String, _ error: Int32, _ suggestion: String) -> String {
        guard error == ENOENT else { return "The program \(name) does not start: error \(error)" }
        return "The program \(name) stands neither beside \(program) nor on the PATH. \(suggestion)"
    }

    private var code: terminal_companion {
        switch self {
        case .web: terminal_companion_web
        case .gateway: terminal_companion_gateway
        case .fleet: terminal_companion_fleet
        }
    }
}
