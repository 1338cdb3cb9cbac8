// Tutorial, step 4: the barometer, which needs a calibration; the finished driver.
import CoreBlueZ
import FoundationEssentials

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

/// The calibration of the barometer: four unsigned and four signed numbers of 16 bits, little-endian.
struct Calibration {
    let c: [Double]

    init?(_ value: Data) {
        let bytes = [UInt8](value)
        guard bytes.count == 16, bytes.contains(where: { $0 != 0 }) else { return nil }
        c = (0..<8).map { index in
            let word = UInt16(bytes[2 * index]) | UInt16(bytes[2 * index + 1]) << 8
            return index < 4 ? Double(word) : Double(Int16(bitPattern: word))
        }
    }

    func celsius(_ temperature: Double) -> Double {
        c[0] * temperature / 0x1p24 + c[1] / 0x1p10
    }

    func pascals(_ pressure: Double, _ temperature: Double) -> Double {
        let square = temperature * temperature
        let sensitivity = c[2] + c[3] * temperature / 0x1p17 + c[4] * square / 0x1p34
        let offset = c[5] * 0x1p14 + c[6] * temperature / 0x1p3 + c[7] * square / 0x1p19
        return (sensitivity * pressure + offset) / 0x1p14
    }
}

final class BarometerService: TagService {
    private var calibration: Calibration?

    init() {
        super.init(name: "barometer", offset: 0xAA40)
        addCharacteristic("calibration", offset: 0xAA43)
    }

    /// The tag loads its calibration when 2 is written, and forgets it when the sensor is switched off.
    override func turnOn() async throws(BluetoothError) {
        try await self["configuration"]?.writeByte(2)
        guard let value = try await self["calibration"]?.readValue(), let calibration = Calibration(value) else {
            throw BluetoothError(.invalidData, "The tag gave no calibration")
        }
        self.calibration = calibration
        try await super.turnOn()
    }

    override func notificationHandler(_ characteristic: Characteristic, error: BluetoothError?) {
        if let error { return print(error) }
        guard let calibration, let value = characteristic.value, value.count == 4 else { return }
        let bytes = [UInt8](value)
        let temperature = Double(Int16(bitPattern: UInt16(bytes[0]) | UInt16(bytes[1]) << 8))
        let pressure = Double(UInt16(bytes[2]) | UInt16(bytes[3]) << 8)
        // The first value after switching on has no pressure yet.
        guard pressure > 0 else { return }
        let pascals = calibration.pascals(pressure, temperature)
        print("pressure", pascals / 100, "hPa at", calibration.celsius(temperature), "°C")
    }

    override func didDisconnect() {
        calibration = nil
    }
}

final class Tag: Peripheral {
    let temperature = TemperatureService()
    let barometer = BarometerService()

    override init(_ device: DiscoveredDevice) {
        super.init(device)
        addService(temperature)
        addService(barometer)
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
        try await tag.barometer.turnOn()
        try await Task.sleep(for: .seconds(5))
        try await tag.barometer.turnOff()
        try await tag.temperature.turnOff()
        try await tag.disconnect()
    }
}

do { try await main() } catch { print(error) }
