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
        let prefix = "org.bluez.Error."
        if error.name.hasPrefix(prefix) {
            return translateBlueZ(String(error.name.dropFirst(prefix.count)), error.message, request)
        }
        return translateBus(error, request)
    }

    private static func translateBlueZ(_ name: String, _ message: String, _ request: Request) -> Meaning {
        switch name {
        case "Failed": translateFailed(message, request)
        case "InProgress" where request == .discovery: (.busy, BluetoothError.busyAdapterSuggestion, nil)
        case "InProgress", "Busy": (.busy, "BlueZ is already busy with this; try again", nil)
        case "NotConnected": (.notConnected, "not connected; connect first", nil)
        case "NotReady": (.adapterOff, "the adapter is off; switch it on: bluetoothctl power on", nil)
        case "Blocked": (.adapterOff, "Bluetooth is blocked by rfkill; run: rfkill unblock bluetooth", nil)
        case "NotSupported": (.notSupported, "the operation is not supported", attError(of: name, message, request))
        case "NotPermitted": translateNotPermitted(message, request)
        case "NotAuthorized":
            (.notAuthorized, "not authorized; bluetoothd may keep this service for itself (ExportClaimedServices)", nil)
        case "InvalidArguments", "InvalidOffset", "InvalidValueLength":
            (
                .invalidArguments, "BlueZ refuses the request as invalid; check its arguments",
                attError(of: name, message, request)
            )
        case "DoesNotExist", "NoSuchAdapter": (.peripheralGone, "BlueZ no longer knows it; scan again", nil)
        case "NotAvailable" where request != .connect: (.failed, "not available now; try again", nil)
        case "NotAvailable", "BREDR.ProfileUnavailable":
            (.wrongBearer, BluetoothError.bearerSuggestion, nil)
        case "AlreadyExists", "AlreadyConnected":
            (.failed, "nothing to do: it already exists or is already connected", nil)
        case "AuthenticationCanceled": (.cancelled, BluetoothError.pairingEndedSuggestion, nil)
        case "AuthenticationFailed", "AuthenticationRejected", "AuthenticationTimeout":
            (.insufficientSecurity, "pairing failed; try again", nil)
        case "ConnectionAttemptFailed": (.connectionFailed, "the link did not come up; try again", nil)
        default: (.failed, "the operation failed", nil)
        }
    }

    private static func translateFailed(_ message: String, _ request: Request) -> Meaning {
        if let att = ATTError(inBlueZText: message) {
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
            (.notPermitted, "the attribute does not permit it", attError(of: "NotPermitted", message, request))
        }
    }

    /// Returns the ATT error for which BlueZ has its own text. bluetoothd itself sends several of these. The code is
    /// then the one that the peripheral would have returned.
    private static func attError(of name: String, _ message: String, _ request: Request) -> ATTError? {
        switch (name, message) {
        case ("NotPermitted", "Read not permitted"): .readNotPermitted
        case ("NotPermitted", "Write not permitted"): .writeNotPermitted
        case ("NotSupported", "Operation is not supported") where request == .read || request == .write:
            .requestNotSupported
        case ("InvalidArguments", "Invalid offset"): .invalidOffset
        case ("InvalidArguments", "Invalid Length"): .invalidAttributeValueLength
        default: nil
        }
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

extension ATTError {
    /// Creates an error from BlueZ's text for all codes that have no text of their own: "Operation failed with ATT
    /// error: 0x80".
    init?(inBlueZText text: String) {
        let prefix = "Operation failed with ATT error: 0x"
        guard text.hasPrefix(prefix), let code = UInt8(text.dropFirst(prefix.count), radix: 16) else { return nil }
        self.init(rawValue: code)
    }
}
