import CTerminal
import Glibc

/// The programs that a command becomes: each needs a library that no other command does. A companion's name is that of this
/// program with the companion's behind it, such as `sensortag-web`.
public enum Companion: String, Sendable {
    /// A web server.
    case web
    /// What offers the Bluetooth of this computer over an MQTT broker.
    case gateway
    /// What offers the Bluetooth of such gateways on a message bus.
    case fleet

    /// Becomes the companion, with the arguments behind the command's name. It is looked for beside this program, then on
    /// the PATH.
    ///
    /// - Parameters:
    ///   - program: the name of this program.
    ///   - advice: how to get the companion if it is missing: a sentence without a full stop.
    /// - Returns: only if that fails: why, with the status `unavailable`.
    public func replace(_ program: String, advice: String) -> CommandFailure {
        // The name of this program and the command's are not for the companion.
        let error = terminal_become_companion(code, 2)
        return CommandFailure(.unavailable, message("\(program)-\(rawValue)", program, error, advice))
    }

    func message(_ name: String, _ program: String, _ error: Int32, _ advice: String) -> String {
        guard error == ENOENT else { return "The program \(name) does not start: error \(error)" }
        return "The program \(name) stands neither beside \(program) nor on the PATH. \(advice)"
    }

    private var code: terminal_companion {
        switch self {
        case .web: terminal_companion_web
        case .gateway: terminal_companion_gateway
        case .fleet: terminal_companion_fleet
        }
    }
}
