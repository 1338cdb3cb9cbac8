// The parts of the article The peripheral role.
import CoreBlueZ
import FoundationEssentials

@BluetoothActor func offerBattery(with manager: PeripheralManager) {
    let level = LocalCharacteristic(0x2A19, properties: [.read, .notify], value: Data([87]))
    manager.publish(LocalService(0x180F, characteristics: [level])) { error in
        if let error { return print(error) }
        manager.startAdvertising(LocalAdvertisement(localName: "Pi", serviceUUIDs: [0x180F])) { _, error in
            if let error { return print(error) }
            level.notify(Data([86])) { error in
                if let error { print(error) }
            }
        }
    }
}

@BluetoothActor func offerBatteryAsync(with manager: PeripheralManager) async throws {
    let level = LocalCharacteristic(0x2A19, properties: [.read, .notify], value: Data([87]))
    try await manager.publish(LocalService(0x180F, characteristics: [level]))
    try await manager.startAdvertising(LocalAdvertisement(localName: "Pi", serviceUUIDs: [0x180F]))
    try await level.notify(Data([86]))
}

/// Sets the brightness of a lamp.
typealias Dimmer = @BluetoothActor (_ percent: UInt8) -> Void
/// Returns the temperature in tenths of a degree.
typealias Thermometer = @BluetoothActor () async throws -> UInt8

final class LampService: LocalService {
    /// The brightness in percent. Only paired devices can change it.
    let brightness = LocalCharacteristic(
        "0E5A0001-2C4B-4F0D-9E7A-6B1D3A52C880", properties: [.read, .write], permissions: .writeEncrypted,
        value: Data([0]))
    /// The temperature, which is measured when a central reads it.
    let temperature = LocalCharacteristic("0E5A0002-2C4B-4F0D-9E7A-6B1D3A52C880", properties: .read)

    init(dimmer: @escaping Dimmer, thermometer: @escaping Thermometer) {
        super.init("0E5A0000-2C4B-4F0D-9E7A-6B1D3A52C880", characteristics: [brightness, temperature])
        brightness.writeHandler = { [unowned brightness] request in
            guard request.value.count == 1, let percent = request.value.first else {
                return request.fail(.invalidAttributeValueLength)
            }
            guard percent <= 100 else { return request.fail(ATTError(rawValue: 0x80)) }
            brightness.value = request.value
            dimmer(percent)
            request.respond()
        }
        temperature.setReadHandler { _ in Data([try await thermometer()]) }
    }
}

/// Sends a measurement every second while somebody has subscribed.
final class MeasurementCharacteristic: LocalCharacteristic {
    private var task: Task<Void, any Error>?

    init() { super.init(0x2A37, properties: .notify) }

    override func didSubscribe(_ central: Central?) {
        task?.cancel()
        task = Task { [weak self] in
            while let self, isNotifying {
                try await notify(Data([0, 72]))
                try await BluetoothActor.sleep(for: .seconds(1))
            }
        }
    }
}

@BluetoothActor func callForHelp(_ alarm: LocalCharacteristic) async {
    do throws(BluetoothError) {
        try await alarm.indicate(Data([1]))
        print("a central has confirmed the alarm")
    } catch {
        print(error.code == .notConnected ? "nobody has subscribed" : error.message)
    }
}

@BluetoothActor func advertiseTemperature(with manager: PeripheralManager) async throws {
    var advertisement = LocalAdvertisement(localName: "Thermometer")
    advertisement.isConnectable = false
    advertisement.serviceData[0x1809] = Data([215])
    let instance = try await manager.startAdvertising(advertisement)
    advertisement.serviceData[0x1809] = Data([216])
    try await instance.update(advertisement)
    await instance.stop()
}

/// Asks a person whether a central may pair.
@BluetoothActor func letCentralsPair(
    with manager: PeripheralManager, ask: @escaping @Sendable (String) async -> Bool
) async throws {
    let agent = PairingAgent()
    agent.setConfirmationHandler { central, passkey in
        await ask("Does \(central.displayName) show \(passkey)?")
    }
    agent.setAuthorizationHandler { central in
        await ask("May \(central.displayName) pair without a comparison?")
    }
    try await manager.centralManager.registerPairingAgent(agent, asDefault: true)
    try await manager.centralManager.setPairable(true)
}

@BluetoothActor func follow(_ manager: PeripheralManager) {
    manager.eventHandler = { event in
        switch event {
        case .centralConnected(let central): print(central.address?.description ?? "a device", "has connected")
        case .unpublished(let service): print(service.uuid, "waits for bluetoothd")
        case .published(let service): print(service.uuid, "is offered")
        default: break
        }
    }
}
