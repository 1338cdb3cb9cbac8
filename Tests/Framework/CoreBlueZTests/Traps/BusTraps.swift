import BlueZDBus
import BlueZSimulator
import BlueZUnixSockets
import Foundation
import TestSupport
import Testing

@testable import CoreBlueZ

extension Traps {
    @Suite struct Bus {
        @Test("Row 1: Without bluetoothd the state says what to install, and its start is noticed")
        @BluetoothActor func absent() async throws {
            let simulator = try await SimulatorFixture()
            await simulator.bluez.simulateCrash()
            let central = CentralManager(bus: simulator.bus)
            let error = await #expect(throws: BluetoothError.self) { try await central.waitUntilPoweredOn() }
            #expect(error?.code == .daemonUnavailable)
            #expect(error?.message.contains("systemctl enable --now bluetooth") == true)
            #expect(central.state == .unsupported)
            try await simulator.bluez.restart()
            try await central.waitUntilPoweredOn(timeout: .ample)
        }

        @Test("Row 1: A bus that forbids bluetoothd makes the state unauthorized, and is asked again")
        @BluetoothActor func denied() async throws {
            let simulator = try await SimulatorFixture()
            await simulator.refuse(
                "GetManagedObjects", of: "org.freedesktop.DBus.ObjectManager",
                "org.freedesktop.DBus.Error.AccessDenied", "Rejected send message, 1 matched rules")
            let central = CentralManager(bus: simulator.bus)
            central.client.timeouts.retry = .milliseconds(20)
            var states: [CentralManagerState] = []
            central.stateHandler = { states.append($0.state) }
            let error = await #expect(throws: BluetoothError.self) { try await central.waitUntilPoweredOn() }
            #expect(error?.code == .accessDenied)
            #expect(states.first == .unauthorized)
            try await central.waitUntilPoweredOn(timeout: .ample)
        }

        @Test("An address without a Unix socket is refused at once: connecting to it would stop everything")
        @BluetoothActor func network() async {
            let start = MonotonicInstant.now
            let central = CentralManager(bus: .address("tcp:host=192.0.2.1,port=55556"))
            let error = await #expect(throws: BluetoothError.self) { try await central.waitUntilPoweredOn() }
            #expect(error?.code == .busUnavailable)
            #expect(error?.message.contains("Unix sockets only") == true)
            // A network would be waited for for two minutes.
            #expect(MonotonicInstant.now - start < .seconds(60))
            #expect(central.state == .unsupported)
        }

        @Test("Row 1: A bus that rejects this user (SASL REJECTED EXTERNAL) makes the state unauthorized")
        func rejected() async throws {
            let bus = try await RejectingBus()
            await BluetoothActor.run {
                let central = CentralManager(bus: .address("unix:path=\(bus.path)"))
                let error = await #expect(throws: BluetoothError.self) { try await central.waitUntilPoweredOn() }
                #expect(error?.code == .accessDenied)
                #expect(central.state == .unauthorized)
            }
            #expect(await bus.hasRejected)
        }

        @Test("Row 1: A bluetoothd that never lists its objects does not outlast a timeout, and is asked again")
        @BluetoothActor func hanging() async throws {
            let simulator = try await SimulatorFixture()
            await simulator.keepSilent("GetManagedObjects", of: "org.freedesktop.DBus.ObjectManager")
            let central = CentralManager(bus: simulator.bus)
            central.client.timeouts.snapshot = .milliseconds(300)
            central.client.timeouts.retry = .milliseconds(20)
            let error = await #expect(throws: BluetoothError.self) {
                try await central.waitUntilPoweredOn(timeout: .milliseconds(30))
            }
            #expect(error?.code == .timedOut)
            central.client.timeouts.snapshot = .ample
            try await central.waitUntilPoweredOn(timeout: .ample)
        }

        @Test("Row 2: When bluetoothd dies all ends with daemonUnavailable, and all begins anew with the next one")
        @BluetoothActor func restart() async throws {
            let fixture = try await PeripheralFixture()
            let central = fixture.central
            let peripheral = try await fixture.connect()
            let value = try fixture.value(of: peripheral)
            await fixture.simulator.delay(.seconds(25))
            var states: [CentralManagerState] = []
            central.stateHandler = { states.append($0.state) }
            var lost: [BluetoothError?] = []
            peripheral.disconnectHandler = { lost.append($1) }
            var ended: [BluetoothError?] = []
            value.readValue { ended.append($1) }
            central.scanForPeripherals { _, _, _ in
            } completion: {
                ended.append($0)
            }
            try await eventually("the read") { await fixture.simulator.hasBeenRead }
            await fixture.simulator.bluez.simulateCrash()
            try await eventually("the end") { ended.count == 2 && lost.count == 1 }
            #expect((ended + lost).map { $0?.code } == Array(repeating: .daemonUnavailable, count: 3))
            #expect(states == [.resetting])
            #expect(central.client.mirror.devices.isEmpty && central.client.mirror.adapters.isEmpty)
            await fixture.simulator.delay(.zero)
            try await fixture.simulator.bluez.restart()
            try await central.waitUntilPoweredOn(timeout: .ample)
            #expect(states.last == .poweredOn)
            let again = try await fixture.connect()
            #expect(again === peripheral)
            #expect(try await fixture.value(of: again).readValue() == Data([1, 2, 3]))
        }

