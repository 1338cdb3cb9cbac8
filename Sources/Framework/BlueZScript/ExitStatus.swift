import CoreBlueZ

/// The exit status of a command. The numbers are those of sysexits.h.
public enum ExitStatus: Int32, Sendable {
    /// Success.
    case success = 0
    /// EX_USAGE: the arguments are invalid or ambiguous.
    case usage = 64
    /// EX_DATAERR: a value does not match its format.
    case data = 65
    /// EX_NOINPUT: there is no such attribute, a file cannot be read, or bluetoothd does not know the device.
    case notFound = 66
    /// EX_NOHOST: the device could not be connected, or the link was lost.
    case connection = 68
    /// EX_UNAVAILABLE: the bus, bluetoothd or the adapter is missing, or the adapter is off; or the attribute does not
    /// permit the operation.
    case unavailable = 69
    /// EX_SOFTWARE: a response is invalid.
    case software = 70
    /// EX_OSERR: the system lacks something the program needs, such as /proc.
    case system = 71
    /// EX_CANTCREAT: an output file cannot be opened.
    case cannotCreate = 73
    /// EX_IOERR: the output cannot be written, or the standard input or the terminal cannot be used.
    case inputOutput = 74
    /// EX_TEMPFAIL: a timeout has passed, or the device is busy; trying again may help.
    case timedOut = 75
    /// EX_PROTOCOL: the peripheral returned an ATT error.
    case attError = 76
    /// EX_NOPERM: the bus, bluetoothd or the peripheral denies permission, or requires pairing.
    case permission = 77
    /// EX_CONFIG: a file that configures the program cannot be used.
    case configuration = 78

    /// The status for an error of the framework.
    public init(_ error: BluetoothError) {
        switch error.code {
        case .att: self = .attError
        case .insufficientSecurity, .accessDenied, .notAuthorized, .bondLost: self = .permission
        case .notPermitted, .notSupported: self = .unavailable
        case .invalidArguments: self = error.attError == nil ? .usage : .attError
        case .valueTooLong: self = .data
        case .notConnected, .disconnected, .connectionFailed, .discoveryFailed, .peripheralGone: self = .connection
        case .connectionTimedOut, .timedOut, .busy, .overflow, .cancelled: self = .timedOut
        case .attributeGone, .notDiscovered: self = .notFound
        case .adapterGone, .adapterOff, .daemonUnavailable, .busUnavailable: self = .unavailable
        default: self = .software
        }
    }
}
