// What a test orders a simulated BlueZ to do, piece by piece: BlueZSimulator's articles show these functions.
import BlueZSimulator

@SimulatorActor func breakAttributes(of sensor: SimulatedPeripheral) {
    guard let battery = sensor.characteristic(0x2A19) else { return print("There is no battery") }
    battery.value = [42]
    battery.faults.readError = .insufficientEncryption
    battery.faults.delay = .milliseconds(500)
}

@SimulatorActor func breakConnections(to sensor: SimulatedPeripheral) {
    sensor.connectionFault = .shortLink("le-connection-abort-by-local")
}

@SimulatorActor func beBusyOnce(_ bluez: SimulatedBlueZ) {
    bluez.simulateReply(
        .error(name: "org.bluez.Error.InProgress", message: "In Progress"),
        to: "ReadValue", of: "org.bluez.GattCharacteristic1")
}

@SimulatorActor func restart(_ bluez: SimulatedBlueZ) async throws {
    bluez.simulateCrash()
    try await bluez.restart()
}

@SimulatorActor func pressButton(_ sensor: SimulatedPeripheral) {
    guard let button = sensor.characteristic(0xFFE1), sensor.notify([1], from: button) else {
        return print("Nobody is subscribed to the button")
    }
}

/// A thermometer that responds by itself, and refuses unknown commands.
final class Thermometer: SimulatedPeripheralDelegate {
    private var tenths: UInt8 = 215

    func peripheral(
        _ peripheral: SimulatedPeripheral, read characteristic: SimulatedCharacteristic,
        request: AttributeRequest
    ) {
        request.respond(with: [tenths])
    }

    func peripheral(
        _ peripheral: SimulatedPeripheral, write value: [UInt8],
        to characteristic: SimulatedCharacteristic, request: AttributeRequest
    ) {
        guard value.count == 1 else { return request.fail(.invalidAttributeValueLength) }
        tenths = value[0]
        request.respond()
    }

    func peripheral(
        _ peripheral: SimulatedPeripheral, didSubscribeTo characteristic: SimulatedCharacteristic
    ) {
        peripheral.notify(from: characteristic, every: .seconds(1)) { [tenths] _ in [tenths] }
    }
}

@SimulatorActor func countConnects(_ bluez: SimulatedBlueZ) {
    bluez.keepsCalls = true
    // ... the program under test runs ...
    print(bluez.calls.count { $0.member == "Connect" })
}

@SimulatorActor func pairByPasskey(with lock: SimulatedPeripheral) {
    lock.pairing = PairingBehaviour(.displayOnly, wantsAuthentication: true)
    lock.pairing.passkey = 123_456
}

@SimulatorActor func readHeartRate(_ bluez: SimulatedBlueZ) async throws {
    let central = bluez.addCentral()
    try await central.connect()
    try await central.discover()
    guard let location = central.characteristic(0x2A38) else { return }
    print(try await central.read(location.handle))
}
