import BlueZClassic
import BlueZDBus
import BlueZSimulator
import Foundation
import TestSupport
import Testing

@testable import BlueZClient
@testable import CoreBlueZ

extension Classic {
    @Suite struct ProfileTests {
        private static let server = RFCOMMProfile(
            ClassicSimulator.offered, name: "Offer", role: .server, channel: 7, requiresAuthentication: false,
            requiresAuthorization: false, version: 0x0102)

        @Test("A device opens a channel to a service that this computer offers")
        @BluetoothActor func server() async throws {
            let simulator = try await ClassicSimulator()
            let fixture = try await ClassicFixture(simulator)
            var channels: [RFCOMMChannel] = []
            try await fixture.central.registerProfile(Self.server) {
                channels.append($0)
                fixture.collect($0)
            }
            let theirs = try #require(await simulator.connect(to: ClassicSimulator.offered))
            await simulator.perform { _ in theirs.send(Array("hello".utf8)) }
            try await fixture.waitForBytes(5)
            #expect(channels.count == 1 && channels.first?.peripheral === fixture.peripheral)
            try await channels.first?.send(Data("hi".utf8))
            try await eventually("the answer") {
                await simulator.perform { _ in theirs.receivedCount == 2 }
            }
        }

        @Test("bluetoothd gets what the profile says")
        @BluetoothActor func options() async throws {
            let simulator = try await ClassicSimulator()
            let fixture = try await ClassicFixture(simulator)
            try await fixture.central.registerProfile(Self.server) { _ in }
            let call = try #require(await simulator.calls("RegisterProfile").first)
            #expect(call.arguments[1] == .string(ClassicSimulator.offered.fullString))
            #expect(
                call.arguments[2]
                    == .properties([
                        "AutoConnect": .boolean(false), "Name": .string("Offer"), "Role": .string("server"),
                        "Channel": .uint16(7), "RequireAuthentication": .boolean(false),
                        "RequireAuthorization": .boolean(false), "Version": .uint16(0x0102),
                    ]))
        }

        @Test("The pairing agent is asked before a device that is not trusted may connect", arguments: [true, false])
        @BluetoothActor func authorization(_ isAllowed: Bool) async throws {
            let simulator = try await ClassicSimulator()
            let fixture = try await ClassicFixture(simulator)
            let agent = PairingAgent()
            var asked: [BluetoothUUID] = []
            agent.serviceAuthorizationHandler = { _, uuid, reply in
                asked.append(uuid)
                if isAllowed { reply.accept() } else { reply.reject() }
            }
            try await fixture.central.registerPairingAgent(agent, asDefault: true)
            try await fixture.central.registerProfile(RFCOMMProfile(ClassicSimulator.offered, role: .server)) { _ in
            }
            #expect(await (simulator.connect(to: ClassicSimulator.offered) != nil) == isAllowed)
            #expect(asked == [ClassicSimulator.offered])
        }

        @Test("A program has a profile once, and gives it back with what it carries")
        @BluetoothActor func unregistering() async throws {
            let simulator = try await ClassicSimulator()
            let fixture = try await ClassicFixture(simulator)
            var channels: [RFCOMMChannel] = []
            try await fixture.central.registerProfile(Self.server) {
                channels.append($0)
                fixture.collect($0)
            }
            let code = await fixture.failureCode { try await fixture.central.registerProfile(Self.server) { _ in } }
            #expect(code == .busy)
            let theirs = try #require(await simulator.connect(to: ClassicSimulator.offered))
            try await eventually("the channel") { channels.count == 1 }
            try await fixture.central.unregisterProfile(ClassicSimulator.offered)
            try await fixture.waitForEnd()
            try await eventually("the device's end") { await simulator.perform { _ in !theirs.isOpen } }
            #expect(await simulator.connect(to: ClassicSimulator.offered) == nil)
            try await fixture.central.unregisterProfile(ClassicSimulator.offered)
            try await fixture.central.registerProfile(Self.server) { _ in }
        }

