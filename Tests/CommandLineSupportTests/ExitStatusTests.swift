import CommandLineSupport
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
}
