// A program for iPhones whose Bluetooth runs on a queue of its own: it reads a sensor's battery level, and ends.
import CoreBluetooth

final class BatteryReader: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate {
    private let queue = DispatchQueue(label: "Bluetooth")
    private let done = DispatchSemaphore(value: 0)
    private var central: CBCentralManager?
    private var sensor: CBPeripheral?
    private var level: UInt8?

    func read() -> UInt8? {
        queue.sync { central = CBCentralManager(delegate: self, queue: queue) }
        _ = done.wait(timeout: .now() + 60)
        return queue.sync { level }
    }

    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        if central.state == .poweredOn { central.scanForPeripherals(withServices: nil) }
    }

    func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) {
        sensor = peripheral
        peripheral.delegate = self
        central.stopScan()
        central.connect(peripheral)
    }

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        peripheral.discoverServices([CBUUID(string: "180F")])
    }

    func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: Error?) {
        guard let battery = peripheral.services?.first else { return }
        peripheral.discoverCharacteristics([CBUUID(string: "2A19")], for: battery)
    }

    func peripheral(_ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: Error?) {
        if let level = service.characteristics?.first { peripheral.readValue(for: level) }
    }

    func peripheral(_ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: Error?) {
        level = characteristic.value?.first
        central?.cancelPeripheralConnection(peripheral)
    }

    func centralManager(_ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: Error?) {
        done.signal()
    }
}

print("battery level:", BatteryReader().read().map { "\($0) %" } ?? "not read")
