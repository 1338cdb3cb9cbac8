import BlueZSimulator
import CoreBlueZ
import FoundationEssentials
import GatewayProtocol
import Testing

/// The tests of gateways. One at a time: each starts a bus of its own.
@Suite(.serialized, .timeLimit(.minutes(10))) struct Gateways {}

extension Gateways {
    @Suite("Operations")
    struct OperationTests {
        @Test("A gateway reports what it has, and what the devices advertise")
        func status() async throws {
            try await GatewayFixture.run { fixture in
                let remote = try await fixture.remote()
                let status = try #require(fixture.status)
                #expect(status.slots == 10)
                #expect(status.free == 10)
                #expect(status.adapter != nil)
                #expect(status.software?.string == "CoreBlueZ \(CentralManager.version)")
                let hello = try await remote.succeed(.hello, HelloResult.self)
                #expect(hello.powered)
                #expect(hello.free == 10)
                let heard = try #require(remote.heard(GatewaySimulator.device))
                #expect(heard.instance == status.instance)
                #expect(heard.rssi == -60)
                #expect(heard.kind == .public)
                #expect(heard.data.localName == "Tag")
                #expect(heard.data.manufacturerData == [0x0499: Data([5, 1, 2])])
                #expect(heard.data.serviceUUIDs == [GatewaySimulator.service])
            }
        }

        @Test("A client connects, discovers, reads and writes characteristics and descriptors, and disconnects")
        func values() async throws {
            try await GatewayFixture.run { fixture in
                let remote = try await fixture.remote()
                let connected = try await remote.connect()
                try await Patience.wait(for: "a link in use") { fixture.status?.free == 9 }
                let value = try connected.characteristic(GatewaySimulator.value)
                #expect(value.properties == [.read, .writeWithoutResponse, .write])
                let link = connected.link
                let read = GatewayOperation.read(link, handle: value.handle, offset: 0)
                #expect(try await remote.succeed(read, ValueResult.self) == ValueResult([1, 2, 3]))
                let part = GatewayOperation.read(link, handle: value.handle, offset: 1)
                #expect(try await remote.succeed(part, ValueResult.self) == ValueResult([2, 3]))
                for (type, bytes) in [(.request, [9, 8]), (.command, [7])]
                    as [(GatewayOperation.WriteType, [UInt8])]
                {
                    _ = try await remote.succeed(
                        .write(link, handle: value.handle, value: bytes, type, offset: 0), EmptyResult.self)
                }
                try await Patience.wait(for: "the writes") { await fixture.simulator.writes == [[9, 8], [7]] }
                let descriptor = try #require(value.descriptors.first { $0.uuid == BluetoothUUID(0x2901) })
                let name = GatewayOperation.read(link, handle: descriptor.handle, offset: 0)
                #expect(try await remote.succeed(name, ValueResult.self) == ValueResult([0x41]))
                _ = try await remote.succeed(
                    .write(link, handle: descriptor.handle, value: [0x42], .request, offset: 0), EmptyResult.self)
                #expect(try await remote.succeed(name, ValueResult.self) == ValueResult([0x42]))
                _ = try await remote.succeed(.disconnect(link), EmptyResult.self)
                try await Patience.wait(for: "the end of the link") { await !fixture.simulator.peripheral.isConnected }
                try await Patience.wait(for: "a free link") { fixture.status?.free == 10 }
                #expect(try await remote.failure(read)?.code == .notConnected)
            }
        }

        @Test("Notifications are numbered in order, and end with unsubscribe")
        func notifications() async throws {
            try await GatewayFixture.run { fixture in
                let remote = try await fixture.remote()
                let connected = try await remote.connect()
                let handle = try connected.updates
                _ = try await remote.succeed(.subscribe(connected.link, handle: handle), EmptyResult.self)
                let before = remote.events.last?.sequence ?? 0
                for number: UInt8 in 1...50 { await fixture.simulator.notify([number]) }
                let values = { remote.events.filter { if case .value = $0.content { true } else { false } } }
                try await Patience.wait(for: "the notifications") { values().count == 50 }
                #expect(values().map(\.content) == (1...50).map { .value(handle: handle, [$0]) })
                #expect(values().map(\.sequence) == (1...50).map { before + $0 })
                let renewed = try await remote.succeed(.renew([connected.link], lease: 60_000), RenewResult.self)
                #expect(renewed.links.map(\.sequence) == [before + 50])
                _ = try await remote.succeed(.unsubscribe(connected.link, handle: handle), EmptyResult.self)
                #expect(await fixture.simulator.characteristic(GatewaySimulator.updates)?.clientConfiguration == 0)
            }
        }

