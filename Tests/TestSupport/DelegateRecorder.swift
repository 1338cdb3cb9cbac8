import CoreBluetooth

/// Keeps what CoreBluetooth's delegates are told, in order. It belongs to their queue.
package final class DelegateRecorder: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate {
    /// A call about a peripheral that a scan has found.
    package struct Discovery {
        package let peripheral: CBPeripheral
        package let data: [String: Any]
        package let rssi: Int
    }

    /// Runs at the beginning of each call.
    package var check: () -> Void = {}
    /// The names of the calls, with what they are about.
    package private(set) var events: [String] = []
    package private(set) var states: [CBManagerState] = []
    package private(set) var discoveries: [Discovery] = []
    package private(set) var values: [Data?] = []
    /// The error of each call, if it has one.
    package private(set) var errors: [(any Error)?] = []
    package private(set) var invalidated: [CBService] = []
    package private(set) var rssi: Int?
    package private(set) var isReconnecting = false
    /// What calls of `didConnect` find, and the like.
    package var whenConnected: (CBPeripheral) -> Void = { _ in }

    /// The error of the last call.
    package var error: (any Error)? { errors.last ?? nil }

    /// How often a call was made.
    package func count(_ event: String) -> Int { events.count { $0 == event } }

    private func add(_ event: String, _ error: (any Error)? = nil) {
        check()
        events.append(event)
        errors.append(error)
    }

    package func centralManagerDidUpdateState(_ central: CBCentralManager) {
        add("state")
        states.append(central.state)
    }

    package func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) {
        add("found \(peripheral.name ?? "")")
        discoveries.append(Discovery(peripheral: peripheral, data: advertisementData, rssi: RSSI.intValue))
    }

    package func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        add("connected")
        whenConnected(peripheral)
    }

    package func centralManager(
        _ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: (any Error)?
    ) {
        add("failed", error)
    }

    package func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, timestamp: CFAbsoluteTime,
        isReconnecting: Bool, error: (any Error)?
    ) {
        add("disconnected", error)
        self.isReconnecting = isReconnecting
    }

    package func peripheralDidUpdateName(_ peripheral: CBPeripheral) { add("name \(peripheral.name ?? "")") }

    package func peripheral(_ peripheral: CBPeripheral, didModifyServices invalidatedServices: [CBService]) {
        add("modified")
        invalidated = invalidatedServices
    }

    package func peripheral(_ peripheral: CBPeripheral, didReadRSSI RSSI: NSNumber, error: (any Error)?) {
        add("rssi", error)
        rssi = RSSI.intValue
    }

    package func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
        add("services", error)
    }

    package func peripheral(
        _ peripheral: CBPeripheral, didDiscoverIncludedServicesFor service: CBService, error: (any Error)?
    ) {
        add("included", error)
    }

    package func peripheral(
        _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: (any Error)?
    ) {
        add("characteristics", error)
    }

    package func peripheral(
        _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: (any Error)?
    ) {
        add("value", error)
        values.append(characteristic.value)
    }

    package func peripheral(
        _ peripheral: CBPeripheral, didWriteValueFor characteristic: CBCharacteristic, error: (any Error)?
    ) {
        add("written", error)
    }

    package func peripheral(
        _ peripheral: CBPeripheral, didUpdateNotificationStateFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) {
        add("notifying \(characteristic.isNotifying)", error)
    }

    package func peripheral(
        _ peripheral: CBPeripheral, didDiscoverDescriptorsFor characteristic: CBCharacteristic, error: (any Error)?
    ) {
        add("descriptors", error)
    }

    package func peripheral(_ peripheral: CBPeripheral, didUpdateValueFor descriptor: CBDescriptor, error: (any Error)?)
    {
        add("descriptor value", error)
    }

    package func peripheral(_ peripheral: CBPeripheral, didWriteValueFor descriptor: CBDescriptor, error: (any Error)?)
    {
        add("descriptor written", error)
    }

    package func peripheralIsReady(toSendWriteWithoutResponse peripheral: CBPeripheral) { add("ready") }

    package func peripheral(_ peripheral: CBPeripheral, didOpen channel: CBL2CAPChannel?, error: (any Error)?) {
        add("channel", error)
    }
}
