import CoreBluetooth
import Measuring

/// The client in Swift, by the module CoreBluetooth: receives notifications of the mock in a method of a delegate, and
/// prints what it took. Everything happens on a queue of its own, as in most applications.
@main final class DelegateClient: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate {
    private let count: Int
    private let order: Data
    private var peripheral: CBPeripheral?
    private var control: CBCharacteristic?
    private var usage: ResourceUsage?
    private var (received, bytes) = (0, 0)

    private init(_ numbers: [UInt32]) {
        count = Int(numbers[0])
        order = MockValues.order(numbers)
    }

    /// The main thread only waits: valgrind crashes if libdispatch ends it.
    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        guard arguments.first == "notifications", let count = arguments.dropFirst().first, UInt32(count) != nil else {
            fail("Usage: DelegateClient notifications COUNT [RATE [BURST]]")
        }
        let client = DelegateClient(arguments.compactMap { UInt32($0) } + [0, 0])
        let manager = CBCentralManager(delegate: client, queue: DispatchQueue(label: "client"))
        withExtendedLifetime((client, manager)) {
            while true { pause() }
        }
    }

    private static func fail(_ reason: String) -> Never {
        print("client:", reason)
        exit(1)
    }

    private func check(_ error: (any Error)?) {
        if let error { Self.fail("\(error)") }
    }

    // MARK: The manager's delegate

    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        if central.state == .poweredOn { central.scanForPeripherals(withServices: [CBUUID(string: "180D")]) }
    }

    func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) {
        guard self.peripheral == nil else { return }
        self.peripheral = peripheral
        central.stopScan()
        central.connect(peripheral)
    }

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        peripheral.delegate = self
        peripheral.discoverServices([CBUUID(string: "180D")])
    }

    func centralManager(_ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: (any Error)?) {
        Self.fail("\(error as Any)")
    }

    // MARK: The peripheral's delegate

    func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
        check(error)
        for service in peripheral.services ?? [] { peripheral.discoverCharacteristics(nil, for: service) }
    }

    func peripheral(
        _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: (any Error)?
    ) {
        check(error)
        for characteristic in service.characteristics ?? [] {
            switch characteristic.uuid {
            case CBUUID(string: "2A37"): peripheral.setNotifyValue(true, for: characteristic)
            case CBUUID(string: "2A39"): control = characteristic
            default: break
            }
        }
    }

    func peripheral(
        _ peripheral: CBPeripheral, didUpdateNotificationStateFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) {
        check(error)
        guard let control else { Self.fail("The mock has no control point") }
        usage = ResourceUsage()
        peripheral.writeValue(order, for: control, type: .withResponse)
    }

    func peripheral(
        _ peripheral: CBPeripheral, didWriteValueFor characteristic: CBCharacteristic, error: (any Error)?
    ) {
        check(error)
    }

    func peripheral(
        _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: (any Error)?
    ) {
        check(error)
        bytes += characteristic.value?.count ?? 0
        received += 1
        guard received == count else { return }
        usage?.end(count)
        guard bytes == count * MockValues.length else { Self.fail("The values are not those that were sent") }
        exit(0)
    }
}
