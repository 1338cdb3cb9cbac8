import BLESerial
import CommandLineSupport
import CoreBlueZ
import FoundationEssentials
import PrintableText

/// Messages for users about events: on the standard error, and in the log.
@BluetoothActor final class SerialMessages {
    private let log: SerialLog?
    private let ending: Ending

    init(_ log: SerialLog?, _ ending: Ending) {
        self.log = log
        self.ending = ending
    }

    func note(_ message: String) {
        Progress.note(message)
        write { log throws(CommandFailure) in try log.note(message) }
    }

    func received(_ bytes: Data) {
        write { log throws(CommandFailure) in try log.received(bytes) }
    }

    func sent(_ bytes: Data) {
        write { log throws(CommandFailure) in try log.sent(bytes) }
    }

    func note(_ event: SerialLink.Event) {
        switch event {
        case .connected(let service, let isAgain):
            note("\(isAgain ? "Connected again to" : "Connected to") \(service.title) (\(service.profile.name))")
        case .lost(let error): note("\(error); connecting again")
        case .stillLost(let reason): note("Still trying: \(reason)")
        case .unsent(let text): note(text)
        }
    }

    private func write(_ body: (SerialLog) throws(CommandFailure) -> Void) {
        guard let log else { return }
        do throws(CommandFailure) { try body(log) } catch { ending.end(error) }
    }
}
