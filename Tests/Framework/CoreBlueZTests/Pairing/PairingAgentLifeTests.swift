import BlueZDBus
import BlueZSimulator
import TestSupport
import Testing

@testable import CoreBlueZ

extension PairingTests {
    @Suite struct Life {
        @Test("A cancelled pairing withdraws the question once, and cancels in bluetoothd")
        @BluetoothActor func cancelled() async throws {
            let fixture = try await PeripheralFixture()
            let (agent, questions, withdrawn) = try await fixture.registerAsking()
            let peripheral = try await fixture.find()
            await fixture.simulator.keepCalls()
            var withdrawals = 0
            let task = Task { @BluetoothActor in try await peripheral.pair() }
            try await questions.wait(for: "the question")
            questions.values[0].withdrawHandler = { withdrawals += 1 }
            task.cancel()
            let result = await task.result
            #expect(throws: BluetoothError.self) { try result.get() }
            try await eventually("CancelPairing") {
                await fixture.simulator.members.contains("CancelPairing")
            }
            #expect(withdrawn.count == 1 && withdrawn.values.first === peripheral)
            #expect(withdrawals == 1 && !questions.values[0].isPending)
            questions.values[0].accept()
            try await eventually("the end of the link") { !peripheral.isConnected }
            #expect(!peripheral.isPaired && withdrawn.count == 1)
            withExtendedLifetime(agent) {}
        }

        @Test("A timeout that passes while a person thinks cancels pairing, once")
        @BluetoothActor func late() async throws {
            let fixture = try await PeripheralFixture()
            let (_, questions, withdrawn) = try await fixture.registerAsking()
            let peripheral = try await fixture.find()
            let ends = fixture.startPairing(peripheral, timeout: .milliseconds(300).stretched)
            try await questions.wait(for: "the question")
            try await ends.wait(for: "the timeout")
            #expect(ends.values.map { $0?.code } == [.timedOut])
            #expect(withdrawn.count == 1)
        }

        @Test("Cancel of bluetoothd withdraws the question; an answer after it does nothing")
        @BluetoothActor func cancel() async throws {
            let fixture = try await PeripheralFixture()
            let agent = PairingAgent()
            let questions = Ends<PairingReply<Void>>()
            let withdrawn = Ends<Peripheral>()
            agent.serviceAuthorizationHandler = { _, _, reply in questions.values.append(reply) }
            agent.cancelHandler = { withdrawn.values.append($0) }
            try await fixture.central.registerPairingAgent(agent, asDefault: true)
            _ = try await fixture.connect()
            await fixture.simulator.perform { simulator in
                simulator.bluez.simulateServiceAuthorization(0x1124, of: simulator.peripheral) { _ in }
            }
            try await questions.wait(for: "the question")
            await fixture.simulator.perform { $0.bluez.simulateAgentCancel() }
            try await withdrawn.wait(for: "the end of the question")
            questions.values[0].accept()
            #expect(withdrawn.count == 1 && !questions.values[0].isPending)
        }

        @Test("An asynchronous answer is cancelled with its question")
        @BluetoothActor func asynchronous() async throws {
            let fixture = try await PeripheralFixture()
            await fixture.setPairing(PairingBehaviour(.displayYesNo, wantsAuthentication: true))
            let agent = PairingAgent()
            let states = Ends<String>()
            agent.setConfirmationHandler { _, _ in
                states.values.append("asked")
                // Nothing ever comes: only the task's cancellation ends this.
                let (stream, continuation) = AsyncStream<Void>.makeStream()
                for await _ in stream {}
                continuation.finish()
                states.values.append(Task.isCancelled ? "cancelled" : "ended")
                return true
            }
            try await fixture.central.registerPairingAgent(agent)
            let ends = fixture.startPairing(try await fixture.find())
            try await states.wait(for: "the question")
            await fixture.simulator.disconnect()
            try await ends.wait(for: "the end of pairing")
            try await eventually("the cancellation") { states.values == ["asked", "cancelled"] }
            #expect(ends.count == 1)
        }

