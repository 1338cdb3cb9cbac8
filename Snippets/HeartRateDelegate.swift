// A heart-rate monitor for iPhones, unchanged: CoreBluetooth's classes and delegates, on the main queue.
import CoreBluetooth

final class HeartRateMonitor: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate {
    private let heartRate = CBUUID(string: "180D")
    private let measurement = CBUUID(string: "2A37")
    private let location = CBUUID(string: "2A38")
    private var central: CBCentralManager?
    private var sensor: CBPeripheral?

    func start() {
        central = CBCentralManager(delegate: self, queue: nil)
    }

    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        guard central.state == .poweredOn else { return print("Bluetooth is not ready:", central.state) }
        central.scanForPeripherals(withServices: [heartRate])
    }

    func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) {
        print("found", peripheral.name ?? "a sensor", RSSI)
        central.stopScan()
        sensor = peripheral
        peripheral.delegate = self
        central.connect(peripheral)
    }

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        peripheral.discoverServices([heartRate])
    }

    func centralManager(_ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: Error?) {
        print("disconnected:", error?.localizedDescription ?? "as asked")
        central.connect(peripheral)
    }

    func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: Error?) {
        for service in peripheral.services ?? [] {
            peripheral.discoverCharacteristics([measurement, location], for: service)
        }
    }

    func peripheral(_ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: Error?) {
        for characteristic in service.characteristics ?? [] {
            if characteristic.properties.contains(.notify) { peripheral.setNotifyValue(true, for: characteristic) }
            if characteristic.properties.contains(.read) { peripheral.readValue(for: characteristic) }
        }
    }

    func peripheral(_ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: Error?) {
        guard let value = characteristic.value else { return }
        switch characteristic.uuid {
        case location: print("location:", value.first ?? 0)
        case measurement where value.first.map { $0 & 1 == 0 } == true:
            print("heart rate:", value.dropFirst().first ?? 0)
        default: print(characteristic.uuid, value.count, "bytes")
        }
    }
}

let monitor = HeartRateMonitor()
monitor.start()
RunLoop.main.run()