        @Test("A profile that is taken back before bluetoothd has answered ends its registration, soon")
        @BluetoothActor func takenBack() async throws {
            let simulator = try await ClassicSimulator()
            await simulator.perform {
                $0.bluez.simulateReply(.silence, to: "RegisterProfile", of: "org.bluez.ProfileManager1", times: 1)
            }
            let fixture = try await ClassicFixture(simulator)
            var ends: [BluetoothError?] = []
            fixture.central.registerProfile(Self.server) { _ in
            } completion: {
                ends.append($0)
            }
            try await eventually("the call") { await simulator.calls("RegisterProfile").count == 1 }
            // bluetoothd does not have what it has not answered.
            #expect(
                await fixture.failureCode { try await fixture.central.unregisterProfile(ClassicSimulator.offered) }
                    != nil)
            try await eventually("the end", within: .seconds(1)) { ends.count == 1 }
            #expect(ends.first??.code == .cancelled)
            try await fixture.central.registerProfile(Self.server) { _ in }
        }

        @Test("A profile that another program has is busy")
        @BluetoothActor func taken() async throws {
            let simulator = try await ClassicSimulator()
            await simulator.perform {
                for _ in 0..<2 {
                    $0.bluez.simulateReply(
                        .error(name: "org.bluez.Error.NotPermitted", message: "UUID already registered"),
                        to: "RegisterProfile", of: "org.bluez.ProfileManager1")
                }
            }
            let fixture = try await ClassicFixture(simulator)
            let code = await fixture.failureCode { try await fixture.central.registerProfile(Self.server) { _ in } }
            #expect(code == .busy)
            #expect(await fixture.failureCode { try await fixture.open() } == .busy)
            _ = try await fixture.open()
        }

        @Test("Channels to a profile that is registered as a server only are refused; with both roles they go")
        @BluetoothActor func roles() async throws {
            let simulator = try await ClassicSimulator()
            let fixture = try await ClassicFixture(simulator)
            try await fixture.central.registerProfile(RFCOMMProfile(0x1101, role: .server)) { _ in }
            #expect(await fixture.failureCode { try await fixture.open() } == .notSupported)
            try await fixture.central.unregisterProfile(0x1101)
            try await fixture.central.registerProfile(RFCOMMProfile(0x1101, role: .both)) { _ in }
            let channel = try await fixture.open()
            #expect(channel.isOpen)
        }

        @Test("bluetoothd that is started again gets the profile again")
        @BluetoothActor func restart() async throws {
            let simulator = try await ClassicSimulator()
            let fixture = try await ClassicFixture(simulator)
            try await fixture.central.registerProfile(Self.server) { _ in }
            await simulator.bluez.simulateCrash()
            try await simulator.bluez.restart()
            try await eventually("the profile") { await simulator.calls("RegisterProfile").count == 2 }
            try await eventually("the device") {
                await simulator.connect(to: ClassicSimulator.offered) != nil
            }
        }

        @Test("A profile goes with its manager")
        @BluetoothActor func manager() async throws {
            let simulator = try await ClassicSimulator()
            var other: CentralManager? = CentralManager(bus: simulator.bus)
            try await other?.registerProfile(Self.server) { _ in }
            other = nil
            try await eventually("the profile to go") {
                await simulator.calls("UnregisterProfile").count == 1
            }
        }

        @Test("Another program's DisconnectProfile ends the channel politely")
        @BluetoothActor func disconnection() async throws {
            let simulator = try await ClassicSimulator()
            let fixture = try await ClassicFixture(simulator)
            let channel = try await fixture.open()
            var isAnswered = false
            fixture.central.client.call(
                fixture.peripheral.path, BlueZ.device, "DisconnectProfile", limit: .ample
            ) { (writer) throws(DBusError) in
                try writer.append(BluetoothUUID.serialPort.fullString)
            } reply: {
                isAnswered = $0.isSuccess
            }
            try await fixture.waitForEnd()
            try await eventually("the answer") { isAnswered }
            #expect(fixture.ends == [nil])
            #expect(!channel.isOpen)
        }

        @Test("Nobody but bluetoothd hands channels over")
        @BluetoothActor func stranger() async throws {
            let simulator = try await ClassicSimulator()
            let fixture = try await ClassicFixture(simulator)
            var count = 0
            try await fixture.central.registerProfile(Self.server) { _ in count += 1 }
            let path = try #require(await simulator.calls("RegisterProfile").first?.arguments.first)
            guard case .objectPath(let object) = path else { return }
            let client = try #require(await simulator.calls("RegisterProfile").first?.sender)
            let (ends, device) = (try StreamSocket.pair(), fixture.peripheral.path)
            let name = try await withCheckedThrowingContinuation { continuation in
                BluetoothActor.perform {
                    do {
                        let message = try Message.methodCall(
                            to: client, path: object, interface: "org.bluez.Profile1", member: "NewConnection")
                        try message.write { (writer) throws(DBusError) in
                            try writer.append(.objectPath(device))
                            try writer.append(ends.1.descriptor)
                            try writer.append(.properties([:]))
                        }
                        fixture.central.client.connection?.call(message, timeout: .ample) {
                            continuation.resume(returning: $0.failure?.name)
                        }
                    } catch {
                        continuation.resume(throwing: error)
                    }
                }
            }
            #expect(name == "org.bluez.Error.Rejected")
            #expect(count == 0)
        }
    }
}
