import BlueZScript
import CoreBlueZ

/// Asks the user at the terminal the pairing questions.
@BluetoothActor final class PairingQuestions {
    let agent = PairingAgent()
    private let input = TerminalInput()

    init() {
        agent.setPasskeyHandler { [input] peripheral in
            try await Self.ask(input, "The passkey that \(Self.name(peripheral)) shows: ") { Passkey($0) }
        }
        agent.setPinCodeHandler { [input] peripheral in
            try await Self.ask(input, "The PIN code of \(Self.name(peripheral)): ") { PinCode($0) }
        }
        agent.setConfirmationHandler { [input] peripheral, passkey in
            let answer = await input.line("Does \(Self.name(peripheral)) show \(passkey)? [y/N] ")
            return ["y", "yes"].contains(answer?.lowercased() ?? "")
        }
        agent.displayPasskeyHandler = { peripheral, passkey, entered in
            if entered == 0 { Progress.report("Type \(passkey) on \(Self.name(peripheral))") }
        }
        agent.displayPinCodeHandler = { peripheral, code in
            Progress.report("Type \(code) on \(Self.name(peripheral))")
        }
        agent.cancelHandler = { _ in Progress.report("\nThe pairing was cancelled") }
    }

    /// Any device can advertise any name; the address distinguishes devices.
    private static func name(_ peripheral: Peripheral) -> String {
        guard let address = peripheral.address, peripheral.name != nil else { return peripheral.displayName }
        return "\(peripheral.displayName) (\(address))"
    }

    /// Asks until the answer is valid; an empty one, or the end of the input, refuses.
    private static func ask<Answer>(
        _ input: TerminalInput,
        _ question: String,
        _ read: (String) -> Answer?
    ) async throws -> Answer {
        while let line = await input.line(question), !line.isEmpty {
            if let answer = read(line) { return answer }
        }
        throw CommandFailure(.permission, "Pairing was refused")
    }
}
