import BlueZSimulator
import Foundation
import Testing

@testable import CoreBlueZ

/// What ends an operation from outside, and the error that fits.
@Suite struct EndingTests {
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

        /// bluetoothd tells of the links that break before the power that goes, and of the devices before their
        /// adapter.
        var codeOfLink: BluetoothError.Code {
            switch self {
            case .adapterOff: .disconnected
            case .adapterUnplugged: .peripheralGone
            default: code
            }
        }

        @SimulatorActor func happen(in world: World) {
            switch self {
            case .daemonKilled: world.bluez.simulateCrash()
            case .deviceRemoved: world.bluez.simulateDeviceRemoval(of: world.peripheral)
            case .busClosed: world.bluez.simulateBusLoss()
            case .peerDisconnected: world.peripheral.simulateDisconnection()
            case .adapterOff: world.bluez.adapters[0].simulatePower(false)
            case .adapterUnplugged: world.bluez.adapters[0].simulateUnplug()
            }
        }
    }

    @Test("A read under way ends once, with an error that fits", arguments: Cause.allCases)
    func read(cause: Cause) async throws {
        let world = try await World()
        try await BluetoothActor.run {
            let (central, peripheral) = try await connected(world)
            let value = try #require(peripheral[BluetoothUUID(World.service)]?[BluetoothUUID(World.value)])
            await world.delay(.seconds(25))
            var errors: [BluetoothError?] = []
            value.readValue { data, error in
                #expect(data == nil)
                errors.append(error)
            }
            try await Patience.wait(for: "the read to reach the peer") { await world.hasBeenRead }
            await cause.happen(in: world)
            try await Patience.wait(for: "the end") { !errors.isEmpty }
            try await Patience.wait(for: "the link's end") { !peripheral.isConnected }
            #expect(errors.map { $0?.code } == [cause.codeOfLink])
            _ = central
        }
    }

    @Test(
        "A connect under way ends once, with an error that fits",
        arguments: Cause.allCases.filter { $0 != .peerDisconnected })
    func connect(cause: Cause) async throws {
        let world = try await World()
        try await BluetoothActor.run {
            let central = CentralManager(bus: world.bus)
            let peripheral = try await central.firstPeripheral(deadline: .seconds(20))
            await world.vanish()
            var errors: [BluetoothError?] = []
            peripheral.connect { errors.append($0) }
            try await Patience.wait(for: "bluetoothd to connect") { peripheral.state == .connecting }
            try await central.barrier()
            await cause.happen(in: world)
            try await Patience.wait(for: "the end") { !errors.isEmpty }
            #expect(errors.map { $0?.code } == [cause == .adapterUnplugged ? cause.codeOfLink : cause.code])
            #expect(peripheral.state == .disconnected)
        }
    }

    @Test("Notifications end once, with an error that fits", arguments: Cause.allCases)
    func notifications(cause: Cause) async throws {
        let world = try await World()
        try await BluetoothActor.run {
            let (central, peripheral) = try await connected(world)
            let service = try #require(peripheral[BluetoothUUID(World.service)])
            let updates = try #require(service[BluetoothUUID(World.updates)])
            var values: [Data] = []
            var errors: [BluetoothError] = []
            service.notificationClosure = { characteristic, error in
                if let error { errors.append(error) } else { values.append(characteristic.value ?? Data()) }
            }
            try await updates.setNotifyValue(true)
            await world.notify([7])
            try await Patience.wait(for: "the value") { values == [Data([7])] }
            await cause.happen(in: world)
            try await Patience.wait(for: "the end") { !errors.isEmpty && !peripheral.isConnected }
            #expect(errors.count == 1)
            #expect(!updates.isNotifying)
            _ = central
        }
    }

    @Test("A manager that goes away ends its operations with cancelled, and its peripherals say so from then on")
    func dropped() async throws {
        let world = try await World()
        try await BluetoothActor.run {
            let (peripheral, value, errors) = try await {
                let (central, peripheral) = try await connected(world)
                let value = try #require(peripheral[BluetoothUUID(World.service)]?[BluetoothUUID(World.value)])
                await world.delay(.seconds(25))
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
    }

    @Test("An operation ends at its own deadline, and the next one of the same attribute goes on")
    func deadline() async throws {
        let world = try await World()
        try await BluetoothActor.run {
            let (central, peripheral) = try await connected(world)
            let value = try #require(peripheral[BluetoothUUID(World.service)]?[BluetoothUUID(World.value)])
            await world.delay(.seconds(1))
            central.attributeDeadline = .milliseconds(5)
            let error = await #expect(throws: BluetoothError.self) { try await value.readValue() }
            #expect(error?.code == .timedOut)
            central.attributeDeadline = .seconds(20)
            #expect(try await value.readValue() == Data([1, 2, 3]))
        }
    }

    @BluetoothActor private func connected(_ world: World) async throws -> (CentralManager, Peripheral) {
        let central = CentralManager(bus: world.bus)
        let peripheral = try await central.firstPeripheral(deadline: .seconds(20))
        try await peripheral.connect()
        for service in try await peripheral.discoverServices() { try await service.discoverCharacteristics() }
        return (central, peripheral)
    }
}

@BluetoothActor final class Box<Value> {
    var values: [Value] = []
}

extension CentralManager {
    /// Everything that was asked before has reached bluetoothd, and everything that it announced before is here, when this
    /// returns: the bus keeps the order. The answer itself is not looked at.
    func barrier() async throws {
        let result = await withCheckedContinuation { continuation in
            client.call(BlueZ.root, BlueZ.objectManager, "GetManagedObjects", limit: .seconds(60)) {
                continuation.resume(returning: $0.map { _ in })
            }
        }
        try result.get()
    }
}
