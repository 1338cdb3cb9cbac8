import BlueZDBus
import BlueZSimulator
import FoundationEssentials
import TestSupport
import Testing

@testable import CoreBlueZ

extension PairingTests {
    @Suite struct Refusals {
        /// The questions that want an answer, by the closures that would give it.
        enum Question: CaseIterable, Sendable {
            case pinCode, pinCodeDisplay, service, authorization, passkey, confirmation
        }

        @Test("A question whose closure is not set is refused", arguments: Question.allCases)
        @BluetoothActor func defaults(_ question: Question) async throws {
            let fixture = try await PeripheralFixture()
            try await fixture.central.registerPairingAgent(
                PairingAgent(capability: .keyboardDisplay), asDefault: true)
            let peripheral = try await fixture.connect()
            #expect(try await fixture.ask(question) == false)
            #expect(!peripheral.isPaired)
        }

        @Test("A question whose closure releases the reply is refused", arguments: Question.allCases)
        @BluetoothActor func dropped(_ question: Question) async throws {
            let fixture = try await PeripheralFixture()
            let agent = PairingAgent(capability: .keyboardDisplay)
            agent.pinCodeHandler = { _, _ in }
            agent.passkeyHandler = { _, _ in }
            agent.confirmationHandler = { _, _, _ in }
            agent.authorizationHandler = { _, _ in }
            agent.serviceAuthorizationHandler = { _, _, _ in }
            try await fixture.central.registerPairingAgent(agent, asDefault: true)
            _ = try await fixture.connect()
            #expect(try await fixture.ask(question) == false)
        }

        @Test("A question with a closure gets its answer", arguments: Question.allCases)
        @BluetoothActor func answered(_ question: Question) async throws {
            let fixture = try await PeripheralFixture()
            let agent = PairingAgent(capability: .keyboardDisplay)
            var asked: [Peripheral] = []
            var shown: [String] = []
            agent.pinCodeHandler = { peripheral, reply in
                asked.append(peripheral)
                PinCode("0042").map(reply.accept)
            }
            agent.displayPinCodeHandler = { peripheral, code in
                asked.append(peripheral)
                shown.append("\(code)")
            }
            agent.setPasskeyHandler { peripheral in
                asked.append(peripheral)
                return try #require(Passkey(42))
            }
            agent.setConfirmationHandler { peripheral, _ in
                asked.append(peripheral)
                return true
            }
            agent.setAuthorizationHandler { peripheral in
                asked.append(peripheral)
                return true
            }
            agent.setServiceAuthorizationHandler { peripheral, service in
                asked.append(peripheral)
                return service == 0x1124
            }
            try await fixture.central.registerPairingAgent(agent, asDefault: true)
            let peripheral = try await fixture.connect()
            #expect(try await fixture.ask(question))
            #expect(asked.count == 1 && asked.first === peripheral)
            #expect(shown == (question == .pinCodeDisplay ? ["1234"] : []))
        }

        @Test("An agent that is not the default is not asked about pairings of others", arguments: Question.allCases)
        @BluetoothActor func notDefault(_ question: Question) async throws {
            let fixture = try await PeripheralFixture()
            let agent = PairingAgent(capability: .keyboardDisplay)
            var asked = 0
            agent.pinCodeHandler = { _, reply in
                PinCode("0042").map(reply.accept); asked += 1
            }
            agent.displayPinCodeHandler = { _, _ in asked += 1 }
            agent.passkeyHandler = { _, reply in
                Passkey(42).map(reply.accept); asked += 1
            }
            agent.confirmationHandler = { _, _, reply in
                reply.accept(); asked += 1
            }
            agent.authorizationHandler = { _, reply in
                reply.accept(); asked += 1
            }
            agent.serviceAuthorizationHandler = { _, _, reply in
                reply.accept(); asked += 1
            }
            try await fixture.central.registerPairingAgent(agent)
            _ = try await fixture.connect()
            #expect(try await fixture.ask(question) == false)
            #expect(asked == 0)
        }

