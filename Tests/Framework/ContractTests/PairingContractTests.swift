import CoreBlueZ
import Foundation
import TestSupport
import Testing

extension Contract {
    @Suite(.virtualTime, .enabled("needs pairing") { try await Side.can("pairing", "pairing-state", "enter-passkey") })
    struct Pairing {
        @Test("Just Works pairs by LE Secure Connections without a question, and encrypts the link")
        func justWorks() async throws {
            try await ContractFixture.run { fixture in
                let peripheral = try await fixture.findProbe()
                try await peripheral.pair()
                #expect(peripheral.isPaired && peripheral.isBonded && peripheral.isConnected)
                let peer = try await fixture.peerPairing()
                #expect(peer.bonds == 1 && peer.isEncrypted && peer.areSecureConnections)
                #expect(!peer.isAuthenticated && !peer.isAsked && peer.compared == nil)
                try await peripheral.pair()
            }
        }

        @Test("A passkey that the peer shows is typed here", arguments: [true, false])
        func passkeyEntry(isSecure: Bool) async throws {
            try await ContractFixture.run { fixture in
                let peripheral = try await fixture.findProbe()
                try await fixture.setPairing(["io": "display-only", "mitm": true, "sc": isSecure, "passkey": 7042])
                let agent = PairingAgent()
                agent.setPasskeyHandler { asked in
                    #expect(asked === peripheral)
                    return try await fixture.passkeyOnPeer()
                }
                try await fixture.central.registerPairingAgent(agent)
                try await peripheral.pair()
                #expect(peripheral.isPaired && peripheral.isBonded)
                let peer = try await fixture.peerPairing()
                #expect(peer.shown?.description == "007042")
                #expect(peer.isAuthenticated && peer.areSecureConnections == isSecure)
            }
        }

