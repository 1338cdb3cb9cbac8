// Tutorial, step 3: a service of one's own, and decoded temperatures.
import CoreBlueZ

class TagService: Service {
    /// TI's base address, F000xxxx-0451-4000-B000-000000000000.
    nonisolated static let base = BluetoothUUID(high: 0xF000_0000_0451_4000, low: 0xB000_0000_0000_0000)

    init(name: String, offset: UInt16) {
        super.init(name: name, uuid: Self.base.replacingShort(with: offset), base: Self.base)
        addCharacteristic("data", offset: offset + 1)
        addCharacteristic("configuration", offset: offset + 2)
    }

    /// Subscribes, then switches the sensor on.
    func turnOn() async throws(BluetoothError) {
        try await self["data"]?.setNotifyValue(true)
        try await self["configuration"]?.writeByte(1)
    }

    /// Unsubscribes, then switches the sensor off: the tag sends zeros at the end.
    func turnOff() async throws(BluetoothError) {
        try await self["data"]?.setNotifyValue(false)
        try await self["configuration"]?.writeByte(0)
    }
}

final class TemperatureService: TagService {
    /// Degrees Celsius.
    private(set) var ambient: Double?

    init() {
        super.init(name: "temperature", offset: 0xAA00)
    }

    override func notificationHandler(_ characteristic: Characteristic, error: BluetoothError?) {
        if let error { return print(error) }
        // Object and die temperature, 16 bits each, little-endian; the die's in 1/128 degrees.
        guard let value = characteristic.value, value.count == 4 else { return }
        let bytes = [UInt8](value)
        let raw = Int16(bitPattern: UInt16(bytes[2]) | UInt16(bytes[3]) << 8)
        ambient = Double(raw) / 128
        print("ambient", Double(raw) / 128, "°C")
    }
}

final class Tag: Peripheral {
    let temperature = TemperatureService()

    override init(_ device: DiscoveredDevice) {
        super.init(device)
        addService(temperature)
    }
}

func main() async throws {
    try await BluetoothActor.run {
        let central = CentralManager(knownPeripheralNames: ["SensorTag", "TI BLE Sensor Tag"])
        central.peripheralBuilder = { Tag($0) }
        guard let tag = try await central.firstPeripheral(deadline: .seconds(20)) as? Tag else { return }
        try await tag.connect()
        try await tag.discoverServices()
        try await tag.temperature.turnOn()
        try await Task.sleep(for: .seconds(5))
        try await tag.temperature.turnOff()
        try await tag.disconnect()
    }
}

do { try await main() } catch { print(error) }
