import BlueZDBus
import BlueZSimulator
import Foundation
import TestSupport
import Testing

@testable import BlueZClient
@testable import CoreBlueZ

/// What ends an operation from outside, and the error that fits.
@Suite(.virtualTime) struct EndingTests {
    enum Cause: String, CaseIterable, Sendable {
        case daemonKilled, deviceRemoved, busClosed, peerDisconnected, adapterOff, adapterUnplugged

        var code: BluetoothError.Code {
            switch self {
            case .daemonKilled: .daemonUnavailable
            case .deviceRemoved: .peripheralGone
            case .busClosed: .busUnavailable
            case .peerDisconnected: .disconnected
            case .adapterOff: .adapterOff
            case .adapterUnplugged: .adapterGone
            }
        }

        /// bluetoothd reports the links that break before the power that goes, and the devices before their
        /// adapter.
        var codeOfLink: BluetoothError.Code {
            switch self {
            case .adapterOff: .disconnected
            case .adapterUnplugged: .peripheralGone
            default: code
            }
        }

        /// A subscription ends with its link, for the same reason, or before that with its attribute.
        var codeOfNotifications: BluetoothError.Code {
            switch self {
            case .deviceRemoved, .adapterUnplugged: .attributeGone
            case .daemonKilled: .daemonUnavailable
            case .busClosed: .busUnavailable
            default: .disconnected
            }
        }

        @SimulatorActor func happen(in simulator: SimulatorFixture) {
            switch self {
            case .daemonKilled: simulator.bluez.simulateCrash()
            case .deviceRemoved: simulator.bluez.simulateDeviceRemoval(of: simulator.peripheral)
            case .busClosed: simulator.bluez.simulateBusLoss()
            case .peerDisconnected: simulator.peripheral.simulateDisconnection()
            case .adapterOff: simulator.bluez.adapters[0].simulatePower(false)
            case .adapterUnplugged: simulator.bluez.adapters[0].simulateUnplug()
            }
        }
    }

    @Test("A read under way ends once, with an error that fits", arguments: Cause.allCases)
    @BluetoothActor func read(cause: Cause) async throws {
        let simulator = try await SimulatorFixture()
        let (central, peripheral) = try await connected(simulator)
        let value = try #require(peripheral[SimulatorFixture.service]?[SimulatorFixture.value])
        await simulator.delay(.seconds(25))
        var errors: [BluetoothError?] = []
        value.readValue { data, error in
            #expect(data == nil)
            errors.append(error)
        }
        try await eventually("the read to reach the peer") { await simulator.hasBeenRead }
        await cause.happen(in: simulator)
        try await eventually("the end") { !errors.isEmpty }
        try await eventually("the link's end") { !peripheral.isConnected }
        await central.settle()
        #expect(errors.map { $0?.code } == [cause.codeOfLink])
        _ = central
    }

    @Test(
        "A connect under way ends once, with an error that fits",
        arguments: Cause.allCases.filter { $0 != .peerDisconnected })
    @BluetoothActor func connect(cause: Cause) async throws {
        let simulator = try await SimulatorFixture()
        let central = CentralManager(bus: simulator.bus)
        let peripheral = try await central.firstPeripheral(timeout: .ample)
        await simulator.vanish()
        var errors: [BluetoothError?] = []
        peripheral.connect { errors.append($0) }
        try await eventually("bluetoothd to connect") { peripheral.state == .connecting }
        try await central.barrier()
        await cause.happen(in: simulator)
        try await eventually("the end") { !errors.isEmpty }
        await central.settle()
        #expect(errors.map { $0?.code } == [cause == .adapterUnplugged ? cause.codeOfLink : cause.code])
        #expect(peripheral.state == .disconnected)
    }