        @Test(
            "If one of the two refuses, pairing ends once with insufficientSecurity",
            arguments: ["pairing-not-supported", "confirm-value-failed", "numeric-comparison-failed"])
        @BluetoothActor func ends(reason: String) async throws {
            let fixture = try await PeripheralFixture()
            var behaviour = PairingBehaviour(.displayYesNo, wantsAuthentication: true)
            behaviour.accepts = reason != "pairing-not-supported"
            behaviour.confirms = reason != "confirm-value-failed"
            await fixture.setPairing(behaviour)
            let agent = PairingAgent()
            agent.confirmationHandler = { _, _, reply in reply.reject() }
            try await fixture.central.registerPairingAgent(agent)
            let peripheral = try await fixture.find()
            let ends = fixture.startPairing(peripheral)
            try await ends.wait(for: "the end of pairing")
            #expect(ends.values.map { $0?.code } == [.insufficientSecurity])
            #expect(await fixture.pairingRecord.failure == reason)
            #expect(await fixture.simulator.perform { $0.peripheral.keys } == nil)
            let isOurs = reason == "numeric-comparison-failed"
            try await eventually("what becomes of the link") { peripheral.isConnected == isOurs }
        }

        @Test(
            "If pairing for a write fails, the link ends after 30 s, and bluetoothd up to 5.76 forgets the device",
            arguments: [false, true])
        @BluetoothActor func unpairedWrite(stays: Bool) async throws {
            var configuration = SimulatedBlueZ.Configuration(timing: .instant)
            configuration.version = stays ? .v5_82 : .v5_66
            let secret = CharacteristicSpecification(0x2A00, .write, needsEncryption: true)
            let fixture = try await PeripheralFixture(
                SimulatorFixture(configuration, peripheral: SimulatorFixture.specification(more: [secret])))
            let peripheral = try await fixture.connect()
            let characteristic = try #require(
                peripheral.services.flatMap(\.characteristics).first { $0.uuid == secret.uuid })
            let start = MonotonicInstant.now
            let error = await fixture.failure { try await characteristic.writeValue(Data([1]), type: .withResponse) }
            #expect(error?.code == (stays ? .disconnected : .peripheralGone))
            #expect(MonotonicInstant.now - start >= .seconds(30))
            #expect(!peripheral.isConnected && fixture.central.retrieveKnownPeripherals().isEmpty == !stays)
        }

        @Test("A wrong passkey, typed on either side, ends pairing", arguments: [true, false])
        @BluetoothActor func wrongPasskey(isTypedHere: Bool) async throws {
            let fixture = try await PeripheralFixture()
            var behaviour = PairingBehaviour(isTypedHere ? .displayOnly : .keyboardOnly, wantsAuthentication: true)
            behaviour.passkey = 42
            await fixture.setPairing(behaviour)
            let agent = PairingAgent()
            agent.passkeyHandler = { _, reply in Passkey(43).map(reply.accept) }
            agent.displayPasskeyHandler = { _, _, _ in
                Task { await fixture.simulator.perform { _ = $0.peripheral.enterPasskey(43) } }
            }
            try await fixture.central.registerPairingAgent(
                isTypedHere ? agent : agent.copy(capability: .displayOnly))
            #expect(await fixture.failure { try await fixture.find().pair() }?.code == .insufficientSecurity)
            #expect(await fixture.pairingRecord.failure == "confirm-value-failed")
        }

        @Test("A passkey that nobody can see ends the pairing that this process asked for")
        @BluetoothActor func unseenPasskey() async throws {
            let fixture = try await PeripheralFixture()
            await fixture.setPairing(PairingBehaviour(.keyboardOnly, wantsAuthentication: true))
            try await fixture.central.registerPairingAgent(PairingAgent(capability: .displayOnly))
            let peripheral = try await fixture.find()
            #expect(await fixture.failure { try await peripheral.pair() }?.code == .cancelled)
            #expect(!peripheral.isPaired)
        }

