// The operations of bleak, one by one: the article Coming from bleak shows them side by side.
import CoreBlueZ
import FoundationEssentials

@BluetoothActor func scan(with central: CentralManager) async throws {
    let options = ScanOptions(duration: .seconds(5))
    try await central.scanForPeripherals(options: options) { peripheral, advertisement, rssi in
        print(peripheral.displayName, rssi ?? 0, advertisement.serviceUUIDs)
    }
}

@BluetoothActor func findSensor(with central: CentralManager) async throws -> Peripheral {
    try await central.firstPeripheral(withServices: [0x180D], timeout: .seconds(20))
}

@BluetoothActor func connect(to tag: Peripheral) async throws {
    tag.disconnectHandler = { tag, error in
        print(tag.displayName, "is gone:", error?.message ?? "as asked")
    }
    try await tag.connect(options: ConnectOptions(timeout: .seconds(45), retries: 3))
}

@BluetoothActor func showServices(of tag: Peripheral) async throws {
    for service in try await tag.discoverServices() {
        print(service)
        for characteristic in service.characteristics {
            print("  ", characteristic)
        }
    }
}

@BluetoothActor func characteristic(
    _ uuid: BluetoothUUID, of tag: Peripheral
) throws -> Characteristic {
    for service in tag.services {
        if let characteristic = service[uuid], characteristic.isDiscovered {
            return characteristic
        }
    }
    throw BluetoothError(.notDiscovered, "\(tag.displayName) has no characteristic \(uuid)")
}

@BluetoothActor func switchOn(_ tag: Peripheral) async throws {
    let humidity = tag.service("F000AA20-0451-4000-B000-000000000000")
    let configuration = humidity.characteristic("F000AA22-0451-4000-B000-000000000000")
    try await configuration.writeValue(Data([1]), type: .withResponse)
    let value = try await configuration.readValue()
    print([UInt8](value))
}

@BluetoothActor func follow(_ keys: Characteristic) async throws {
    try await keys.startNotifying { value, error in
        if let value { print([UInt8](value)) }
        if let error { print("The notifications have ended:", error) }
    }
    try await BluetoothActor.sleep(for: .seconds(10))
    try await keys.setNotifyValue(false)
}

@BluetoothActor func followAsSequence(_ keys: Characteristic) async throws {
    for try await value in try await keys.notifications() {
        print([UInt8](value))
    }
}

@BluetoothActor func readCarefully(_ characteristic: Characteristic) async -> Data? {
    do throws(BluetoothError) {
        return try await characteristic.readValue()
    } catch {
        if let refusal = error.attError {
            print("The device refused:", refusal)
        } else if let name = error.bluezName {
            print("BlueZ said:", name, error.bluezMessage ?? "")
        } else {
            print(error)
        }
        return nil
    }
}

@BluetoothActor func pairAndForget(_ tag: Peripheral, with central: CentralManager) async throws {
    try await tag.pair()
    print("paired:", tag.isPaired)
    try await central.forgetPeripheral(tag)
}

@BluetoothActor func setLimits(of central: CentralManager, for tag: Peripheral) async throws {
    central.attributeTimeout = .seconds(5)
    try await tag.connect(options: ConnectOptions(timeout: .seconds(20)))
    try await tag.pair(timeout: .seconds(60))
}

func connectAll(_ tags: [Peripheral]) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
        for tag in tags {
            group.addTask { try await tag.connect() }
        }
        try await group.waitForAll()
    }
}
