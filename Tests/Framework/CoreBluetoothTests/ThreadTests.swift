import BlueZSimulator
import CoreBluetooth
import Dispatch
import TestSupport
import Testing

/// Objects whose manager has a queue, used on the main thread, as programs for iPhones do. ThreadSanitizer finds each
/// access without a lock.
@MainActor @Suite struct ThreadTests {
    /// Connects the peripheral again and again, and discovers all characteristics.
    private final class Follower: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate {
        private let lock = NSLock()
        private var lastPeripheral: CBPeripheral?
        private var lossCount = 0

        var peripheral: CBPeripheral? { lock.withLock { lastPeripheral } }
        var losses: Int { lock.withLock { lossCount } }

        func centralManagerDidUpdateState(_ central: CBCentralManager) { central.scanForPeripherals(withServices: nil) }

        func centralManager(
            _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
            rssi RSSI: NSNumber
        ) {
            central.stopScan()
            lock.withLock { lastPeripheral = peripheral }
            peripheral.delegate = self
            central.connect(peripheral)
        }

        func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
            peripheral.discoverServices(nil)
        }

        func centralManager(
            _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: (any Error)?
        ) {
            lock.withLock { lossCount += 1 }
            central.connect(peripheral)
        }

        func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
            for service in peripheral.services ?? [] { peripheral.discoverCharacteristics(nil, for: service) }
        }

        func peripheral(
            _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: (any Error)?
        ) {
            for characteristic in service.characteristics ?? [] where characteristic.properties.contains(.notify) {
                peripheral.setNotifyValue(true, for: characteristic)
            }
        }
    }

    private static let uuid = CBUUID(string: "C0B10005-7A6B-4D5E-8F90-1A2B3C4D5E6F")
    private static let specification = CharacteristicSpecification(
        "C0B10005-7A6B-4D5E-8F90-1A2B3C4D5E6F", [.read, .notify, .writeWithoutResponse], value: [0])

    @Test("Objects are used on another thread than the manager's queue while the link is lost again and again")
    func losses() async throws {
        let simulator = try await SimulatorFixture(
            .init(timing: .instant), peripheral: SimulatorFixture.specification(more: [Self.specification]))
        let follower = Follower()
        let queue = DispatchQueue(label: "follower")
        let central = CBCentralManager(delegate: follower, queue: queue, options: simulator.options)
        for number in 1...10 {
            var found: (CBPeripheral, CBCharacteristic)?
            try await eventually("the characteristic over link \(number)") {
                let characteristics = follower.peripheral?.services?.flatMap { $0.characteristics ?? [] }
                let characteristic = characteristics?.first { $0.uuid == Self.uuid }
                if let characteristic, let peripheral = characteristic.service?.peripheral {
                    found = (peripheral, characteristic)
                }
                return found != nil
            }
            let (peripheral, characteristic) = try #require(found)
            Task { @SimulatorActor [simulator] in simulator.peripheral.simulateDisconnection() }
            try await eventually("the end of link \(number)") {
                for _ in 0..<100 where peripheral.state == .connected {
                    peripheral.readValue(for: characteristic)
                    if peripheral.canSendWriteWithoutResponse {
                        peripheral.writeValue(Data([1]), for: characteristic, type: .withoutResponse)
                    }
                    _ = (peripheral.name, characteristic.service, characteristic.value, characteristic.isNotifying)
                }
                return follower.losses == number
            }
        }
        #expect(!central.isScanning)
    }
}
