import DBus
import PrintableText

/// Why an operation failed: what happened, to which object, BlueZ's error, and what to do.
public struct BluetoothError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of error.
    public var code: Code
    /// The text for users: what happened and what to do about it. One line; because it may contain the name of a
    /// device, control characters are escaped (see `escapedForTerminal`).
    public var message: String {
        didSet { message = message.escapedForTerminal() }
    }
    /// The error code that the peripheral returned, if any.
    public var attError: ATTError?
    /// The name of the D-Bus error from BlueZ or the bus.
    public var bluezName: String?
    /// The unchanged text of the D-Bus error from BlueZ or the bus.
    public var bluezMessage: String?

    /// Makes a custom error, for example if a service subclass cannot decode a value.
    public init(_ code: Code, _ message: String, attError: ATTError? = nil) {
        self.code = code
        self.message = message.escapedForTerminal()
        self.attError = attError
    }

    package init(_ code: Code, _ message: String, attError: ATTError? = nil, from error: DBusError) {
        self.init(code, message, attError: attError)
        bluezName = error.name
        bluezMessage = error.message
    }

    /// The message, followed by BlueZ's error; escaped like the message.
    public var description: String {
        guard let bluezName else { return message }
        guard let bluezMessage, !bluezMessage.isEmpty else { return "\(message) [\(bluezName)]".escapedForTerminal() }
        return "\(message) [\(bluezName): \(bluezMessage)]".escapedForTerminal()
    }

    /// A kind of error. The set is open: later versions add codes, so a `switch` needs a default case.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The code's name.
        public let rawValue: String

        /// Makes a code from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The code's name.
        public var description: String { rawValue }
    }
}

extension BluetoothError.Code {
    private init(_ name: String) { self.init(rawValue: name) }

    /// The peripheral returned an error; see `attError`.
    public static let att = Self("att")
    /// The peripheral asks for pairing or encryption.
    public static let insufficientSecurity = Self("insufficientSecurity")
    /// The peripheral is not connected.
    public static let notConnected = Self("notConnected")
    /// The link was lost or ended meanwhile.
    public static let disconnected = Self("disconnected")
    /// The link did not come up.
    public static let connectionFailed = Self("connectionFailed")
    /// The link did not come up in time; usually the peripheral is out of range or asleep.
    public static let connectionTimedOut = Self("connectionTimedOut")
    /// BlueZ tried BR/EDR on a device that has both transports.
    public static let wrongBearer = Self("wrongBearer")
    /// The operation was cancelled, or its central manager is gone.
    public static let cancelled = Self("cancelled")
    /// The peripheral has forgotten its pairing.
    public static let bondLost = Self("bondLost")
    /// BlueZ is busy with the same thing.
    public static let busy = Self("busy")
    /// The attribute, the peripheral or BlueZ does not support the operation.
    public static let notSupported = Self("notSupported")
    /// The attribute does not permit the operation.
    public static let notPermitted = Self("notPermitted")
    /// The peripheral or bluetoothd does not authorize the operation.
    public static let notAuthorized = Self("notAuthorized")
    /// An argument of the request is wrong.
    public static let invalidArguments = Self("invalidArguments")
    /// The value is longer than the characteristic or the link allows.
    public static let valueTooLong = Self("valueTooLong")
    /// The service, characteristic or descriptor is gone; discover again.
    public static let attributeGone = Self("attributeGone")
    /// Nothing is bound to the object: it is not discovered yet, or the peripheral does not have it.
    public static let notDiscovered = Self("notDiscovered")
    /// The services could not be found.
    public static let discoveryFailed = Self("discoveryFailed")
    /// BlueZ no longer knows the peripheral; scan again.
    public static let peripheralGone = Self("peripheralGone")
    /// There is no such adapter, or it was unplugged.
    public static let adapterGone = Self("adapterGone")
    /// The adapter is off or blocked.
    public static let adapterOff = Self("adapterOff")
    /// bluetoothd is not running.
    public static let daemonUnavailable = Self("daemonUnavailable")
    /// The message bus cannot be reached.
    public static let busUnavailable = Self("busUnavailable")
    /// The policy of the bus does not let this user access bluetoothd.
    public static let accessDenied = Self("accessDenied")
    /// No reply or response arrived in time, or the request waited too long behind others and was not sent; the message
    /// says which.
    public static let timedOut = Self("timedOut")
    /// A value, a response from a peripheral, or a reply from bluetoothd is invalid.
    public static let invalidData = Self("invalidData")
    /// A sequence's consumer was too slow, and elements were lost.
    public static let overflow = Self("overflow")
    /// Something else; see `bluezName` and `bluezMessage`.
    public static let failed = Self("failed")
}

extension Result {
    package var isSuccess: Bool { failure == nil }

    /// The error, if there is one: the argument of completions without a value.
    package var failure: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }

    /// Calls a completion with the value or the error.
    package func split(_ completion: (Success?, Failure?) -> Void) {
        switch self {
        case .success(let value): completion(value, nil)
        case .failure(let error): completion(nil, error)
        }
    }
}