        @Test("A passkey that is shown here is typed on the peer")
        func passkeyDisplay() async throws {
            try await ContractFixture.run { fixture in
                let peripheral = try await fixture.findProbe()
                try await fixture.setPairing(["io": "keyboard-only", "mitm": true])
                let agent = PairingAgent()
                var shown: [Passkey] = []
                agent.displayPasskeyHandler = { asked, passkey, entered in
                    #expect(asked === peripheral && entered == 0)
                    shown.append(passkey)
                }
                try await fixture.central.registerPairingAgent(agent)
                let end = Once<BluetoothError?>()
                peripheral.pair { end($0) }
                try await fixture.wait(for: "the passkey", within: 30) { !shown.isEmpty || end.isCalled }
                try await fixture.enterOnPeer(try #require(shown.first))
                try await fixture.wait(for: "the end of pairing", within: 30) { end.isCalled }
                #expect(try end.only() == nil)
                let peer = try await fixture.peerPairing()
                #expect(peer.isAuthenticated && peer.areSecureConnections && peripheral.isBonded)
            }
        }

        @Test("Two displays compare the same number")
        func numericComparison() async throws {
            try await ContractFixture.run { fixture in
                let peripheral = try await fixture.findProbe()
                try await fixture.setPairing(["io": "display-yes-no", "mitm": true])
                let agent = PairingAgent()
                agent.setConfirmationHandler { asked, passkey in
                    #expect(asked === peripheral)
                    try await fixture.wait(for: "the peer's number") {
                        try await fixture.peerPairing().compared != nil
                    }
                    return try await fixture.peerPairing().compared == passkey
                }
                try await fixture.central.registerPairingAgent(agent)
                try await peripheral.pair()
                let peer = try await fixture.peerPairing()
                #expect(peer.isAuthenticated && peer.areSecureConnections && peripheral.isBonded)
            }
        }

        @Test(
            "A refusal on either side ends pairing once, with insufficientSecurity and no keys",
            arguments: ["the peer refuses", "the peer's user says no", "this user says no", "a wrong passkey"])
        func refusal(_ refuser: String) async throws {
            try await ContractFixture.run { fixture in
                let peripheral = try await fixture.findProbe()
                let isWrong = refuser == "a wrong passkey"
                try await fixture.setPairing([
                    "io": isWrong ? "display-only" : "display-yes-no", "mitm": true,
                    "accept": refuser != "the peer refuses", "compare": refuser != "the peer's user says no",
                ])
                let agent = PairingAgent()
                agent.confirmationHandler = { _, _, reply in
                    if refuser == "this user says no" { reply.reject() } else { reply.accept() }
                }
                agent.setPasskeyHandler { _ in
                    let shown = try await fixture.passkeyOnPeer()
                    return try #require(Passkey((shown.number + 1) % 1_000_000))
                }
                try await fixture.central.registerPairingAgent(agent)
                let end = Once<BluetoothError?>()
                peripheral.pair { end($0) }
                try await fixture.wait(for: "the end of pairing", within: 30) { end.isCalled }
                #expect(try end.only()?.code == .insufficientSecurity)
                #expect(!peripheral.isPaired)
                try await fixture.wait(for: "the peer to hear of it") { try await fixture.peerPairing().failure != nil }
                #expect(try await fixture.peerPairing().bonds == 0)
            }
        }

        @Test("Without an agent of its own the program refuses what a person would have to see")
        func noAgent() async throws {
            try await ContractFixture.run { fixture in
                let peripheral = try await fixture.findProbe()
                try await fixture.setPairing(["io": "display-yes-no", "mitm": true])
                try await peripheral.pair()
                // Nothing could be compared: this side has told that it shows nothing.
                #expect(try await fixture.peerPairing().isAuthenticated == false)
            }
        }

        @Test("Cancelling the task that pairs cancels pairing and withdraws the question once")
        func cancellation() async throws {
            try await ContractFixture.run { fixture in
                let peripheral = try await fixture.findProbe()
                try await fixture.setPairing(["io": "display-yes-no", "mitm": true])
                let agent = PairingAgent()
                let question = Once<PairingReply<Void>>()
                let withdrawn = Once<Peripheral>()
                agent.confirmationHandler = { _, _, reply in question(reply) }
                agent.cancelHandler = { withdrawn($0) }
                try await fixture.central.registerPairingAgent(agent)
                let task = Task { @BluetoothActor in try await peripheral.pair() }
                try await fixture.wait(for: "the question", within: 30) { question.isCalled }
                task.cancel()
                let result = await task.result
                #expect(throws: BluetoothError.self) { try result.get() }
                try await fixture.wait(for: "the peer to hear of it") { try await fixture.peerPairing().failure != nil }
                #expect(try withdrawn.only() === peripheral)
                #expect(try !question.only().isPending)
                try question.only().accept()
                #expect(!peripheral.isPaired)
            }
        }

        @Test(
            "A link that ends under pairing withdraws the question and ends pairing",
            .enabled("needs vanish") { try await Side.can("vanish") })
        func loss() async throws {
            try await ContractFixture.run { fixture in
                let peripheral = try await fixture.findProbe()
                try await fixture.setPairing(["io": "display-yes-no", "mitm": true])
                let agent = PairingAgent()
                let question = Once<PairingReply<Void>>()
                let withdrawn = Once<Peripheral>()
                let end = Once<BluetoothError?>()
                agent.confirmationHandler = { _, _, reply in question(reply) }
                agent.cancelHandler = { withdrawn($0) }
                try await fixture.central.registerPairingAgent(agent)
                peripheral.pair { end($0) }
                try await fixture.wait(for: "the question", within: 30) { question.isCalled }
                _ = try await fixture.ask("vanish")
                try await fixture.wait(for: "the end of pairing", within: 30) { end.isCalled && withdrawn.isCalled }
                #expect(try end.only() != nil)
                #expect(try withdrawn.only() === peripheral)
                #expect(!peripheral.isPaired)
            }
        }

        @Test("A forgotten peer is found and paired again")
        func again() async throws {
            try await ContractFixture.run { fixture in
                let first = try await fixture.findProbe()
                try await first.pair()
                try await fixture.central.forgetPeripheral(first)
                #expect(!first.isPaired)
                _ = try await fixture.ask("forget")
                #expect(try await fixture.peerPairing().bonds == 0)
                let second = try await fixture.findProbe()
                try await second.pair()
                #expect(second.isBonded)
                #expect(try await fixture.peerPairing().bonds == 1)
            }
        }

        @Test("A bond is used by the next link: a value for paired centrals is read without pairing again")
        func bond() async throws {
            try await ContractFixture.run { fixture in
                let peripheral = try await fixture.findProbe()
                try await peripheral.pair()
                try await peripheral.disconnect()
                try await peripheral.connect()
                try await fixture.discoverAll(of: peripheral)
                let value = try await fixture.secureValue(Probe.paired, of: peripheral).readValue()
                #expect(value == Data("paired".utf8))
                #expect(try await fixture.peerPairing().isEncrypted)
            }
        }
    }
}
