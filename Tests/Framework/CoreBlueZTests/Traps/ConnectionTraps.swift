import BlueZDBus
import BlueZSimulator
import Foundation
import TestSupport
import Testing

@testable import CoreBlueZ

extension Traps {
    @Suite struct Connecting {
        @Test(
            "Row 19: The text that stands for every failure is tried again, and the next link is taken",
            arguments: ["le-connection-abort-by-local", "Software caused connection abort"])
        @BluetoothActor func retried(text: String) async throws {
            let fixture = try await PeripheralFixture()
            let peripheral = try await fixture.find()
            await fixture.simulator.keepCalls()
            await fixture.simulator.refuse(
                "Connect", of: "org.bluez.Device1", "org.bluez.Error.Failed", text, times: 2)
            try await peripheral.connect()
            #expect(await fixture.simulator.calls("Connect").count == 3)
        }

        @Test("Row 19: A link that comes and goes at once is tried again, and its loss is not reported")
        @BluetoothActor func shortLink() async throws {
            let fixture = try await PeripheralFixture()
            let peripheral = try await fixture.find()
            var losses = 0
            peripheral.disconnectHandler = { _, _ in losses += 1 }
            await fixture.simulator.keepCalls()
            let onlyOne = OneShortLink()
            await fixture.simulator.perform {
                $0.peripheral.delegate = onlyOne
                $0.peripheral.connectionFault = .shortLink("le-connection-abort-by-local")
            }
            try await peripheral.connect()
            #expect(await fixture.simulator.calls("Connect").count == 2)
            #expect(losses == 0)
            #expect(peripheral.state == .connected)
            withExtendedLifetime(onlyOne) {}
        }

        @Test("Row 19: Tries are bounded, and the last failure is reported with BlueZ's words")
        @BluetoothActor func bounded() async throws {
            let fixture = try await PeripheralFixture()
            let peripheral = try await fixture.find()
            await fixture.simulator.keepCalls()
            await fixture.simulator.refuse(
                "Connect", of: "org.bluez.Device1", "org.bluez.Error.Failed", "le-connection-abort-by-local",
                times: 10)
            let error = await fixture.failure { try await peripheral.connect(options: ConnectOptions(retries: 1)) }
            #expect(error?.code == .connectionFailed)
            #expect(error?.bluezMessage == "le-connection-abort-by-local")
            #expect(await fixture.simulator.calls("Connect").count == 2)
            #expect(peripheral.state == .disconnected)
        }

        @Test("Row 19: After the time that bluetoothd waits for an advertisement the same text means a timeout")
        @BluetoothActor func timeout() async throws {
            let fixture = try await PeripheralFixture()
            let peripheral = try await fixture.find()
            fixture.central.client.timeouts.advertisement = .milliseconds(30)
            await fixture.simulator.perform {
                $0.peripheral.connectionFault = .failure("le-connection-abort-by-local", after: .milliseconds(60))
            }
            let error = await fixture.failure { try await peripheral.connect() }
            #expect(error?.code == .connectionTimedOut)
            #expect(error?.bluezMessage == "le-connection-abort-by-local")
        }

        @Test("Row 20: A Connect that says yes without a link is tried again")
        @BluetoothActor func falseSuccess() async throws {
            let fixture = try await PeripheralFixture()
            let peripheral = try await fixture.find()
            await fixture.simulator.keepCalls()
            await fixture.simulator.succeedWithoutEffect("Connect", of: "org.bluez.Device1")
            try await peripheral.connect()
            #expect(peripheral.isConnected)
            #expect(await fixture.simulator.calls("Connect").count == 2)
        }

        @Test("Row 20: A link that Connect made without a signal is found by asking, and its end is reported")
        @BluetoothActor func unsignalled() async throws {
            let fixture = try await PeripheralFixture()
            let peripheral = try await fixture.find()
            await fixture.simulator.keepCalls()
            await fixture.simulator.perform { $0.peripheral.connectionFault = .unsignalledLink }
            var losses: [BluetoothError.Code?] = []
            peripheral.disconnectHandler = { losses.append($1?.code) }
            try await peripheral.connect()
            #expect(peripheral.isConnected && peripheral.state == .connected)
            #expect(await fixture.simulator.calls("Connect").count == 1)
            for service in try await peripheral.discoverServices() { try await service.discoverCharacteristics() }
            #expect(try await fixture.value(of: peripheral).readValue() == Data([1, 2, 3]))
            await fixture.simulator.disconnect()
            try await eventually("the loss") { losses == [.disconnected] }
            #expect(!peripheral.isConnected)
        }

        @Test("Row 20: A link that another program made without a signal is found when its services are resolved")
        @BluetoothActor func unsignalledElsewhere() async throws {
            let fixture = try await PeripheralFixture()
            let peripheral = try await fixture.find()
            var events: [String] = []
            fixture.central.eventHandler = { event in
                switch event {
                case .connected: events.append("connected")
                case .servicesResolved: events.append("resolved")
                case .disconnected: events.append("disconnected")
                default: break
                }
            }
            await fixture.simulator.perform { $0.peripheral.connectionFault = .unsignalledLink }
            let other = try await Stranger(fixture.simulator.bus)
            let error = try await other.call(
                "org.bluez", "Connect", of: "org.bluez.Device1", at: SimulatorFixture.device, [])
            #expect(error == nil)
            try await eventually("the link") { events == ["connected", "resolved"] }
            #expect(peripheral.state == .connected)
            await fixture.simulator.disconnect()
            try await eventually("the loss") { events.last == "disconnected" }
            #expect(events.count == 3)
        }

