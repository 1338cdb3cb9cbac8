import BLESerial
import BlueZSimulator
import CoreBlueZ
import FoundationEssentials
import SimulatedSerial
import Testing

/// The tests of sessions and facades that have a simulator of their own: one after the other.
@Suite(.serialized) struct ExchangeDevices {}

/// A simulated bluetoothd with a card reader among other devices; none advertises its services.
@SimulatorActor final class CardReaderWorld {
    let bluez: SimulatedBlueZ
    let device: SimulatedSerialDevice
    let script: CardReaderScript
    /// Kept, because peripherals hold their delegates weakly.
    private let others: [SimulatedSerialDevice]
    nonisolated let bus: BusAddress

    nonisolated static let address = "00:AA:02:00:00:77"

    init(_ framing: CardReaderFraming = CardReaderFraming(), others: [SerialProfile] = []) async throws {
        let bluez = try await SimulatedBlueZ(.init(timing: .instant))
        self.bluez = bluez
        bus = .address(bluez.address)
        script = CardReaderScript(framing)
        func add(_ name: String, _ address: String, _ profile: SerialProfile) throws -> SimulatedPeripheral {
            try bluez.add(
                PeripheralSpecification(
                    name: name, address: address,
                    advertisement: AdvertisingData(flags: 0x06, localName: name, interval: .milliseconds(2)),
                    services: [profile.specification()]))
        }
        let peripheral = try add("READER", Self.address, .issc)
        self.others = try others.enumerated().map { number, profile in
            SimulatedSerialDevice(
                try add("OTHER", "00:AA:02:00:00:1\(number)", profile), profile, script: EchoScript())
        }
        device = SimulatedSerialDevice(peripheral, .issc, script: script)
    }

    /// Takes the other devices out of range.
    func stopOthers() {
        for other in others { other.peripheral.simulateRangeLoss() }
    }

    func perform<R: Sendable>(_ body: @SimulatorActor (CardReaderWorld) throws -> R) rethrows -> R { try body(self) }
}