        // A scan ends with the daemon that carried it, so that its program knows; one that shall go on says so by an
        // option.
        @Test("Row 2: A scan that resumes sets its filter and starts again on the next bluetoothd")
        @BluetoothActor func resumedScan() async throws {
            let fixture = try await PeripheralFixture()
            var found = 0
            var ends = 0
            fixture.central.scanForPeripherals(options: ScanOptions(resumes: true)) { _, _, _ in
                found += 1
            } completion: { _ in
                ends += 1
            }
            try await eventually("the peripheral") { found == 1 }
            await fixture.simulator.bluez.simulateCrash()
            try await eventually("the loss") { fixture.central.state == .resetting }
            await fixture.simulator.keepCalls()
            try await fixture.simulator.bluez.restart()
            try await eventually("the peripheral again") { found == 2 }
            let members = await fixture.simulator.members.filter { $0.contains("Discovery") }
            #expect(members == ["SetDiscoveryFilter", "StartDiscovery"])
            #expect(ends == 0)
            fixture.central.stopScan()
            #expect(ends == 1)
        }

        @Test("Row 3: A lost bus ends all with busUnavailable, not the process, and is connected to again")
        @BluetoothActor func busLoss() async throws {
            let first = try await SimulatorFixture()
            let link = FileManager.default.temporaryDirectory.path + "/traps-\(UUID().uuidString)"
            defer { try? FileManager.default.removeItem(atPath: link) }
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: try first.socket)
            let central = CentralManager(bus: .address("unix:path=\(link)"))
            central.client.timeouts.retry = .milliseconds(20)
            let peripheral = try await central.firstPeripheral(timeout: .ample)
            try await peripheral.connect()
            try await peripheral.discoverServices()
            var losses: [BluetoothError?] = []
            peripheral.disconnectHandler = { losses.append($1) }
            await first.bluez.simulateBusLoss()
            try await eventually("the loss") { losses.count == 1 }
            #expect(losses.map { $0?.code } == [.busUnavailable])
            #expect(central.state == .resetting && peripheral.state == .disconnected)
            let second = try await SimulatorFixture()
            await second.bluez.simulateCrash()
            try FileManager.default.removeItem(atPath: link)
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: try second.socket)
            try await eventually("the bus, without bluetoothd") {
                central.stateError?.code == .daemonUnavailable
            }
            try await second.bluez.restart()
            try await central.waitUntilPoweredOn(timeout: .ample)
            try await central.firstPeripheral(timeout: .ample).connect()
        }
    }
}

extension SimulatorFixture {
    /// The path of the bus's socket.
    nonisolated var socket: String {
        get throws {
            let rest = try #require(bus.description.split(separator: "=").dropFirst().first)
            return String(rest.prefix { $0 != "," })
        }
    }
}

/// Listens as a bus does and rejects whoever comes.
@SimulatorActor final class RejectingBus {
    private let listener: UnixListener
    private var sockets: [StreamSocket] = []
    private var sources: [EventLoop.Token] = []
    private(set) var hasRejected = false

    nonisolated let path: String

    init() throws {
        listener = try UnixListener()
        path = listener.path
        wait(for: listener.descriptor.rawValue) { $0.accept() }
    }

    isolated deinit { end() }

    private func end() {
        for source in sources { SimulatorActor.loop.removeSource(source) }
        sources = []
    }

    private func wait(for descriptor: CInt, _ body: @escaping @SimulatorActor (RejectingBus) -> Void) {
        sources.append(
            SimulatorActor.loop.addSource(descriptor: descriptor, events: .readable) { [weak self] _ in
                SimulatorActor.assumeIsolated { if let self { body(self) } }
            })
    }

    private func accept() {
        guard let socket = try? listener.accept() else { return }
        sockets.append(socket)
        wait(for: socket.descriptor.rawValue) { bus in
            guard case .bytes = socket.receive() else { return bus.end() }
            bus.hasRejected = true
            _ = socket.send(Array("REJECTED EXTERNAL\r\n".utf8)[...])
        }
    }
}
