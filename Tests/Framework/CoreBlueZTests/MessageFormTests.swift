import BlueZDBus
import TestSupport
import Testing

@testable import BlueZClient
@testable import CoreBlueZ

/// The messages of all errors that can be listed; `Scripts/check messages` sees the literals of the others.
@Suite(.virtualTime) struct MessageFormTests {
    private static let requests: [Request] = [.read, .write, .notify, .connect, .disconnect, .discovery, .other]

    private static let busNames = [
        DBusError.Name.failed, DBusError.Name.noMemory, DBusError.Name.serviceUnknown, DBusError.Name.nameHasNoOwner,
        DBusError.Name.noReply, DBusError.Name.accessDenied, DBusError.Name.authenticationFailed,
        DBusError.Name.disconnected, DBusError.Name.notSupported, DBusError.Name.invalidArguments,
        DBusError.Name.invalidSignature, DBusError.Name.timeout, DBusError.Name.unknownMethod,
        DBusError.Name.unknownObject, DBusError.Name.unknownInterface, DBusError.Name.unknownProperty,
        DBusError.Name.propertyReadOnly, DBusError.Name.limitsExceeded, "org.freedesktop.DBus.Error.Spawn.ChildExited",
    ]

    @Test(
        "What BlueZ answers becomes a message that begins with a capital and has no full stop",
        arguments: ErrorMappingTests.rows + ErrorMappingTests.more + ErrorMappingTests.reasons
            + ErrorMappingTests.attErrors)
    func answers(row: ErrorMappingTests.Row) {
        for request in Self.requests {
            let error = BluetoothError(DBusError(name: row.name, message: row.message), in: request, "Reading X")
            #expect(MessageForm.fault(in: error.message) == nil, "\(error.message)")
        }
    }

    @Test("What the bus answers becomes such a message", arguments: busNames)
    func bus(name: String) {
        for request in Self.requests {
            for isLocal in [false, true] {
                let answer = DBusError(name: name, message: "", isLocal: isLocal)
                let error = BluetoothError(answer, in: request, "Reading X")
                #expect(MessageForm.fault(in: error.message) == nil, "\(error.message)")
            }
        }
    }

    @Test(
        "What keeps Bluetooth from being used is such a message",
        arguments: [
            BluetoothError.daemonSuggestion, BluetoothError.daemonStoppedSuggestion, BluetoothError.busLostSuggestion,
            BluetoothError.rulesSuggestion, BluetoothError.accessSuggestion, BluetoothError.busSuggestion,
            BluetoothError.adapterSuggestion,
        ])
    func unavailable(advice: String) {
        let message = BluetoothError.unavailable(advice)
        #expect(MessageForm.fault(in: message) == nil, "\(message)")
    }

    @Test(
        "What keeps a passive scan from beginning is such a message",
        arguments: [
            BluetoothError.patternSuggestion, BluetoothError.monitorSuggestion, BluetoothError.monitorTypeSuggestion,
            BluetoothError.monitorReleaseSuggestion, BluetoothError.monitorSilenceSuggestion,
        ])
    func passive(message: String) {
        #expect(MessageForm.fault(in: message) == nil, "\(message)")
    }

    @Test("The names of ATT errors are such messages")
    func attErrors() {
        for code in UInt8.min...UInt8.max {
            #expect(MessageForm.fault(in: ATTError(rawValue: code).description) == nil)
        }
    }

    @Test("The form is seen", arguments: ["", "it failed", "It failed.", "It failed "])
    func form(message: String) {
        #expect(MessageForm.fault(in: message) != nil)
    }
}
