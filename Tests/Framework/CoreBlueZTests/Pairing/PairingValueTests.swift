import CoreBlueZ
import TestSupport
import Testing

@Suite(.virtualTime) struct PairingValueTests {
    @Test(
        "A passkey is a number of up to six digits, and shows all six",
        arguments: [(0, "000000"), (7042, "007042"), (999_999, "999999"), (1_000_000, nil), (.max, nil)]
            as [(UInt32, String?)])
    func passkeys(number: UInt32, text: String?) {
        #expect(Passkey(number)?.description == text)
    }

    @Test(
        "A typed passkey may have spaces; anything else is none",
        arguments: [
            ("7042", 7042), ("007 042", 7042), ("0", 0), ("999999", 999_999), ("1000000", nil), ("", nil), ("  ", nil),
            ("12a", nil), ("-1", nil), ("+1", nil), ("٣", nil), ("0000001", nil),
        ] as [(String, UInt32?)])
    func typed(text: String, number: UInt32?) {
        #expect(Passkey(text)?.number == number)
    }

    @Test(
        "A PIN code has 1 to 16 bytes and no control characters",
        arguments: [
            ("0000", true), ("0123456789abcdef", true), ("0123456789abcdefg", false), ("", false), ("ääääääää", true),
            ("äääääääää", false), ("12\n4", false), ("1\u{0}", false),
        ])
    func pinCodes(text: String, isOne: Bool) {
        #expect((PinCode(text) != nil) == isOne)
    }

    @Test("The capability follows from the closures that are set, unless one was given")
    @BluetoothActor func capabilities() {
        let agent = PairingAgent()
        #expect(agent.capability == .noInputNoOutput)
        agent.authorizationHandler = { _, _ in }
        agent.serviceAuthorizationHandler = { _, _, _ in }
        #expect(agent.capability == .noInputNoOutput)
        agent.displayPinCodeHandler = { _, _ in }
        #expect(agent.capability == .displayOnly)
        agent.displayPinCodeHandler = nil
        agent.displayPasskeyHandler = { _, _, _ in }
        #expect(agent.capability == .displayOnly)
        agent.pinCodeHandler = { _, _ in }
        #expect(agent.capability == .keyboardOnly)
        agent.pinCodeHandler = nil
        agent.passkeyHandler = { _, _ in }
        #expect(agent.capability == .keyboardOnly)
        agent.confirmationHandler = { _, _, _ in }
        #expect(agent.capability == .keyboardDisplay)
        agent.passkeyHandler = nil
        #expect(agent.capability == .displayYesNo)
        #expect(PairingAgent(capability: .displayOnly).capability == .displayOnly)
    }
}
