import BLESerial
import BlueZSimulator
import CoreBlueZ
import Foundation
import SimulatedSerial
import Testing

/// The tests that have a simulator of their own: a few at a time, so that they do not wait for one another.
@Suite(.serialized) struct SerialPorts {}

/// A simulated bluetoothd with one serial device.
@SimulatorActor final class SerialWorld {
    let bluez: SimulatedBlueZ
    let device: SimulatedSerialDevice

    init(
        _ profile: SerialProfile = .nordic,
        mtu: UInt16 = 517,
        writing: CharacteristicProperties = [.write, .writeWithoutResponse],
        more: [ServiceSpecification] = [],
        script: @SimulatorActor () -> any SerialScript = { EchoScript() }
    ) async throws {
        bluez = try await SimulatedBlueZ(.init(timing: .instant))
        bus = .address(bluez.address)
        let peripheral = try bluez.add(
            PeripheralSpecification(
                name: "UART", address: "00:AA:02:00:00:77",
                advertisement: AdvertisingData(flags: 0x06, localName: "UART", interval: .milliseconds(2)),
                maximumMTU: mtu, services: [profile.specification(writing: writing)] + more))
        device = SimulatedSerialDevice(peripheral, profile, script: script())
    }

    nonisolated let bus: BusAddress

    var peripheral: SimulatedPeripheral { device.peripheral }

    /// The written values of the stream, in order.
    var writes: [[UInt8]] {
        peripheral.log.filter { $0.uuid == device.profile.write && [.write, .command].contains($0.operation) }.map(
            \.value)
    }

    func operations(_ uuid: BluetoothUUID) -> [SimulatedPeripheral.LogEntry.Operation] {
        peripheral.log.filter { $0.uuid == uuid }.map(\.operation)
    }

    /// How many notifications went out.
    var notifications: [[UInt8]] { peripheral.log.filter { $0.operation == .notify }.map(\.value) }

    func perform<R: Sendable>(_ body: @SimulatorActor (SerialWorld) throws -> R) rethrows -> R { try body(self) }

    func delayWrites(_ delay: Duration) { peripheral.characteristic(device.profile.write)?.faults.delay = delay }
    func refuseWrites(_ error: ATTError?) {
        peripheral.characteristic(device.profile.write)?.faults.writeError = error
    }
    func send(_ bytes: [UInt8]) { device.send(bytes) }
    func send(_ text: String) { device.send(Array(text.utf8)) }
    func disconnect() { peripheral.simulateDisconnection() }
}

/// A central manager that is connected to a serial device.
@BluetoothActor final class SerialStage {
    let world: SerialWorld
    let central: CentralManager
    let peripheral: Peripheral
    /// What arrived by the handler that `collect` sets.
    var arrived = Data()
    /// How the stream ended, once for each time that it did.
    var ends: [BluetoothError?] = []

    init(_ world: SerialWorld) async throws {
        self.world = world
        central = CentralManager(bus: world.bus)
        try await central.waitUntilPoweredOn(timeout: .seconds(20))
        peripheral = try await central.firstPeripheral(timeout: .seconds(20))
        try await peripheral.connect()
    }

    static func run(_ world: SerialWorld, _ body: @BluetoothActor (SerialStage) async throws -> Void) async throws {
        try await BluetoothActor.run {
            let stage = try await SerialStage(world)
            try await body(stage)
        }
    }

    func open(
        _ profiles: [SerialProfile] = SerialProfile.recognizable, _ options: SerialOptions = SerialOptions()
    ) async throws -> SerialService {
        let service = try await peripheral.discoverSerialService(profiles)
        try await service.open(options)
        return service
    }

    /// Keeps what arrives, and how the stream ends.
    func collect(_ service: SerialService) {
        service.receiveHandler = { [self] in arrived += $0 }
        service.endHandler = { [self] in ends.append($0) }
    }

    func waitForBytes(_ count: Int) async throws {
        try await Patience.wait(for: "\(count) bytes; there are \(arrived.count)") { arrived.count >= count }
    }

    /// The error that an operation must end with.
    func failure<Value>(_ body: @BluetoothActor () async throws -> Value) async -> BluetoothError? {
        do {
            _ = try await body()
            Issue.record("There was no error")
            return nil
        } catch {
            return error as? BluetoothError
        }
    }
}

extension SerialOptions {
    static func writing(_ writing: Writing) -> SerialOptions {
        var options = SerialOptions()
        options.writing = writing
        return options
    }

    static func reading(_ reading: Reading) -> SerialOptions {
        var options = SerialOptions()
        options.reading = reading
        return options
    }
}

/// Bytes that are told apart by their place.
func pattern(_ count: Int, from start: Int = 0) -> Data {
    Data((start..<start + count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8 &* 7) })
}