        @Test("Row 20: A connect while disconnecting waits for the end of the old link, and gets a new one")
        @BluetoothActor func reconnect() async throws {
            var timing = Timing()
            timing.disconnect = .milliseconds(80)
            let fixture = try await PeripheralFixture(.init(timing: timing))
            let peripheral = try await fixture.connect()
            var losses: [BluetoothError?] = []
            peripheral.disconnectHandler = { losses.append($1) }
            await fixture.simulator.keepCalls()
            var ends: [String] = []
            peripheral.disconnect { ends.append("disconnect \($0?.code.rawValue ?? "nil")") }
            peripheral.connect { ends.append("connect \($0?.code.rawValue ?? "nil")") }
            try await eventually("both") { ends.count == 2 }
            #expect(ends == ["disconnect nil", "connect nil"])
            #expect(await fixture.simulator.members.filter { $0.hasSuffix("onnect") } == ["Disconnect", "Connect"])
            #expect(losses == [nil])
            #expect(peripheral.isConnected && peripheral.state == .connected)
            for service in try await peripheral.discoverServices() { try await service.discoverCharacteristics() }
            #expect(try await fixture.value(of: peripheral).readValue() == Data([1, 2, 3]))
        }

        @Test("Row 20: The same if another manager of the process disconnects")
        @BluetoothActor func otherManager() async throws {
            var timing = Timing()
            timing.disconnect = .milliseconds(80)
            let fixture = try await PeripheralFixture(.init(timing: timing))
            let peripheral = try await fixture.connect()
            let other = CentralManager(bus: fixture.simulator.bus)
            let twin = try #require(other.retrieveKnownPeripherals().first)
            #expect(twin.state == .connected)
            await fixture.simulator.keepCalls()
            var isOver = false
            twin.disconnect { _ in isOver = true }
            peripheral.connect { _ in #expect(isOver) }
            try await eventually("the new link") {
                await fixture.simulator.calls("Connect").count == 1 && peripheral.isConnected && isOver
            }
        }

        @Test("Row 20: Subscribing while bluetoothd disconnects ends with the link's end")
        @BluetoothActor func subscribeLate() async throws {
            let fixture = try await PeripheralFixture()
            let peripheral = try await fixture.connect()
            let updates = try fixture.updates(of: peripheral)
            await fixture.simulator.refuse(
                "StartNotify", of: "org.bluez.GattCharacteristic1", "org.bluez.Error.NotConnected",
                "Not Connected")
            var errors: [BluetoothError?] = []
            updates.setNotifyValue(true) { errors.append($0) }
            try await fixture.central.barrier()
            await fixture.simulator.disconnect()
            try await eventually("the end") { !errors.isEmpty }
            await fixture.central.settle()
            #expect(errors.map { $0?.code } == [.disconnected])
            #expect(!updates.isNotifying)
        }

        @Test(
            "Row 21: A Connect that finds another under way joins it",
            arguments: [
                ("InProgress", "In Progress"), ("InProgress", "br-connection-busy"),
                ("Failed", "Operation already in progress"),
            ])
        @BluetoothActor func joins(name: String, text: String) async throws {
            let fixture = try await PeripheralFixture()
            let peripheral = try await fixture.find()
            await fixture.simulator.refuse("Connect", of: "org.bluez.Device1", "org.bluez.Error." + name, text)
            try await peripheral.connect(options: ConnectOptions(retries: 0))
            #expect(peripheral.isConnected)
        }

        @Test("Row 21: Disconnecting while connecting ends the attempt with cancelled, and nothing is tried again")
        @BluetoothActor func cancelled() async throws {
            let fixture = try await PeripheralFixture()
            let peripheral = try await fixture.find()
            await fixture.simulator.vanish()
            var ends: [BluetoothError?] = []
            await fixture.simulator.keepCalls()
            peripheral.connect { ends.append($0) }
            try await eventually("the attempt") { await fixture.simulator.members.contains("Connect") }
            try await peripheral.disconnect()
            #expect(ends.map { $0?.code } == [.cancelled])
            #expect(peripheral.state == .disconnected)
            await fixture.simulator.peripheral.simulateReturn()
            try await fixture.central.barrier()
            #expect(await fixture.simulator.calls("Connect").count == 1)
            #expect(!peripheral.isConnected)
        }

        @Test("Row 21: br-connection-canceled that nobody here asked for is one failure of the link")
        @BluetoothActor func foreignCancel() async throws {
            let fixture = try await PeripheralFixture()
            let peripheral = try await fixture.find()
            await fixture.simulator.refuse(
                "Connect", of: "org.bluez.Device1", "org.bluez.Error.Failed", "br-connection-canceled")
            let error = await fixture.failure { try await peripheral.connect(options: ConnectOptions(retries: 0)) }
            #expect(error?.code == .connectionFailed)
        }

        @Test(
            "Row 21: A lost pairing is bondLost, and not tried again",
            arguments: ["br-connection-key-missing", "le-connection-key-missing"])
        @BluetoothActor func keyMissing(text: String) async throws {
            let fixture = try await PeripheralFixture()
            let peripheral = try await fixture.find()
            await fixture.simulator.keepCalls()
            await fixture.simulator.refuse(
                "Connect", of: "org.bluez.Device1", "org.bluez.Error.Failed", text, times: 9)
            #expect(await fixture.failure { try await peripheral.connect() }?.code == .bondLost)
            #expect(await fixture.simulator.calls("Connect").count == 1)
        }
    }
}

/// Ends a peripheral's fault when it has had its effect.
private final class OneShortLink: SimulatedPeripheralDelegate {
    func peripheralDidDisconnect(_ peripheral: SimulatedPeripheral) {
        peripheral.connectionFault = nil
    }
}
