import BlueZPrintableText
import BlueZScript
import BlueZSerial
import CoreBlueZ
import FoundationEssentials

/// Messages for users about events: on the standard error, and in the log.
@BluetoothActor final class SerialMessages {
    private let log: SerialLog?
    private let ending: Ending

    init(_ log: SerialLog?, _ ending: Ending) {
        self.log = log
        self.ending = ending
    }

    func report(_ message: String) {
        Progress.report(message)
        write("*", message.escapedForTerminal())
    }

    func received(_ bytes: Data) { write("<", bytes) }

    func sent(_ bytes: Data) { write(">", bytes) }

    func report(_ event: SerialLink.Event) {
        switch event {
        case .connected(let service, let isAgain):
            report("\(isAgain ? "Reconnected to" : "Connected to") \(service.title) (\(service.profile.name))")
        case .lost(let error): report("\(error); reconnecting")
        case .stillLost(let reason): report("Still reconnecting: \(reason)")
        case .unsent(let text): report(text)
        }
    }

    private func write(_ mark: String, _ bytes: Data) {
        guard log != nil else { return }
        let characters = bytes.map { (0x20...0x7E).contains($0) ? Character(Unicode.Scalar($0)) : "." }
        write(mark, String(hexadecimal: bytes) + "  " + String(characters))
    }

    private func write(_ mark: String, _ text: String) {
        do throws(CommandFailure) { try log?.write(mark, text) } catch { ending.end(error) }
    }
}
