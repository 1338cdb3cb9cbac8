import DBus
import Testing

@testable import CoreBlueZ

/// One table for what bluetoothd answers and what it becomes; the texts are bluetoothd's.
@Suite struct ErrorMappingTests {
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
        Row("org.freedesktop.DBus.Error.LimitsExceeded", "", .read, .failed),
    ]

    @Test("What bluetoothd answers becomes the code that fits, and its words are kept", arguments: rows)
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