        @Test("The loss of a link is its last event, and frees the device")
        func loss() async throws {
            try await GatewayFixture.run { fixture in
                let remote = try await fixture.remote()
                let connected = try await remote.connect()
                await fixture.simulator.peripheral.simulateDisconnection()
                try await Patience.wait(for: "the event") { remote.events.last?.content == .disconnected }
                #expect(remote.events.map(\.sequence) == (1...UInt64(remote.events.count)).map(\.self))
                let renewed = try await remote.succeed(.renew([connected.link], lease: 60_000), RenewResult.self)
                #expect(renewed.links == [])
                _ = try await fixture.remote("attic").connect()
            }
        }

        @Test("What bluetoothd answers arrives unchanged")
        func errors() async throws {
            try await GatewayFixture.run { fixture in
                let remote = try await fixture.remote()
                let connected = try await remote.connect()
                let link = connected.link
                let value = try connected.value
                await fixture.simulator.bluez.simulateReply(
                    .error(name: "org.bluez.Error.NotPermitted", message: "Not paired"), to: "ReadValue",
                    of: "org.bluez.GattCharacteristic1")
                let read = try await remote.failure(.read(link, handle: value, offset: 0))
                #expect(read == GatewayFailure(.bluez, name: "org.bluez.Error.NotPermitted", text: "Not paired"))
                await fixture.simulator.bluez.simulateReply(
                    .error(name: "org.bluez.Error.Failed", message: "Operation failed with ATT error: 0x80"),
                    to: "WriteValue", of: "org.bluez.GattCharacteristic1")
                let write = try await remote.failure(
                    .write(link, handle: value, value: [1], .request, offset: 0))
                #expect(
                    write
                        == GatewayFailure(
                            .bluez, name: "org.bluez.Error.Failed", text: "Operation failed with ATT error: 0x80"))
                await fixture.simulator.bluez.simulateReply(
                    .error(name: "org.bluez.Error.Failed", message: "le-connection-abort-by-local"), to: "Connect",
                    of: "org.bluez.Device1")
                let connect = try await remote.failure(
                    .connect(GatewaySimulator.second, nil, lease: 1000, timeout: 45_000))
                #expect(
                    connect
                        == GatewayFailure(
                            .bluez, name: "org.bluez.Error.Failed", text: "le-connection-abort-by-local"))
                #expect(try await remote.failure(.read(link, handle: 0xFFFF, offset: 0))?.code == .bluez)
            }
        }

        @Test("A client pairs without keys")
        func pairing() async throws {
            try await GatewayFixture.run { fixture in
                let remote = try await fixture.remote()
                let connected = try await remote.connect()
                let state = try await remote.succeed(.pair(connected.link, timeout: 60_000), DeviceState.self)
                #expect(state.paired == true)
            }
        }

        @Test("Pairing that is cancelled ends in bluetoothd, and once more does no harm")
        func cancelledPairing() async throws {
            try await GatewayFixture.run { fixture in
                let remote = try await fixture.remote()
                let connected = try await remote.connect()
                await fixture.beginPairingInVain()
                try await remote.greet()
                let pairing = remote.send(remote.request(.pair(connected.link, timeout: 60_000)))
                try await Patience.wait(for: "Pair") { await fixture.calls.contains("Pair") }
                _ = try await remote.succeed(.cancelPairing(connected.link), EmptyResult.self)
                let outcome = try await remote.response(pairing, DeviceState.self).outcome
                #expect(
                    outcome
                        == .failure(
                            GatewayFailure(
                                .bluez, name: "org.bluez.Error.AuthenticationCanceled", text: "Authentication Canceled")
                        ))
                try await Patience.wait(for: "CancelPairing") { await fixture.calls.contains("CancelPairing") }
                _ = try await remote.succeed(.cancelPairing(connected.link), EmptyResult.self)
                #expect(await fixture.simulator.peripheral.isConnected)
            }
        }

        @Test("bluetoothd forgets a device for whoever has the lease, and not for others")
        func unpairing() async throws {
            try await GatewayFixture.run { fixture in
                let remote = try await fixture.remote()
                let connected = try await remote.connect()
                let state = try await remote.succeed(.pair(connected.link, timeout: 60_000), DeviceState.self)
                #expect(state.paired == true)
                let other = try Remote(fixture.broker, "attic")
                #expect(try await other.failure(.unpair(GatewaySimulator.device))?.code == .leased)
                _ = try await remote.succeed(.unpair(GatewaySimulator.device), EmptyResult.self)
                try await Patience.wait(for: "the end of the link") { await !fixture.simulator.peripheral.isConnected }
                #expect(remote.events.last?.content == .disconnected)
                try await Patience.wait(for: "a free link") { fixture.status?.free == 10 }
                let found = try await other.remoteState(of: fixture)
                #expect(found.paired == false)
            }
        }

        @Test("Changed services are an event, and are discovered again")
        func changedServices() async throws {
            try await GatewayFixture.run { fixture in
                let remote = try await fixture.remote()
                let connected = try await remote.connect()
                await fixture.addService()
                try await Patience.wait(for: "the event") { remote.events.contains { $0.content == .services } }
                let discovered = try await remote.succeed(
                    .discover(connected.link, timeout: 30_000), DiscoverResult.self)
                #expect(discovered.services.count == connected.services.count + 1)
            }
        }

        @Test("An adapter that is switched off shows in the status, and the gateway goes on when it is on")
        func power() async throws {
            try await GatewayFixture.run { fixture in
                let remote = try await fixture.remote()
                _ = try await remote.connect()
                await fixture.switchPower(false)
                try await Patience.wait(for: "the status") { fixture.status?.powered == false }
                try await Patience.wait(for: "the event") { remote.events.last?.content == .disconnected }
                let operation = GatewayOperation.connect(GatewaySimulator.second, nil, lease: 60_000, timeout: 45_000)
                #expect(try await remote.failure(operation)?.code == .bluez)
                await fixture.switchPower(true)
                try await fixture.isOnline()
                _ = try await fixture.remote("attic").connect()
            }
        }

        @Test("Only listed devices are reported and connected")
        func allowed() async throws {
            let second = try #require(BluetoothAddress("\(GatewaySimulator.second)"))
            try await GatewayFixture.run { configuration in
                configuration.allowed = [second]
            } _: { fixture in
                let remote = try Remote(fixture.broker, "hall")
                _ = try await remote.succeed(.heard, EmptyResult.self)
                try await Patience.wait(for: "the other one") { remote.heard(GatewaySimulator.second) != nil }
                let operation = GatewayOperation.connect(GatewaySimulator.device, nil, lease: 60_000, timeout: 45_000)
                #expect(try await remote.failure(operation)?.code == .notAllowed)
                #expect(remote.heard(GatewaySimulator.device) == nil)
                _ = try await remote.connect(GatewaySimulator.second)
            }
        }
    }
}

