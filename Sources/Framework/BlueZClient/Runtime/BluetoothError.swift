import BlueZDBus
import BlueZPrintableText

/// An error of an operation: what happened to which object, what BlueZ reported, and what to do about it.
public struct BluetoothError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of error, for programs. See the constants of ``Code``.
    public var code: Code
    /// The text for users: what happened, and what to do about it. It is one line. Because it may contain the name of a
    /// device, control characters are escaped (see `escapedForTerminal`).
    public var message: String {
        didSet { message = message.escapedForTerminal() }
    }
    /// The ATT error that the peripheral returned, or nil if it returned none.
    public var attError: ATTError?
    /// The name of the D-Bus error from BlueZ or the bus, such as "org.bluez.Error.Failed"; nil if there is none.
    public var bluezName: String?
    /// The unchanged text of the D-Bus error from BlueZ or the bus; nil if there is none.
    public var bluezMessage: String?

    /// Creates an error, for example in a service subclass that cannot decode a value.
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

    /// The message, followed by BlueZ's error, escaped like the message.
    public var description: String {
        guard let bluezName else { return message }
        guard let bluezMessage, !bluezMessage.isEmpty else { return "\(message) [\(bluezName)]".escapedForTerminal() }
        return "\(message) [\(bluezName): \(bluezMessage)]".escapedForTerminal()
    }

    /// A kind of error. Later versions may add codes, so a `switch` needs a default case.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The code's name, such as "timedOut".
        public let rawValue: String

        /// Creates a code from its name, such as "timedOut". Libraries can add their own.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The code's name.
        public var description: String { rawValue }
    }
}

extension BluetoothError.Code {
    private init(_ name: String) { self.init(rawValue: name) }

    /// The peripheral returned an error; see `attError`.
    public static let att = Self("att")
    /// The peripheral requires pairing or encryption, or pairing failed.
    public static let insufficientSecurity = Self("insufficientSecurity")
    /// The peripheral is not connected.
    public static let notConnected = Self("notConnected")
    /// The link was lost or ended during the operation.
    public static let disconnected = Self("disconnected")
    /// The link did not come up. Another attempt may succeed.
    public static let connectionFailed = Self("connectionFailed")
    /// The link did not come up in time. Usually the peripheral is out of range or asleep.
    public static let connectionTimedOut = Self("connectionTimedOut")
    /// BlueZ tried to connect over BR/EDR to a device that has both transports.
    public static let wrongBearer = Self("wrongBearer")
    /// The operation was cancelled, or its central manager was released.
    public static let cancelled = Self("cancelled")
    /// The peripheral has forgotten its pairing. Remove it, and pair again.
    public static let bondLost = Self("bondLost")
    /// BlueZ is already doing this, often for another program, or a limit of the bus is reached.
    public static let busy = Self("busy")
    /// The attribute, the peripheral or BlueZ does not support the operation.
    public static let notSupported = Self("notSupported")
    /// The attribute does not permit the operation, such as writing.
    public static let notPermitted = Self("notPermitted")
    /// The peripheral or bluetoothd does not authorize the operation.
    public static let notAuthorized = Self("notAuthorized")
    /// An argument of the request is invalid.
    public static let invalidArguments = Self("invalidArguments")
    /// The value is longer than the characteristic or the link allows.
    public static let valueTooLong = Self("valueTooLong")
    /// The service, characteristic or descriptor is gone. Discover the services again.
    public static let attributeGone = Self("attributeGone")
    /// The attribute is not discovered yet, or the peripheral does not have it.
    public static let notDiscovered = Self("notDiscovered")
    /// No services were found. Disconnect, and connect again.
    public static let discoveryFailed = Self("discoveryFailed")
    /// BlueZ no longer knows the peripheral. Scan again.
    public static let peripheralGone = Self("peripheralGone")
    /// There is no such adapter, or it was unplugged.
    public static let adapterGone = Self("adapterGone")
    /// The adapter is off, or rfkill blocks it.
    public static let adapterOff = Self("adapterOff")
    /// bluetoothd is not running, or stopped during the operation.
    public static let daemonUnavailable = Self("daemonUnavailable")
    /// The message bus cannot be reached, or the connection to it was lost.
    public static let busUnavailable = Self("busUnavailable")
    /// The policy of the bus does not let this user access bluetoothd.
    public static let accessDenied = Self("accessDenied")
    /// No reply or response arrived in time, or the request waited too long for others and was not sent. The message
    /// says which.
    public static let timedOut = Self("timedOut")
    /// A value, a response from a peripheral, or a reply from bluetoothd is invalid.
    public static let invalidData = Self("invalidData")
    /// A sequence's consumer was too slow, and elements were lost.
    public static let overflow = Self("overflow")
    /// Another error occurred; see `bluezName` and `bluezMessage`.
    public static let failed = Self("failed")
}

extension Result {
    package var isSuccess: Bool { failure == nil }

    /// The error, or nil: for a completion without a value.
    public var failure: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }

    /// Creates the result of an operation without a value.
    ///
    /// - Parameter failure: the error, or nil for success.
    public init(failure: Failure?) where Success == Void {
        self = failure.map { .failure($0) } ?? .success(())
    }

    /// Calls a completion with the value or the error. With this and `AsyncBridge`, one method is behind both forms of
    /// an operation.
    public func split(_ completion: (Success?, Failure?) -> Void) {
        switch self {
        case .success(let value): completion(value, nil)
        case .failure(let error): completion(nil, error)
        }
    }
}
