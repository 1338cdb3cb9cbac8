import BlueZScript
import CoreBlueZ
import Testing

@Suite("Exit statuses") struct ExitStatusTests {
    @Test(
        "What is not permitted or not supported is unavailable, whoever says so",
        arguments: [BluetoothError.Code.notPermitted, .notSupported],
        [nil, ATTError.readNotPermitted, .writeNotPermitted, .requestNotSupported])
    func notPermitted(code: BluetoothError.Code, answer: ATTError?) {
        #expect(ExitStatus(BluetoothError(code, "", attError: answer)) == .unavailable)
    }

    @Test("A script can tell what may work later from what never will")
    func again() {
        #expect(ExitStatus(BluetoothError(.peripheralGone, "")) == .connection)
        #expect(ExitStatus(BluetoothError(.timedOut, "")) == .timedOut)
        #expect(ExitStatus(BluetoothError(.notDiscovered, "")) == .notFound)
        #expect(ExitStatus(BluetoothError(.invalidArguments, "")) == .usage)
    }
}
