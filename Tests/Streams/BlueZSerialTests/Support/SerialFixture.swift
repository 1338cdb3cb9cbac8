import BlueZSerial
import BlueZSimulatedSerial
import BlueZSimulator
import CoreBlueZ
import Foundation
import TestSupport
import Testing

/// The tests that have a simulator of their own: a few at a time, so that they do not wait for one another.
@Suite(.serialized) struct SerialPorts {}

/// A simulated bluetoothd with one serial device.
@SimulatorActor class SerialSimulator: SimulatorFixture {
    nonisolated static let address = "00:AA:02:00:00:77"
    let device: SimulatedSerialDevice

    init(
        _ profile: SerialProfile = .nordic,
        name: String = "UART",
        mtu: UInt16 = 517,
        writing: CharacteristicProperties = [.write, .writeWithoutResponse],
        services: [ServiceSpecification]? = nil,
        more: [ServiceSpecification] = [],
        timing: Timing = .instant,
        script: @SimulatorActor () -> any SerialScript = { EchoScript() }
    ) async throws {
        let bluez = try await Self.start(.init(timing: timing))
        let peripheral = try bluez.add(
            PeripheralSpecification(
                name: name, address: Self.address,
                advertisingInterval: .milliseconds(100),
                maximumMTU: mtu,
                services: (services ?? profile.specifications(writing: writing)) + more))
        device = SimulatedSerialDevice(peripheral, profile, script: script())
        super.init(bluez, peripheral)
    }

    /// The written values of the stream, in order.
    override var writes: [[UInt8]] {
        peripheral.log.filter { $0.uuid == device.profile.write && [.write, .command].contains($0.operation) }.map(
            \.value)
    }

    func operations(_ uuid: BluetoothUUID) -> [SimulatedPeripheral.LogEntry.Operation] {
        peripheral.log.filter { $0.uuid == uuid }.map(\.operation)
    }

    /// How many notifications went out.
    var notifications: [[UInt8]] { peripheral.log.filter { $0.operation == .notify }.map(\.value) }

    func delayWrites(_ delay: Duration) { peripheral.characteristic(device.profile.write)?.faults.delay = delay }
    func refuseWrites(_ error: ATTError?) {
        peripheral.characteristic(device.profile.write)?.faults.writeError = error
    }
    func send(_ bytes: [UInt8]) { device.send(bytes) }
    func send(_ text: String) { device.send(Array(text.utf8)) }
}

/// A central manager that is connected to a serial device.
@BluetoothActor final class SerialFixture: CentralFixture<SerialSimulator> {
    let peripheral: Peripheral
    /// How the stream ended, once for each time that it did.
    var ends: [BluetoothError?] = []

    required init(_ simulator: SerialSimulator) async throws {
        let central = try await Self.poweredOn(simulator)
        peripheral = try await central.firstPeripheral(timeout: .ample)
        try await peripheral.connect()
        super.init(simulator, central)
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
        service.receiveHandler = { [weak self] in self?.arrived += $0 }
        service.endHandler = { [weak self] in self?.ends.append($0) }
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
