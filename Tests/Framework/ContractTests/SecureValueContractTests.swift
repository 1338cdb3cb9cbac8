import CoreBlueZ
import Foundation
import TestSupport
import Testing

extension Contract {
    @Suite(.virtualTime, .enabled("needs pairing") { try await Side.can("pairing", "pairing-state", "enter-passkey") })
    struct SecureValues {
        @Test("Row 40: A value for paired centrals is read after pairing")
        func paired() async throws {
            try await ContractFixture.run { fixture in
                let peripheral = try await fixture.connectProbe()
                try await peripheral.pair()
                let value = try fixture.secureValue(Probe.paired, of: peripheral)
                #expect(try await value.readValue() == Data("paired".utf8))
                try await value.writeValue(Data([1]))
                #expect(try await value.readValue() == Data([1]))
            }
        }

        @Test("Row 40: Reading a value for paired centrals pairs, if the agent allows it")
        func pairsByReading() async throws {
            try await ContractFixture.runUnlessReadIsLost { fixture in
                let agent = PairingAgent()
                let asked = Once<Peripheral>()
                agent.authorizationHandler = { peripheral, reply in
                    asked(peripheral)
                    reply.accept()
                }
                try await fixture.central.registerPairingAgent(agent, asDefault: true)
                let peripheral = try await fixture.connectProbe()
                let value = try await fixture.secureValue(Probe.paired, of: peripheral).readValue()
                #expect(value == Data("paired".utf8))
                #expect(try asked.only() === peripheral)
                try await fixture.wait(for: "the pairing") { peripheral.isPaired }
            }
        }

        @Test("Row 40: A value for centrals that compared a number is read after comparing one")
        func compared() async throws {
            try await ContractFixture.runUnlessReadIsLost { fixture in
                try await fixture.setPairing(["io": "display-yes-no", "mitm": true])
                let agent = PairingAgent()
                agent.confirmationHandler = { _, _, reply in reply.accept() }
                try await fixture.central.registerPairingAgent(agent, asDefault: true)
                let peripheral = try await fixture.connectProbe()
                let value = try await fixture.secureValue(Probe.compared, of: peripheral).readValue()
                #expect(value == Data("compared".utf8))
                #expect(try await fixture.peerPairing().isAuthenticated)
            }
        }

        @Test("Row 40: A read for paired centrals during a pairing waits for its end")
        func during() async throws {
            try await ContractFixture.runUnlessReadIsLost { fixture in
                try await fixture.setPairing(["io": "display-yes-no", "mitm": true])
                let agent = PairingAgent()
                var replies: [PairingReply<Void>] = []
                agent.confirmationHandler = { _, _, reply in replies.append(reply) }
                try await fixture.central.registerPairingAgent(agent, asDefault: true)
                let peripheral = try await fixture.connectProbe()
                let paired = Once<BluetoothError?>()
                peripheral.pair { paired($0) }
                try await fixture.wait(for: "the question") { replies.count == 1 }
                let value = Once<(data: Data?, error: BluetoothError?)>()
                // bluetoothd gets the call before the answer.
                try fixture.secureValue(Probe.paired, of: peripheral).readValue { value((data: $0, error: $1)) }
                replies[0].accept()
                try await fixture.wait(for: "both ends") { value.isCalled && paired.isCalled }
                #expect(try paired.only() == nil)
                let (data, error) = try value.only()
                // It may be the lost read.
                if let error { throw error }
                #expect(data == Data("paired".utf8))
            }
        }

        @Test("Row 40: A read that wants more than the agent allows gets no answer but its timeout")
        func refused() async throws {
            try await ContractFixture.runUnlessReadIsLost { fixture in
                let agent = PairingAgent()
                agent.authorizationHandler = { _, reply in reply.reject() }
                try await fixture.central.registerPairingAgent(agent, asDefault: true)
                let peripheral = try await fixture.connectProbe()
                fixture.central.attributeTimeout = fixture.seconds(0.5)
                let value = try fixture.secureValue(Probe.paired, of: peripheral)
                let error = await #expect(throws: BluetoothError.self) { try await value.readValue() }
                if let error, error.attError == .unlikelyError { throw error }
                // 5.87 ends the link at once; what came before answers nothing.
                #expect([.timedOut, .disconnected].contains(error?.code))
                #expect(!peripheral.isPaired)
                #expect(try await fixture.peerPairing().bonds == 0)
            }
        }
    }
}

extension ContractFixture {
    func secureValue(_ uuid: BluetoothUUID, of peripheral: Peripheral) throws -> Characteristic {
        try #require(peripheral[Probe.secure]?[uuid])
    }

    func discoverAll(of peripheral: Peripheral) async throws {
        for service in try await peripheral.discoverServices() { try await service.discoverCharacteristics() }
    }
}
