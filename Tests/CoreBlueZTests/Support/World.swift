import BlueZSimulator
import DBus
import Testing

@testable import BlueZClient
@testable import CoreBlueZ

/// A simulated bluetoothd with one peripheral, as fast as the bus.
@SimulatorActor final class World {
    nonisolated static let service: BluetoothUUID = "C0B10000-7A6B-4D5E-8F90-1A2B3C4D5E6F"
    nonisolated static let value: BluetoothUUID = "C0B10001-7A6B-4D5E-8F90-1A2B3C4D5E6F"
    nonisolated static let updates: BluetoothUUID = "C0B10003-7A6B-4D5E-8F90-1A2B3C4D5E6F"

    let bluez: SimulatedBlueZ
    let peripheral: SimulatedPeripheral

    init(_ configuration: SimulatedBlueZ.Configuration = .init(timing: .instant), bus: String? = nil) async throws {
        await Timeouts.allowForSlowness()
        bluez = try await SimulatedBlueZ(configuration, bus: bus)
        self.bus = .address(bluez.address)
        peripheral = try bluez.add(
            PeripheralSpecification(
                name: "World",
                address: "BC:6A:29:00:00:01",
                advertisement: AdvertisingData(flags: 0x06, localName: "World", interval: .milliseconds(2)),
                services: [
                    ServiceSpecification(
                        Self.service,
                        characteristics: [
                            CharacteristicSpecification(
                                Self.value, [.read, .write], value: [1, 2, 3],
                                descriptors: [DescriptorSpecification(0x2901, value: [0x41])]
                            ),
                            CharacteristicSpecification(Self.updates, [.read, .notify], value: [0]),
                        ]
                    )
                ]
            )
        )
    }

    nonisolated let bus: BusAddress
}

extension World {
    var hasBeenRead: Bool { peripheral.log.contains { $0.operation == .read } }

    func delay(_ delay: Duration) { peripheral.characteristic(Self.value)?.faults.delay = delay }
    func vanish() { peripheral.simulateRangeLoss() }
    func disconnect() { peripheral.simulateDisconnection() }
    func remove() { bluez.simulateDeviceRemoval(of: peripheral) }

    func restart() async {
        bluez.simulateCrash()
        do { try await bluez.restart() } catch { Issue.record("\(error)") }
    }

    func notify(_ value: [UInt8]) {
        guard let updates = peripheral.characteristic(Self.updates) else { return }
        _ = peripheral.notify(value, from: updates)
    }
}