        @Test("A device that says nothing ends pairing by the Security Manager's time")
        @BluetoothActor func silence() async throws {
            var timing = Timing.instant
            timing.pairing = .milliseconds(50)
            let fixture = try await PeripheralFixture(.init(timing: timing))
            var behaviour = PairingBehaviour()
            behaviour.responds = false
            await fixture.setPairing(behaviour)
            let peripheral = try await fixture.find()
            let ends = fixture.startPairing(peripheral)
            try await ends.wait(for: "the end of pairing")
            #expect(ends.values.map { $0?.bluezName } == ["org.bluez.Error.AuthenticationCanceled"])
        }

        @Test("Nobody but bluetoothd may ask")
        @BluetoothActor func strangers() async throws {
            let fixture = try await PeripheralFixture()
            let agent = PairingAgent()
            var asked = 0
            agent.authorizationHandler = { _, reply in
                asked += 1
                reply.accept()
            }
            agent.cancelHandler = { _ in asked += 1 }
            agent.releaseHandler = { asked += 1 }
            try await fixture.central.registerPairingAgent(agent, asDefault: true)
            _ = try await fixture.find()
            let name = try #require(fixture.central.client.connection?.uniqueName)
            let stranger = try await Stranger(fixture.simulator.bus)
            let device = Value.objectPath(try ObjectPath(SimulatorFixture.device))
            for (member, arguments) in [("RequestAuthorization", [device]), ("Cancel", []), ("Release", [])] {
                let error = try await stranger.call(name, member, arguments)
                #expect(error?.name == "org.bluez.Error.Rejected")
            }
            #expect(asked == 0)
        }
    }
}

extension PairingAgent {
    /// The same closures with a capability of their own.
    fileprivate func copy(capability: PairingCapability) -> PairingAgent {
        let agent = PairingAgent(capability: capability)
        agent.displayPasskeyHandler = displayPasskeyHandler
        return agent
    }
}

extension PeripheralFixture {
    /// Has bluetoothd put a question to the default agent; whether it was answered by yes, or by the right thing.
    fileprivate func ask(_ question: PairingTests.Refusals.Question) async throws -> Bool {
        let ends = Ends<Bool>()
        let finish: @Sendable (Bool) -> Void = { isAnswered in
            BluetoothActor.perform { ends.values.append(isAnswered) }
        }
        switch question {
        case .pinCode:
            await simulator.perform { simulator in
                simulator.bluez.simulatePinCodeRequest(for: simulator.peripheral) { finish($0 == "0042") }
            }
        case .pinCodeDisplay:
            await simulator.perform { simulator in
                simulator.bluez.simulatePinCodeDisplay("1234", for: simulator.peripheral) { finish($0) }
            }
        case .service:
            await simulator.perform { simulator in
                simulator.bluez.simulateServiceAuthorization(0x1124, of: simulator.peripheral) { finish($0) }
            }
        case .authorization: return try await askBySecurityRequest(PairingBehaviour())
        case .passkey:
            var behaviour = PairingBehaviour(.displayOnly, wantsAuthentication: true)
            behaviour.passkey = 42
            return try await askBySecurityRequest(behaviour)
        case .confirmation:
            return try await askBySecurityRequest(PairingBehaviour(.displayYesNo, wantsAuthentication: true))
        }
        try await ends.wait(for: "the answer")
        return ends.values == [true]
    }

    private func askBySecurityRequest(_ behaviour: PairingBehaviour) async throws -> Bool {
        await setPairing(behaviour)
        await simulator.perform { $0.peripheral.simulateSecurityRequest() }
        try await eventually("the end of pairing") {
            await simulator.perform { $0.peripheral.keys != nil || $0.peripheral.pairingRecord.failure != nil }
        }
        return await simulator.perform { $0.peripheral.keys != nil }
    }
}
