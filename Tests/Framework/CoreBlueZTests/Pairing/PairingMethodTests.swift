import BlueZSimulator
import TestSupport
import Testing

@testable import CoreBlueZ

extension PairingTests {
    @Suite struct Methods {
        @Test("A passkey of zero is a passkey")
        @BluetoothActor func passkeyOfZero() async throws {
            let fixture = try await PeripheralFixture()
            var behaviour = PairingBehaviour(.displayOnly, wantsAuthentication: true)
            behaviour.passkey = 0
            await fixture.setPairing(behaviour)
            let agent = PairingAgent()
            agent.passkeyHandler = { _, reply in Passkey(0).map(reply.accept) }
            try await fixture.central.registerPairingAgent(agent)
            try await fixture.find().pair()
        }

        @Test("A passkey is shown, with the digits that the device's user has typed")
        @BluetoothActor func passkeyTypedThere() async throws {
            let fixture = try await PeripheralFixture()
            await fixture.setPairing(PairingBehaviour(.keyboardOnly, wantsAuthentication: true))
            let agent = PairingAgent()
            var shown: [(Passkey, Int)] = []
            agent.displayPasskeyHandler = { _, passkey, entered in shown.append((passkey, entered)) }
            try await fixture.central.registerPairingAgent(agent)
            let ends = fixture.startPairing(try await fixture.find())
            try await eventually("the passkey") { shown.count == 1 }
            await fixture.simulator.perform { $0.peripheral.simulateTypedDigits(3) }
            try await eventually("the digits") { shown.count == 2 }
            #expect(shown.map(\.1) == [0, 3])
            #expect(ends.count == 0)
            let number = shown[0].0.number
            #expect(await fixture.simulator.perform { $0.peripheral.enterPasskey(number) })
            try await ends.wait(for: "the end of pairing")
            #expect(ends.values == [nil])
        }

        @Test("A number is compared; the answer may come much later than the question")
        @BluetoothActor func numericComparison() async throws {
            let fixture = try await PeripheralFixture()
            await fixture.setPairing(PairingBehaviour(.displayYesNo, wantsAuthentication: true))
            let agent = PairingAgent()
            var questions: [(Peripheral, Passkey, PairingReply<Void>)] = []
            agent.confirmationHandler = { questions.append(($0, $1, $2)) }
            try await fixture.central.registerPairingAgent(agent)
            let peripheral = try await fixture.find()
            let ends = fixture.startPairing(peripheral)
            try await eventually("the question") { questions.count == 1 }
            #expect(questions[0].0 === peripheral)
            #expect(await fixture.pairingRecord.compared == questions[0].1.number)
            #expect(ends.count == 0)
            questions[0].2.accept()
            questions[0].2.reject()
            try await ends.wait(for: "the end of pairing")
            #expect(ends.values == [nil] && peripheral.isPaired)
            #expect(!questions[0].2.isPending)
        }

        @Test("Two keyboards type the same number")
        @BluetoothActor func bothType() async throws {
            let fixture = try await PeripheralFixture()
            await fixture.setPairing(PairingBehaviour(.keyboardOnly, wantsAuthentication: true))
            let agent = PairingAgent()
            agent.setPasskeyHandler { _ in
                await fixture.simulator.perform { _ = $0.peripheral.enterPasskey(123_456) }
                return try #require(Passkey(123_456))
            }
            try await fixture.central.registerPairingAgent(agent)
            try await fixture.find().pair()
        }

        @Test(
            "Each pair of capabilities has its method",
            arguments: [
                (.displayOnly, .displayOnly, true, .nothing), (.displayOnly, .displayYesNo, true, .nothing),
                (.displayOnly, .keyboardOnly, true, .shown), (.displayOnly, .keyboardDisplay, true, .shown),
                (.displayYesNo, .displayOnly, true, .nothing), (.displayYesNo, .displayYesNo, true, .compared),
                (.displayYesNo, .displayYesNo, false, .nothing), (.displayYesNo, .keyboardOnly, true, .shown),
                (.displayYesNo, .keyboardDisplay, true, .compared), (.displayYesNo, .keyboardDisplay, false, .shown),
                (.keyboardOnly, .displayOnly, true, .typed), (.keyboardOnly, .displayYesNo, true, .typed),
                (.keyboardOnly, .keyboardDisplay, true, .typed), (.keyboardDisplay, .displayOnly, true, .typed),
                (.keyboardDisplay, .displayYesNo, true, .compared), (.keyboardDisplay, .displayYesNo, false, .typed),
                (.keyboardDisplay, .keyboardOnly, true, .shown), (.keyboardDisplay, .keyboardDisplay, true, .compared),
                (.keyboardDisplay, .keyboardDisplay, false, .shown), (.keyboardDisplay, .none, true, .nothing),
                (.noInputNoOutput, .keyboardDisplay, true, .nothing),
            ] as [(PairingCapability, PairingBehaviour.InputOutput, Bool, Seen)])
        @BluetoothActor func table(
            capability: PairingCapability,
            peer: PairingBehaviour.InputOutput,
            isSecure: Bool,
            expected: Seen
        ) async throws {
            let fixture = try await PeripheralFixture()
            var behaviour = PairingBehaviour(peer, wantsAuthentication: true)
            behaviour.hasSecureConnections = isSecure
            behaviour.passkey = 42
            await fixture.setPairing(behaviour)
            let agent = PairingAgent(capability: capability)
            var seen: [Seen] = []
            agent.passkeyHandler = { _, reply in
                seen.append(.typed)
                Passkey(42).map(reply.accept)
            }
            agent.confirmationHandler = { _, _, reply in
                seen.append(.compared)
                reply.accept()
            }
            agent.displayPasskeyHandler = { _, passkey, _ in
                seen.append(.shown)
                Task { await fixture.simulator.perform { _ = $0.peripheral.enterPasskey(passkey.number) } }
            }
            try await fixture.central.registerPairingAgent(agent)
            try await fixture.find().pair()
            #expect(seen == (expected == .nothing ? [] : [expected]))
            #expect(
                await fixture.simulator.perform { $0.peripheral.keys }.map {
                    [$0.areAuthenticated, $0.areSecureConnections]
                }
                    == [expected != .nothing, isSecure])
        }

        enum Seen: Sendable {
            case nothing, typed, shown, compared
        }
    }
}
