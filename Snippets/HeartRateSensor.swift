// A peripheral: a heart-rate sensor, which advertises itself and sends a heart rate every second.
import BlueZScript
import CoreBlueZ
import FoundationEssentials

final class HeartRateSensor: LocalService {
    let measurement = LocalCharacteristic(0x2A37, properties: .notify)
    let location = LocalCharacteristic(0x2A38, properties: .read, value: Data([1]))  // The chest

    init() {
        super.init(0x180D, characteristics: [measurement, location])
    }

    /// Sends flags, and then the beats per minute (Heart Rate Service 1.0, 3.1).
    func send(_ rate: UInt8) async throws {
        if measurement.isNotifying { try await measurement.notify(Data([0, rate])) }
    }
}

BluetoothScript.run {
    let manager = PeripheralManager()
    let sensor = HeartRateSensor()
    try await manager.publish(sensor)
    try await manager.startAdvertising(LocalAdvertisement(localName: "Pulse", serviceUUIDs: [0x180D]))
    print("Pulse advertises; Ctrl-C ends it")
    for second in 0..<3600 {
        try await sensor.send(UInt8(70 + second % 10))
        try await BluetoothActor.sleep(for: .seconds(1))
    }
}
