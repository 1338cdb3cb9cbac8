import CoreBlueZ
import Foundation
import Testing

extension Contract {
    @Suite(.enabled("needs pairing") { try await Side.can("pairing", "pairing-state", "enter-passkey") })
    struct SecureValues {
        @Test("Row 40: A value for paired centrals is read after pairing")
        func paired() async throws {
            try await Stage.run { stage in
                let peripheral = try await stage.connectProbe()
                try await peripheral.pair()
                let value = try stage.secureValue(Probe.paired, of: peripheral)
                #expect(try await value.readValue() == Data("paired".utf8))
                try await value.writeValue(Data([1]))
                #expect(try await value.readValue() == Data([1]))
            }
        }

        @Test("Row 40: Reading a value for paired centrals pairs, if the agent allows it")
        func pairsByReading() async throws {
            try await Stage.runUnlessReadIsLost { stage in
                let agent = PairingAgent()
                let asked = Once<Peripheral>()
                agent.authorizationHandler = { peripheral, reply in
                    asked(peripheral)
                    reply.accept()
                }
                try await stage.central.registerPairingAgent(agent, asDefault: true)
                let peripheral = try await stage.connectProbe()
                let value = try await stage.secureValue(Probe.paired, of: peripheral).readValue()
                #expect(value == Data("paired".utf8))
                #expect(try asked.only() === peripheral)
                try await stage.wait(for: "the pairing") { peripheral.isPaired }
            }
        }

        @Test("Row 40: A value for centrals that compared a number is read after comparing one")
        func compared() async throws {
            try await Stage.runUnlessReadIsLost { stage in
                try await stage.setPairing(["io": "display-yes-no", "mitm": true])
                let agent = PairingAgent()
                agent.confirmationHandler = { _, _, reply in reply.accept() }
                try await stage.central.registerPairingAgent(agent, asDefault: true)
                let peripheral = try await stage.connectProbe()
                let value = try await stage.secureValue(Probe.compared, of: peripheral).readValue()
                #expect(value == Data("compared".utf8))
                #expect(try await stage.peerPairing().isAuthenticated)
            }
        }

        @Test("Row 40: A read that wants more than the agent allows gets no answer but its timeout")
        func refused() async throws {
            try await Stage.runUnlessReadIsLost { stage in
                let agent = PairingAgent()
                agent.authorizationHandler = { _, reply in reply.reject() }
                try await stage.central.registerPairingAgent(agent, asDefault: true)
                let peripheral = try await stage.connectProbe()
                stage.central.attributeTimeout = stage.seconds(0.5)
                let value = try stage.secureValue(Probe.paired, of: peripheral)
                let error = await #expect(throws: BluetoothError.self) { try await value.readValue() }
                if let error, error.attError == .unlikelyError { throw error }
                // 5.87 ends the link at once; what came before answers nothing.
                #expect([.timedOut, .disconnected].contains(error?.code))
                #expect(!peripheral.isPaired)
                #expect(try await stage.peerPairing().bonds == 0)
            }
        }
    }
}

extension Stage {
    func secureValue(_ uuid: BluetoothUUID, of peripheral: Peripheral) throws -> Characteristic {
        try #require(peripheral[Probe.secure]?[uuid])
    }

    func discoverAll(of peripheral: Peripheral) async throws {
        for service in try await peripheral.discoverServices() { try await service.discoverCharacteristics() }
    }
}