    @Test("Notifications end once, with an error that fits", arguments: Cause.allCases)
    @BluetoothActor func notifications(cause: Cause) async throws {
        let simulator = try await SimulatorFixture()
        let (central, peripheral) = try await connected(simulator)
        let service = try #require(peripheral[SimulatorFixture.service])
        let updates = try #require(service[SimulatorFixture.updates])
        var values: [Data] = []
        var errors: [BluetoothError] = []
        service.updateHandler = { characteristic, error in
            if let error { errors.append(error) } else { values.append(characteristic.value ?? Data()) }
        }
        try await updates.setNotifyValue(true)
        await simulator.notify([7])
        try await eventually("the value") { values == [Data([7])] }
        await cause.happen(in: simulator)
        try await eventually("the end") { !errors.isEmpty && !peripheral.isConnected }
        await central.settle()
        #expect(errors.map(\.code) == [cause.codeOfNotifications])
        #expect(values == [Data([7])])
        #expect(!updates.isNotifying)
        _ = central
    }

    @Test("A manager that goes away ends its operations with cancelled, and its peripherals say so from then on")
    @BluetoothActor func dropped() async throws {
        let simulator = try await SimulatorFixture()
        let (peripheral, value, errors) = try await {
            let (central, peripheral) = try await connected(simulator)
            let value = try #require(peripheral[SimulatorFixture.service]?[SimulatorFixture.value])
            await simulator.delay(.seconds(25))
            let errors = Box<BluetoothError?>()
            value.readValue { _, error in errors.values.append(error) }
            central.scanForPeripherals { _, _, _ in
            } completion: {
                errors.values.append($0)
            }
            return (peripheral, value, errors)
        }()
        #expect(errors.values.map { $0?.code } == [.cancelled, .cancelled])
        #expect(peripheral.central == nil)
        let error = await #expect(throws: BluetoothError.self) { try await value.readValue() }
        #expect(error?.code == .cancelled)
    }

    @Test("An operation ends at its own timeout, and the next one of the same attribute goes on")
    @BluetoothActor func timeout() async throws {
        let simulator = try await SimulatorFixture()
        let (central, peripheral) = try await connected(simulator)
        let value = try #require(peripheral[SimulatorFixture.service]?[SimulatorFixture.value])
        await simulator.delay(.milliseconds(500).stretched)
        central.attributeTimeout = .milliseconds(5)
        let error = await #expect(throws: BluetoothError.self) { try await value.readValue() }
        #expect(error?.code == .timedOut)
        central.attributeTimeout = .ample
        #expect(try await value.readValue() == Data([1, 2, 3]))
    }

    @BluetoothActor private func connected(_ simulator: SimulatorFixture) async throws -> (CentralManager, Peripheral) {
        let central = CentralManager(bus: simulator.bus)
        let peripheral = try await central.firstPeripheral(timeout: .ample)
        try await peripheral.connect()
        for service in try await peripheral.discoverServices() { try await service.discoverCharacteristics() }
        return (central, peripheral)
    }
}

@BluetoothActor final class Box<Value> {
    var values: [Value] = []
}

extension CentralManager {
    /// Everything that was asked before has reached bluetoothd when this returns, and what it signalled before has
    /// arrived: the bus keeps the order. A call like any other: the framework sees nothing of the answer.
    func barrier() async throws {
        guard let connection = client.connection else { throw DBusError.disconnected() }
        let call = try Message.methodCall(
            to: BlueZ.service, path: .root, interface: BlueZ.objectManager, member: "GetManagedObjects")
        let error = await withCheckedContinuation { (continuation: CheckedContinuation<DBusError?, Never>) in
            connection.call(call, timeout: .ample) { result in
                if case .failure(let error) = result {
                    continuation.resume(returning: error)
                } else {
                    continuation.resume(returning: nil)
                }
            }
        }
        if let error { throw error }
    }

    /// Lets come what would come a second time: what is under way ends, here and, where it lives, at bluetoothd.
    func settle() async {
        try? await barrier()
        for _ in 0..<3 {
            await withCheckedContinuation { continuation in BluetoothActor.perform { continuation.resume() } }
        }
    }
}
