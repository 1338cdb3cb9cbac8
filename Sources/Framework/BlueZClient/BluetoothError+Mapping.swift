import BlueZDBus

extension BluetoothError {
    /// Creates an error from that of BlueZ or the bus, and keeps its name and text. The texts are those of BlueZ's
    /// src/error.c, src/error.h and src/gatt-client.c (create_gatt_dbus_error).
    package init(_ error: DBusError, in request: Request, _ subject: String) {
        let (code, suggestion, att) = Self.translate(error, request)
        self.init(code, "\(subject): \(suggestion)", attError: att, from: error)
    }

    private typealias Meaning = (code: Code, suggestion: String, att: ATTError?)

    private static func translate(_ error: DBusError, _ request: Request) -> Meaning {
        error.name.hasPrefix(BlueZErrorName.prefix)
            ? translateBlueZ(error.bluezName, error.message, request)
            : translateBus(error, request)
    }

    private static func translateBlueZ(_ name: BlueZErrorName?, _ message: String, _ request: Request) -> Meaning {
        switch name {
        case .failed: translateFailed(message, request)
        case .inProgress where request == .discovery: (.busy, BluetoothError.busyAdapterSuggestion, nil)
        case .inProgress, .busy: (.busy, "BlueZ is already busy with this; try again", nil)
        case .notConnected: (.notConnected, "not connected; connect first", nil)
        case .notReady: (.adapterOff, "the adapter is off; switch it on: bluetoothctl power on", nil)
        case .blocked: (.adapterOff, "Bluetooth is blocked by rfkill; run: rfkill unblock bluetooth", nil)
        case .notSupported: (.notSupported, "the operation is not supported", attError(of: name, message, request))
        case .notPermitted: translateNotPermitted(message, request)
        case .notAuthorized:
            (.notAuthorized, "not authorized; bluetoothd may keep this service for itself (ExportClaimedServices)", nil)
        case .invalidArguments, .invalidOffset, .invalidValueLength:
            (
                .invalidArguments, "BlueZ refuses the request as invalid; check its arguments",
                attError(of: name, message, request)
            )
        case .doesNotExist, .noSuchAdapter: (.peripheralGone, "BlueZ no longer knows it; scan again", nil)
        case .notAvailable where request != .connect: (.failed, "not available now; try again", nil)
        case .notAvailable, .profileUnavailable:
            (.wrongBearer, BluetoothError.bearerSuggestion, nil)
        case .alreadyExists, .alreadyConnected:
            (.failed, "nothing to do: it already exists or is already connected", nil)
        case .authenticationCanceled: (.cancelled, BluetoothError.pairingEndedSuggestion, nil)
        case .authenticationFailed, .authenticationRejected, .authenticationTimeout:
            (.insufficientSecurity, "pairing failed; try again", nil)
        case .connectionAttemptFailed: (.connectionFailed, "the link did not come up; try again", nil)
        default: (.failed, "the operation failed", nil)
        }
    }

    private static func translateFailed(_ message: String, _ request: Request) -> Meaning {
        if let att = ATTError(bluezName: .failed, text: message) {
            let isHandleWrong = att.rawValue == 0x01 || att.rawValue == 0x0A
            return (.att, "the peripheral returned \(att)" + (isHandleWrong ? BluetoothError.staleSuggestion : ""), att)
        }
        if message.hasSuffix("key-missing") {
            return (.bondLost, "the peripheral has forgotten its pairing; remove the device and pair again", nil)
        }
        if message.hasSuffix("adapter-not-powered") {
            return (.adapterOff, "the adapter is off; switch it on: bluetoothctl power on", nil)
        }
        if message.hasSuffix("-connection-limit") {
            return (.connectionFailed, "the adapter has no room for another link; disconnect other devices", nil)
        }
        if message == "br-connection-page-timeout" { return (.wrongBearer, BluetoothError.bearerSuggestion, nil) }
        if message.hasSuffix("-timeout") {
            return (.connectionTimedOut, "no response; is it in range and on?", nil)
        }
        switch (message, request) {
        case (_, .connect) where message.hasSuffix("-not-supported"):
            return (.notSupported, "the adapter or the device does not support the link", nil)
        case ("Not connected", _), ("No ATT transport", _):
            return (.notConnected, "not connected; connect first", nil)
        case ("Operation already in progress", _):
            return (.busy, "BlueZ is already busy with this; try again", nil)
        case ("Failed to initiate write", _):
            return (.valueTooLong, "the value cannot be sent; without response it can have at most MTU - 3 bytes", nil)
        case ("Bad address", .write):
            return (.failed, BluetoothError.echoSuggestion, nil)
        case (_, .connect):
            return (.connectionFailed, "the link did not come up; is it in range and on?", nil)
        default:
            return (.failed, "the operation failed", nil)
        }
    }

