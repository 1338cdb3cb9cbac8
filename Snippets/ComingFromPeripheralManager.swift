// A heart-rate sensor, as the article Coming from CoreBluetooth shows it beside CBPeripheralManager.
import CoreBlueZ
import FoundationEssentials

@BluetoothActor final class HeartRateSensor {
    let manager = PeripheralManager()
    let measurement = LocalCharacteristic(0x2A37, properties: .notify)
    let control = LocalCharacteristic(0x2A39, properties: .write)

    func start() {
        control.writeHandler = { request in
            guard request.value == Data([1]) else { return request.fail(ATTError(rawValue: 0x80)) }
            request.respond()
        }
        manager.publish(LocalService(0x180D, characteristics: [measurement, control])) { [self] error in
            if let error { return print("Not published:", error) }
            let advertisement = LocalAdvertisement(localName: "Pulse", serviceUUIDs: [0x180D])
            manager.startAdvertising(advertisement) { _, error in
                if let error { print("Not advertised:", error) }
            }
        }
    }

    func send(_ rate: UInt8) {
        measurement.notify(Data([0, rate])) { error in
            if let error { print("Not sent:", error) }
        }
    }
}
