import BlueZDBus
import TestSupport
import Testing

@testable import BlueZClient

/// One table for what bluetoothd answers and what it becomes; the texts are bluetoothd's.
@Suite(.virtualTime) struct ErrorMappingTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let message: String
        let request: Request
        let code: BluetoothError.Code
        let att: UInt8?

        init(_ name: String, _ message: String, _ request: Request, _ code: BluetoothError.Code, _ att: UInt8? = nil) {
            self.name = name.contains(".") ? name : "org.bluez.Error." + name
            self.message = message
            self.request = request
            self.code = code
            self.att = att
        }

        var testDescription: String { "\(name) \"\(message)\" in \(request)" }
    }

    static let rows: [Row] = [
        Row("NotPermitted", "Read not permitted", .read, .notPermitted, 0x02),
        Row("NotPermitted", "Write not permitted", .write, .notPermitted, 0x03),
        Row("NotPermitted", "Not paired", .read, .insufficientSecurity),
        Row("NotPermitted", "Notify acquired", .notify, .busy),
        Row("NotPermitted", "Write acquired", .write, .busy),
        Row("NotSupported", "Operation is not supported", .read, .notSupported, 0x06),
        Row("NotSupported", "Operation is not supported", .notify, .notSupported),
        Row("InvalidArguments", "Invalid offset", .read, .invalidArguments, 0x07),
        Row("InvalidArguments", "Invalid Length", .write, .invalidArguments, 0x0D),
        Row("InvalidArguments", "Invalid arguments in method call", .write, .invalidArguments),
        Row("InvalidOffset", "", .read, .invalidArguments),
        Row("NotAuthorized", "Operation Not Authorized", .write, .notAuthorized),
        Row("Failed", "Operation failed with ATT error: 0x01", .read, .att, 0x01),
        Row("Failed", "Operation failed with ATT error: 0x0e", .read, .att, 0x0E),
        Row("Failed", "Operation failed with ATT error: 0x80", .write, .att, 0x80),
        Row("Failed", "Operation failed with ATT error: 0xff", .write, .att, 0xFF),
        Row("Failed", "Operation failed with ATT error: 0x", .write, .failed),
        Row("Failed", "Operation failed with ATT error: 0x123", .write, .failed),
        Row("Failed", "Not connected", .read, .notConnected),
        Row("NotConnected", "Not Connected", .notify, .notConnected),
        Row("Failed", "No ATT transport", .write, .notConnected),
        Row("Failed", "Failed to initiate write", .write, .valueTooLong),
        Row("Failed", "Bad address", .write, .failed),
        Row("Failed", "le-connection-abort-by-local", .connect, .connectionFailed),
        Row("Failed", "Software caused connection abort", .connect, .connectionFailed),
        Row("Failed", "br-connection-canceled", .connect, .connectionFailed),
        Row("Failed", "br-connection-page-timeout", .connect, .wrongBearer),
        Row("Failed", "le-connection-key-missing", .connect, .bondLost),
        Row("Failed", "le-connection-adapter-not-powered", .connect, .adapterOff),
        Row("Failed", "Operation already in progress", .connect, .busy),
        Row("NotAvailable", "br-connection-profile-unavailable", .connect, .wrongBearer),
        Row("org.bluez.Error.BREDR.ProfileUnavailable", "No more profiles to connect to", .connect, .wrongBearer),
        Row("InProgress", "In Progress", .read, .busy),
        Row("NotReady", "Resource Not Ready", .discovery, .adapterOff),
        Row("org.bluez.Error.Blocked", "", .other, .adapterOff),
        Row("DoesNotExist", "Does Not Exist", .other, .peripheralGone),
        Row("AuthenticationFailed", "Authentication Failed", .other, .insufficientSecurity),
        Row("AuthenticationCanceled", "Authentication Canceled", .other, .cancelled),
        Row("SomethingNew", "?", .read, .failed),
        Row("org.freedesktop.DBus.Error.UnknownObject", "", .read, .attributeGone),
        Row("org.freedesktop.DBus.Error.UnknownObject", "", .connect, .peripheralGone),
        Row("org.freedesktop.DBus.Error.UnknownMethod", "", .discovery, .adapterGone),
        Row("org.freedesktop.DBus.Error.AccessDenied", "", .other, .accessDenied),
        Row("org.freedesktop.DBus.Error.ServiceUnknown", "", .other, .daemonUnavailable),
        Row("org.freedesktop.DBus.Error.NameHasNoOwner", "", .other, .daemonUnavailable),
        Row("org.freedesktop.DBus.Error.NoReply", "", .read, .daemonUnavailable),
        Row("org.freedesktop.DBus.Error.Disconnected", "", .read, .busUnavailable),
        Row("org.freedesktop.DBus.Error.Timeout", "", .read, .timedOut),
        Row("org.freedesktop.DBus.Error.LimitsExceeded", "", .read, .busy),
    ]

    /// The rest of what src/error.c, src/error.h, src/gatt-client.c and gdbus know.
    static let more: [Row] = [
        Row("Failed", "Operation failed", .read, .failed),
        Row("Failed", "Failed to send read request", .read, .failed),
        Row("Failed", "Failed to register notify session", .notify, .failed),
        Row("Failed", "Failed to subscribe", .notify, .failed),
        Row("Failed", "Failed allocate notify session", .notify, .failed),
        Row("Failed", "No notify session started", .notify, .failed),
        Row("Failed", "No discovery started", .discovery, .failed),
        Row("Failed", "Powering down", .other, .failed),
        Row("Failed", "Input/output error", .connect, .connectionFailed),
        Row("Failed", "Cancelled", .connect, .connectionFailed),
        Row("InvalidValueLength", "", .write, .invalidArguments),
        Row("ImproperlyConfigured", "", .write, .failed),
        Row("NotPermitted", "Not paired", .write, .insufficientSecurity),
        Row("InProgress", "Operation already in progress", .discovery, .busy),
        Row("InProgress", "br-connection-busy", .connect, .busy),
        Row("AlreadyExists", "Already Exists", .other, .failed),
        Row("AlreadyConnected", "Already Connected", .connect, .failed),
        Row("NotAvailable", "Operation currently not available", .connect, .wrongBearer),
        Row("NotAvailable", "Operation currently not available", .other, .failed),
        Row("NoSuchAdapter", "No such adapter", .other, .peripheralGone),
        Row("NotReady", "br-connection-adapter-not-powered", .connect, .adapterOff),
        Row("Busy", "", .other, .busy),
        Row("org.bluez.Error.Blocked", "Blocked through rfkill", .other, .adapterOff),
        Row("ConnectionAttemptFailed", "Page Timeout", .other, .connectionFailed),
        Row("AuthenticationTimeout", "Authentication Timeout", .other, .insufficientSecurity),
        Row("AuthenticationRejected", "Authentication Rejected", .other, .insufficientSecurity),
        Row("org.freedesktop.DBus.Error.UnknownInterface", "", .notify, .attributeGone),
        Row("org.freedesktop.DBus.Error.UnknownProperty", "No such property 'X'", .other, .notSupported),
        Row("org.freedesktop.DBus.Error.PropertyReadOnly", "", .other, .notSupported),
        Row("org.freedesktop.DBus.Error.InvalidArgs", "No such property 'X'", .other, .failed),
        Row("org.freedesktop.DBus.Error.InvalidSignature", "", .other, .failed),
        Row("org.freedesktop.DBus.Error.TimedOut", "", .other, .timedOut),
        Row("org.freedesktop.DBus.Error.NoMemory", "", .other, .failed),
        Row("org.freedesktop.DBus.Error.AuthFailed", "", .other, .accessDenied),
        Row("org.freedesktop.DBus.Error.Spawn.ExecFailed", "", .other, .daemonUnavailable),
        Row("org.freedesktop.DBus.Error.Spawn.ServiceNotFound", "", .other, .daemonUnavailable),
    ]

    /// The reasons of src/error.h, each after "le-connection-" or "br-connection-"; what is not here failed to connect.
    static let reasons: [Row] = {
        let le = [
            "invalid-arguments", "adapter-not-powered", "not-supported", "already-connected", "bad-socket",
            "memory-allocation", "busy", "refused", "create-socket", "timeout", "concurrent-connection-limit",
            "abort-by-remote", "abort-by-local", "link-layer-protocol-error", "gatt-browsing", "key-missing", "unknown",
        ]
        let br = [
            "already-connected", "page-timeout", "sdp-search", "create-socket", "invalid-argument",
            "adapter-not-powered", "not-supported", "bad-socket", "memory-allocation", "busy",
            "concurrent-connection-limit", "timeout", "refused", "aborted-by-remote", "aborted-by-local",
            "lmp-protocol-error", "canceled", "key-missing", "unknown",
        ]
        let codes: [String: BluetoothError.Code] = [
            "adapter-not-powered": .adapterOff, "not-supported": .notSupported, "timeout": .connectionTimedOut,
            "page-timeout": .wrongBearer, "key-missing": .bondLost,
        ]
        return (le.map { ("le-connection-" + $0, $0) } + br.map { ("br-connection-" + $0, $0) }).map { text, reason in
            Row("Failed", text, .connect, codes[reason] ?? .connectionFailed)
        }
    }()

    /// All ATT errors that have no text of their own.
    static let attErrors: [Row] =
        ([0x01, 0x04, 0x09, 0x0A, 0x0B, 0x0E] + Array(0x10...0x13) + Array(0x80...0x9F)
        + Array(0xFC...0xFF)).map { (code: UInt8) in
            let digits = code < 16 ? "0" + String(code, radix: 16) : String(code, radix: 16)
            return Row("Failed", "Operation failed with ATT error: 0x" + digits, .write, .att, code)
        }

    @Test("Each ATT error has a name and a text, and is told from others by them, but for those that mean one thing")
    func everyATTError() {
        // bluetoothd has one text for all that ask for pairing, and does not tell its own refusals from a peripheral's.
        let ambiguous: Set<UInt8> = [0x05, 0x08, 0x0C, 0x0F]
        for code in UInt8.min ... .max {
            let error = ATTError(rawValue: code)
            let (name, text) = error.bluezError
            #expect(ATTError(bluezName: name, text: text) == (ambiguous.contains(code) ? nil : error), "\(error)")
            if let name = error.applicationErrorName { #expect(ATTError(applicationErrorName: name) == error) }
        }
        #expect(ATTError(bluezName: .failed, text: "Not connected") == nil)
        #expect(ATTError(applicationErrorName: .failed) == nil)
    }

    @Test(
        "What bluetoothd answers becomes the code that fits, and its words are kept",
        arguments: rows + more + reasons + attErrors)
    func mapping(row: Row) {
        let error = BluetoothError(DBusError(name: row.name, message: row.message), in: row.request, "Reading X")
        #expect(error.code == row.code)
        #expect(error.attError?.rawValue == row.att)
        #expect(error.bluezName == row.name)
        #expect(error.bluezMessage == row.message)
        #expect(error.description.contains(row.name))
        #expect(error.message.hasPrefix("Reading X: "))
    }

    @Test("Every ATT error code has a name and two digits")
    func names() {
        for code in UInt8.min...UInt8.max {
            let error = ATTError(rawValue: code)
            #expect(!error.name.isEmpty)
            #expect(error.description.hasPrefix("ATT error 0x"))
        }
        #expect(ATTError(rawValue: 0x80).description == "ATT error 0x80 (application error)")
        #expect(ATTError.readNotPermitted.description == "ATT error 0x02 (read not permitted)")
    }
}