extension Remote {
    /// The properties of the device after a new link, once it has been heard again.
    func remoteState(of fixture: GatewayFixture) async throws -> DeviceState {
        let count = advertisements.count
        _ = try await succeed(.heard, EmptyResult.self)
        try await Patience.wait(for: "an advertisement") {
            advertisements.dropFirst(count).contains { $0.device == GatewaySimulator.device }
        }
        let operation = GatewayOperation.connect(GatewaySimulator.device, nil, lease: 60_000, timeout: 45_000)
        return try await succeed(operation, ConnectResult.self).state
    }
}

extension GatewayFixture {
    @SimulatorActor func switchPower(_ isOn: Bool) { simulator.bluez.adapters.first?.simulatePower(isOn) }

    /// From now on the peripheral does not answer a request to pair, and calls are kept.
    @SimulatorActor func beginPairingInVain() {
        simulator.peripheral.pairing.responds = false
        simulator.bluez.keepsCalls = true
    }

    /// From now on calls are kept, and so many calls of Disconnect are not answered.
    @SimulatorActor func ignoreDisconnect(times: Int) {
        simulator.bluez.simulateReply(.silence, to: "Disconnect", of: "org.bluez.Device1", times: times)
        simulator.bluez.keepsCalls = true
    }

    /// The names of the calls of bluetoothd's clients.
    @SimulatorActor var calls: [String] { simulator.bluez.calls.map(\.member) }

    @SimulatorActor func addService() {
        simulator.peripheral.addService(
            ServiceSpecification(
                0xFFA0, characteristics: [CharacteristicSpecification(0xFFB0, [.read], value: [1])]))
    }
}
