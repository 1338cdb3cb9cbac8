import BlueZPrintableText

/// The names of bluetoothd's errors (src/error.h, src/error.c), and of those that it takes from applications.
package enum BlueZErrorName: String {
    case alreadyConnected = "org.bluez.Error.AlreadyConnected"
    case alreadyExists = "org.bluez.Error.AlreadyExists"
    case authenticationCanceled = "org.bluez.Error.AuthenticationCanceled"
    case authenticationFailed = "org.bluez.Error.AuthenticationFailed"
    case authenticationRejected = "org.bluez.Error.AuthenticationRejected"
    case authenticationTimeout = "org.bluez.Error.AuthenticationTimeout"
    case profileUnavailable = "org.bluez.Error.BREDR.ProfileUnavailable"
    case blocked = "org.bluez.Error.Blocked"
    case busy = "org.bluez.Error.Busy"
    case connectionAttemptFailed = "org.bluez.Error.ConnectionAttemptFailed"
    case doesNotExist = "org.bluez.Error.DoesNotExist"
    case failed = "org.bluez.Error.Failed"
    case improperlyConfigured = "org.bluez.Error.ImproperlyConfigured"
    case inProgress = "org.bluez.Error.InProgress"
    case invalidArguments = "org.bluez.Error.InvalidArguments"
    case invalidLength = "org.bluez.Error.InvalidLength"
    case invalidOffset = "org.bluez.Error.InvalidOffset"
    case invalidValueLength = "org.bluez.Error.InvalidValueLength"
    case noSuchAdapter = "org.bluez.Error.NoSuchAdapter"
    case notAuthorized = "org.bluez.Error.NotAuthorized"
    case notAvailable = "org.bluez.Error.NotAvailable"
    case notConnected = "org.bluez.Error.NotConnected"
    case notPermitted = "org.bluez.Error.NotPermitted"
    case notReady = "org.bluez.Error.NotReady"
    case notSupported = "org.bluez.Error.NotSupported"
    case rejected = "org.bluez.Error.Rejected"

    /// What all of bluetoothd's errors begin with, those that are not listed here too.
    package static let prefix = "org.bluez.Error."
}

extension ATTError {
    /// The errors of a peripheral that bluetoothd names so that they can be told from one another.
    private static let named: [(error: ATTError, name: BlueZErrorName, text: String)] = [
        (.readNotPermitted, .notPermitted, "Read not permitted"),
        (.writeNotPermitted, .notPermitted, "Write not permitted"),
        (.requestNotSupported, .notSupported, "Operation is not supported"),
        (.invalidOffset, .invalidArguments, "Invalid offset"),
        (.invalidAttributeValueLength, .invalidArguments, "Invalid Length"),
    ]
    private static let numberedText = "Operation failed with ATT error: 0x"

    /// bluetoothd's error for a peripheral's (src/gatt-client.c: create_gatt_dbus_error).
    package var bluezError: (name: BlueZErrorName, text: String) {
        switch self {
        case .insufficientAuthentication, .insufficientEncryption, .insufficientEncryptionKeySize:
            return (.notPermitted, "Not paired")
        case .insufficientAuthorization: return (.notAuthorized, "Operation Not Authorized")
        default:
            if let row = Self.named.first(where: { $0.error == self }) { return (row.name, row.text) }
            return (.failed, Self.numberedText + String(hexadecimal: rawValue, digits: 2))
        }
    }

    /// Creates the error for which bluetoothd has this name and text; nil if there is none, or several. bluetoothd also
    /// sends some of them by itself.
    package init?(bluezName name: BlueZErrorName, text: String) {
        if name == .failed, text.hasPrefix(Self.numberedText),
            let code = UInt8(text.dropFirst(Self.numberedText.count), radix: 16)
        {
            self.init(rawValue: code)
        } else if let row = Self.named.first(where: { $0.name == name && $0.text == text }) {
            self = row.error
        } else {
            return nil
        }
    }

    /// The errors that an application returns to bluetoothd by name, for a central (src/gatt-database.c:
    /// dbus_error_to_att_ecode).
    private static let ofApplications: [(error: ATTError, name: BlueZErrorName)] = [
        (.requestNotSupported, .notSupported),
        (.insufficientAuthorization, .notAuthorized),
        (.invalidAttributeValueLength, .invalidValueLength),
        (.invalidOffset, .invalidOffset),
        (.procedureAlreadyInProgress, .inProgress),
        (.configurationImproperlyConfigured, .improperlyConfigured),
    ]

    /// The name by which an application returns the error; nil if there is none.
    package var applicationErrorName: BlueZErrorName? { Self.ofApplications.first { $0.error == self }?.name }

    /// Creates the error that an application returns by a name; nil if there is none.
    package init?(applicationErrorName name: BlueZErrorName) {
        guard let row = Self.ofApplications.first(where: { $0.name == name }) else { return nil }
        self = row.error
    }
}
