import BlueZSerial
import BlueZSimulatedSerial
import BlueZSimulator
import CoreBlueZ
import FoundationEssentials
import Testing

/// The tests of sessions and facades that have a simulator of their own: one after the other.
@Suite(.serialized) struct ExchangeDevices {}

/// A simulated bluetoothd with a card reader among other devices; none advertises its services.
@SimulatorActor final class CardReaderSimulator: SerialSimulator {
    let script: CardReaderScript
    /// Kept, because peripherals hold their delegates weakly.
    private var others: [SimulatedSerialDevice] = []

    init(_ framing: CardReaderFraming = CardReaderFraming(), others: [SerialProfile] = []) async throws {
        let script = CardReaderScript(framing)
        self.script = script
        try await super.init(.issc, name: "READER", script: { script })
        for (number, profile) in others.enumerated() {
            let specification = PeripheralSpecification(
                name: "OTHER", address: "00:AA:02:00:00:1\(number)",
                advertisingInterval: .milliseconds(100),
                services: [profile.specification()])
            self.others.append(
                SimulatedSerialDevice(try bluez.add(specification), profile, script: EchoScript()))
        }
    }

    /// Takes the other devices out of range.
    func stopOthers() {
        for other in others { other.peripheral.simulateRangeLoss() }
    }
}
