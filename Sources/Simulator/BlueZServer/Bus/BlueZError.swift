import BlueZDBus
import BlueZPrintableText

/// The errors of BlueZ's src/error.c, with its texts.
package enum BlueZError {
    package static func named(_ name: String, _ message: String) -> DBusError {
        DBusError(name: "org.bluez.Error.\(name)", message: message)
    }

    package static func failed(_ message: String) -> DBusError { named("Failed", message) }
    static func notPermitted(_ message: String) -> DBusError { named("NotPermitted", message) }
    static let invalidArguments = named("InvalidArguments", "Invalid arguments in method call")
    static let inProgress = named("InProgress", "In Progress")
    /// "Busy" in bluetoothd's words: the discovery is in progress.
    static let discoveryInProgress = named("InProgress", "Operation already in progress")
    static let alreadyExists = named("AlreadyExists", "Already Exists")
    package static let doesNotExist = named("DoesNotExist", "Does Not Exist")
    static let notSupported = named("NotSupported", "Operation is not supported")
    static let notConnected = named("NotConnected", "Not Connected")
    static let notAuthorized = named("NotAuthorized", "Operation Not Authorized")
    static let notReady = named("NotReady", "Resource Not Ready")
    package static let authenticationFailed = named("AuthenticationFailed", "Authentication Failed")
    static let connectionAttemptFailed = named("ConnectionAttemptFailed", "Page Timeout")
    static let authenticationCanceled = named("AuthenticationCanceled", "Authentication Canceled")

    /// Translates the error of a request on a link for a client's call. Errors from another bus are unchanged.
    package static func link(_ error: LinkError) -> DBusError {
        switch error {
        case .attribute(let code): attribute(code)
        case .bus(let error): error
        }
    }

    /// The mapping of create_gatt_dbus_error() in src/gatt-client.c.
    private static func attribute(_ code: UInt8) -> DBusError {
        switch code {
        case 0x02: return notPermitted("Read not permitted")
        case 0x03: return notPermitted("Write not permitted")
        case 0x05, 0x0C, 0x0F: return notPermitted("Not paired")
        case 0x06: return notSupported
        case 0x07: return named("InvalidArguments", "Invalid offset")
        case 0x08: return notAuthorized
        case 0x0D: return named("InvalidArguments", "Invalid Length")
        default:
            return failed("Operation failed with ATT error: 0x\(String(hexadecimal: code, digits: 2))")
        }
    }
}