        @Test("Release withdraws questions and informs the agent; bluetoothd's next life has it again")
        @BluetoothActor func release() async throws {
            let fixture = try await PeripheralFixture()
            let (agent, questions, withdrawn) = try await fixture.registerAsking()
            let released = Ends<Void>()
            agent.releaseHandler = { released.values.append(()) }
            let ends = fixture.startPairing(try await fixture.find())
            try await questions.wait(for: "the question")
            await fixture.simulator.perform { $0.bluez.simulateAgentRelease() }
            try await released.wait(for: "the release")
            #expect(withdrawn.count == 1 && released.count == 1)
            await fixture.simulator.perform { simulator in
                simulator.bluez.simulateCrash()
                simulator.keepCalls()
            }
            try await ends.wait(for: "the end of pairing")
            await fixture.simulator.restart()
            try await eventually("the registration") {
                await fixture.simulator.members.contains("RegisterAgent")
            }
            #expect(fixture.central.pairingAgent === agent)
            let question = questions.count
            let again = fixture.startPairing(try await fixture.find())
            try await eventually("the next question") { questions.count == question + 1 }
            questions.values[question].accept()
            try await eventually("the next end") { again.values == [nil] }
        }

        @Test("A crash of bluetoothd withdraws the question and ends pairing")
        @BluetoothActor func crash() async throws {
            let fixture = try await PeripheralFixture()
            let (_, questions, withdrawn) = try await fixture.registerAsking()
            let ends = fixture.startPairing(try await fixture.find())
            try await questions.wait(for: "the question")
            await fixture.simulator.perform { $0.bluez.simulateCrash() }
            try await ends.wait(for: "the end of pairing")
            #expect(ends.count == 1 && withdrawn.count == 1)
        }

        @Test("The agent is registered with its capability, as default if requested, and unregistered")
        @BluetoothActor func registration() async throws {
            let fixture = try await PeripheralFixture()
            await fixture.simulator.keepCalls()
            let agent = PairingAgent(capability: .displayOnly)
            try await fixture.central.registerPairingAgent(agent)
            #expect(await fixture.simulator.members == ["RegisterAgent"])
            #expect(await fixture.simulator.calls("RegisterAgent").first?.arguments.last == .string("DisplayOnly"))
            try await fixture.central.registerPairingAgent(PairingAgent(), asDefault: true)
            #expect(
                await fixture.simulator.members
                    == ["RegisterAgent", "UnregisterAgent", "RegisterAgent", "RequestDefaultAgent"])
            #expect(fixture.central.pairingAgent !== agent)
            try await fixture.central.unregisterPairingAgent()
            #expect(await fixture.simulator.members.last == "UnregisterAgent")
            #expect(fixture.central.pairingAgent == nil)
            try await fixture.central.unregisterPairingAgent()
            #expect(await fixture.simulator.members.count == 5)
        }

        @Test("A manager that goes takes its agent with it; until then another manager's is refused")
        @BluetoothActor func managers() async throws {
            let fixture = try await PeripheralFixture()
            var other: CentralManager? = CentralManager(bus: fixture.simulator.bus)
            try await other?.waitUntilPoweredOn(timeout: .ample)
            try await other?.registerPairingAgent(PairingAgent())
            let agent = PairingAgent()
            #expect(await fixture.failure { try await fixture.central.registerPairingAgent(agent) }?.code == .busy)
            #expect(fixture.central.pairingAgent == nil)
            await fixture.simulator.keepCalls()
            other = nil
            try await eventually("the end of the first agent") {
                await fixture.simulator.members == ["UnregisterAgent"]
            }
            try await fixture.central.registerPairingAgent(agent)
            #expect(await fixture.simulator.members == ["UnregisterAgent", "RegisterAgent"])
            #expect(fixture.central.pairingAgent === agent)
        }

