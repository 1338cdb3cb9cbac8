import CoreBluetooth

/// Keeps what delegates are told, in order.
final class Recorder: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate {
    struct Discovery {
        let peripheral: CBPeripheral
        let data: [String: Any]
        let rssi: Int
    }

    /// Runs at the beginning of each call.
    var check: () -> Void = {}
    /// The names of the calls, with what they are about.
    private(set) var events: [String] = []
    private(set) var states: [CBManagerState] = []
    private(set) var discoveries: [Discovery] = []
    private(set) var values: [Data?] = []
    /// The last error of any call.
    private(set) var error: (any Error)?
    private(set) var invalidated: [CBService] = []
    private(set) var rssi: Int?
    private(set) var isReconnecting = false
    /// What calls of `didConnect` find, and the like.
    var whenConnected: (CBPeripheral) -> Void = { _ in }

    /// How often a call was made.
    func count(_ event: String) -> Int { events.count { $0 == event } }

    private func add(_ event: String, _ error: (any Error)? = nil) {
        check()
        events.append(event)
        self.error = error
    }

    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        add("state")
        states.append(central.state)
    }

    func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) {
        add("found \(peripheral.name ?? "")")
        discoveries.append(Discovery(peripheral: peripheral, data: advertisementData, rssi: RSSI.intValue))
    }

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        add("connected")
        whenConnected(peripheral)
    }

    func centralManager(_ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: (any Error)?) {
        add("failed", error)
    }

    func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, timestamp: CFAbsoluteTime,
        isReconnecting: Bool, error: (any Error)?
    ) {
        add("disconnected", error)
        self.isReconnecting = isReconnecting
    }

    func peripheralDidUpdateName(_ peripheral: CBPeripheral) { add("name \(peripheral.name ?? "")") }

    func peripheral(_ peripheral: CBPeripheral, didModifyServices invalidatedServices: [CBService]) {
        add("modified")
        invalidated = invalidatedServices
    }

    func peripheral(_ peripheral: CBPeripheral, didReadRSSI RSSI: NSNumber, error: (any Error)?) {
        add("rssi", error)
        rssi = RSSI.intValue
    }

    func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) { add("services", error) }

    func peripheral(
        _ peripheral: CBPeripheral, didDiscoverIncludedServicesFor service: CBService, error: (any Error)?
    ) {
        add("included", error)
    }

    func peripheral(
        _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: (any Error)?
    ) {
        add("characteristics", error)
    }

    func peripheral(
        _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: (any Error)?
    ) {
        add("value", error)
        values.append(characteristic.value)
    }

    func peripheral(
        _ peripheral: CBPeripheral, didWriteValueFor characteristic: CBCharacteristic, error: (any Error)?
    ) {
        add("written", error)
    }

    func peripheral(
        _ peripheral: CBPeripheral, didUpdateNotificationStateFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) {
        add("notifying \(characteristic.isNotifying)", error)
    }

    func peripheral(
        _ peripheral: CBPeripheral, didDiscoverDescriptorsFor characteristic: CBCharacteristic, error: (any Error)?
    ) {
        add("descriptors", error)
    }

    func peripheral(_ peripheral: CBPeripheral, didUpdateValueFor descriptor: CBDescriptor, error: (any Error)?) {
        add("descriptor value", error)
    }

    func peripheral(_ peripheral: CBPeripheral, didWriteValueFor descriptor: CBDescriptor, error: (any Error)?) {
        add("descriptor written", error)
    }

    func peripheralIsReady(toSendWriteWithoutResponse peripheral: CBPeripheral) { add("ready") }

    func peripheral(_ peripheral: CBPeripheral, didOpen channel: CBL2CAPChannel?, error: (any Error)?) {
        add("channel", error)
    }
}
