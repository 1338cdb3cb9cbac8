import CoreBlueZ
import Logging

/// What programs learn of their mistakes, and of what Linux cannot do.
enum Misuse {
    private static let log = Logger(label: "CoreBluetooth")

    /// Logs a call that does nothing because of a program's mistake, in Apple's words.
    static func report(_ text: String) {
        log.error("API MISUSE: \(text.escapedForTerminal())")
    }

    /// Logs something that has no effect.
    static func warn(_ text: String) {
        log.warning("WARNING: \(text.escapedForTerminal())")
    }

    /// Stops the program where Apple's framework raises an exception, with the same text.
    static func stop(_ text: String) -> Never {
        fatalError(text.escapedForTerminal())
    }

    /// The address of an object, for descriptions.
    static func address(of object: AnyObject) -> String {
        "0x" + String(UInt(bitPattern: ObjectIdentifier(object)), radix: 16)
    }
}
