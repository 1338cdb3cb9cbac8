import BlueZDBus
import BlueZValues

/// The errors of BlueZ's src/error.c, with its texts.
package enum BlueZError {
    package static func named(_ name: BlueZErrorName, _ message: String) -> DBusError {
        DBusError(name: name.rawValue, message: message)
    }

    package static func failed(_ message: String) -> DBusError { named(.failed, message) }
    static func notPermitted(_ message: String) -> DBusError { named(.notPermitted, message) }
    static let invalidArguments = named(.invalidArguments, "Invalid arguments in method call")
    static let inProgress = named(.inProgress, "In Progress")
    /// "Busy" in bluetoothd's words: the discovery is in progress.
    static let discoveryInProgress = named(.inProgress, "Operation already in progress")
    static let alreadyExists = named(.alreadyExists, "Already Exists")
    package static let doesNotExist = named(.doesNotExist, "Does Not Exist")
    static let notSupported = named(.notSupported, "Operation is not supported")
    static let notConnected = named(.notConnected, "Not Connected")
    static let notAuthorized = named(.notAuthorized, "Operation Not Authorized")
    static let notReady = named(.notReady, "Resource Not Ready")
    package static let authenticationFailed = named(.authenticationFailed, "Authentication Failed")
    static let connectionAttemptFailed = named(.connectionAttemptFailed, "Page Timeout")
    static let authenticationCanceled = named(.authenticationCanceled, "Authentication Canceled")

    /// Translates the error of a request on a link for a client's call. Errors from another bus are unchanged.
    package static func link(_ error: LinkError) -> DBusError {
        switch error {
        case .attribute(let code):
            let (name, text) = ATTError(rawValue: code).bluezError
            return named(name, text)
        case .bus(let error): return error
        }
    }
}