    private static func translateNotPermitted(_ message: String, _ request: Request) -> Meaning {
        switch message {
        case "Not paired":
            (.insufficientSecurity, "the peripheral asks for pairing; pair first", nil)
        case "Notify acquired", "Write acquired":
            (.busy, "another program has acquired the characteristic; close that program", nil)
        default:
            (.notPermitted, "the attribute does not permit it", attError(of: .notPermitted, message, request))
        }
    }

    /// Returns the ATT error for which BlueZ has its own text. bluetoothd itself sends several of these. The code is
    /// then the one that the peripheral would have returned.
    private static func attError(of name: BlueZErrorName?, _ message: String, _ request: Request) -> ATTError? {
        let error = name.flatMap { ATTError(bluezName: $0, text: message) }
        return error == .requestNotSupported && request != .read && request != .write ? nil : error
    }

    private static func translateBus(_ error: DBusError, _ request: Request) -> Meaning {
        switch error.name {
        case DBusError.Name.unknownObject, DBusError.Name.unknownMethod, DBusError.Name.unknownInterface:
            switch request {
            case .read, .write, .notify:
                (.attributeGone, "the attribute is gone; discover the services again", nil)
            case .discovery: (.adapterGone, "the adapter is gone; plug it in again", nil)
            case .connect, .disconnect, .other: (.peripheralGone, "BlueZ no longer knows it; scan again", nil)
            }
        case DBusError.Name.accessDenied: (.accessDenied, BluetoothError.accessSuggestion, nil)
        case DBusError.Name.serviceUnknown, DBusError.Name.nameHasNoOwner:
            (.daemonUnavailable, BluetoothError.daemonSuggestion, nil)
        case _ where error.name.hasPrefix("org.freedesktop.DBus.Error.Spawn."):
            (.daemonUnavailable, BluetoothError.daemonSuggestion, nil)
        case DBusError.Name.noReply where !error.isLocal:
            (.daemonUnavailable, "bluetoothd stopped meanwhile; try again", nil)
        case DBusError.Name.disconnected:
            (.busUnavailable, "the connection to the message bus was lost; try again", nil)
        case DBusError.Name.authenticationFailed: (.accessDenied, BluetoothError.accessSuggestion, nil)
        case DBusError.Name.timeout, "org.freedesktop.DBus.Error.TimedOut":
            (.timedOut, "no reply in time; try again", nil)
        case DBusError.Name.unknownProperty, DBusError.Name.propertyReadOnly:
            (.notSupported, "this version of BlueZ does not offer that", nil)
        case DBusError.Name.limitsExceeded: (.busy, BluetoothError.rulesSuggestion, nil)
        case DBusError.Name.invalidArguments where error.isLocal:
            (.invalidData, "bluetoothd's reply is invalid; report it with a log at level trace", nil)
        default: (.failed, "the operation failed", nil)
        }
    }
}

/// The kind of request, for BlueZ errors with several meanings.
package enum Request: Sendable {
    case read
    case write
    case notify
    case connect
    case disconnect
    case discovery
    case other
}

extension DBusError {
    /// Which of bluetoothd's errors it is; nil for the bus's, and for those that have no name of their own.
    package var bluezName: BlueZErrorName? { BlueZErrorName(rawValue: name) }

    /// An error as bluetoothd returns it.
    package static func bluez(_ error: (name: BlueZErrorName, text: String)) -> DBusError {
        DBusError(name: error.name.rawValue, message: error.text)
    }
}

extension IncomingCall {
    /// Replies with an error of bluetoothd, or with one that it takes from applications.
    package func fail(_ name: BlueZErrorName, _ text: String) { fail(.bluez((name, text))) }
}