        @Test("A registration that bluetoothd refuses is an error, and there is no agent")
        @BluetoothActor func refused() async throws {
            let fixture = try await PeripheralFixture()
            await fixture.simulator.refuse(
                "RegisterAgent", of: "org.bluez.AgentManager1", "org.bluez.Error.Failed", "no")
            #expect(
                await fixture.failure { try await fixture.central.registerPairingAgent(PairingAgent()) }?.code
                    == .failed)
            #expect(fixture.central.pairingAgent == nil)
        }

        @Test("A device that bluetoothd still has, although it reported the removal, is removed again")
        @BluetoothActor func removedAgain() async throws {
            let fixture = try await PeripheralFixture()
            let peripheral = try await fixture.find()
            try await peripheral.pair()
            await fixture.simulator.keepCalls()
            await fixture.simulator.succeedWithoutEffect("RemoveDevice", of: "org.bluez.Adapter1")
            try await fixture.central.forgetPeripheral(peripheral)
            #expect(!peripheral.isPaired && fixture.central.client.mirror.devices.isEmpty)
            #expect(await fixture.simulator.calls("RemoveDevice").count == 2)
        }

        @Test("An adapter that is switched off before bluetoothd has removed the device is an error")
        @BluetoothActor func removedWithoutPower() async throws {
            let fixture = try await PeripheralFixture()
            let peripheral = try await fixture.find()
            try await peripheral.pair()
            await fixture.simulator.keepCalls()
            await fixture.simulator.succeedWithoutEffect("RemoveDevice", of: "org.bluez.Adapter1")
            await fixture.simulator.keepSilent("Get", of: "org.freedesktop.DBus.Properties")
            var ends: [BluetoothError?] = []
            fixture.central.forgetPeripheral(peripheral) { ends.append($0) }
            try await eventually("the call") { await fixture.simulator.members.contains("Get") }
            await fixture.simulator.perform { $0.bluez.adapters[0].simulatePower(false) }
            try await eventually("the end") { !ends.isEmpty }
            #expect(ends.map { $0?.code } == [.adapterOff])
            #expect(peripheral.isPaired)
        }

        @Test("A manager removes a device that only another one has found")
        @BluetoothActor func removedByAnother() async throws {
            let fixture = try await PeripheralFixture()
            let peripheral = try await fixture.find()
            let other = PeripheralFixture(fixture.simulator, adapter: nil)
            try await other.central.waitUntilPoweredOn()
            await fixture.simulator.keepCalls()
            try await other.central.forgetPeripheral(peripheral)
            #expect(fixture.central.client.mirror.devices.isEmpty)
            #expect(await fixture.simulator.calls("RemoveDevice").count == 1)
        }

        @Test("A device that is removed is not connected again")
        @BluetoothActor func removedForGood() async throws {
            let fixture = try await PeripheralFixture()
            let peripheral = try await fixture.connect()
            peripheral.reconnectPolicy = ReconnectPolicy(firstDelay: .milliseconds(1))
            await fixture.simulator.keepCalls()
            try await fixture.central.forgetPeripheral(peripheral)
            try await fixture.central.barrier()
            #expect(!peripheral.isReconnecting)
            #expect(await fixture.simulator.members.allSatisfy { $0 != "Connect" && $0 != "StartDiscovery" })
            peripheral.reconnectPolicy = nil
        }

        @Test("A device that bluetoothd never removes is an error")
        @BluetoothActor func neverRemoved() async throws {
            let fixture = try await PeripheralFixture()
            let peripheral = try await fixture.find()
            await fixture.simulator.succeedWithoutEffect("RemoveDevice", of: "org.bluez.Adapter1", times: 2)
            #expect(
                await fixture.failure { try await fixture.central.forgetPeripheral(peripheral) }?.code == .failed)
            try await fixture.central.forgetPeripheral(peripheral)
            #expect(fixture.central.client.mirror.devices.isEmpty)
        }

        @Test("Keys that the device does not keep end with the link")
        @BluetoothActor func unbonded() async throws {
            let fixture = try await PeripheralFixture()
            var behaviour = PairingBehaviour()
            behaviour.bonds = false
            await fixture.setPairing(behaviour)
            let peripheral = try await fixture.find()
            try await peripheral.pair()
            #expect(peripheral.isPaired && !peripheral.isBonded)
            try await peripheral.disconnect()
            #expect(!peripheral.isPaired)
        }
    }
}

extension PeripheralFixture {
    /// Registers an agent that keeps its questions about numbers, for a device with a display.
    fileprivate func registerAsking() async throws -> (PairingAgent, Ends<PairingReply<Void>>, Ends<Peripheral>) {
        await setPairing(PairingBehaviour(.displayYesNo, wantsAuthentication: true))
        let agent = PairingAgent()
        let questions = Ends<PairingReply<Void>>()
        let withdrawn = Ends<Peripheral>()
        agent.confirmationHandler = { _, _, reply in questions.values.append(reply) }
        agent.cancelHandler = { withdrawn.values.append($0) }
        try await central.registerPairingAgent(agent)
        return (agent, questions, withdrawn)
    }
}
