/// A number that BTHome v2 can have (bthome.io/format, "Sensor data" and "Binary Sensor data").
struct BTHomeSensor {
    private let kind: AdvertisementReading.Kind
    private let size: Int
    private let isSigned: Bool
    /// What the number is multiplied with, and divided by: a division is exact to the last digit.
    private let factor: (Double, over: Double)
    private let unit: AdvertisementReading.Unit?

    private init(
        _ kind: AdvertisementReading.Kind, _ size: Int, _ unit: AdvertisementReading.Unit? = nil, signed: Bool = false,
        times factor: Double = 1, over divisor: Double = 1
    ) {
        self.kind = kind
        self.size = size
        self.unit = unit
        isSigned = signed
        self.factor = (factor, divisor)
    }

    func reading(_ reader: inout ByteReader) throws(AdvertisementProblem) -> AdvertisementReading {
        let number = isSigned ? try reader.signed(size) : try reader.unsigned(size)
        return AdvertisementReading(kind, .number(Double(number) * factor.0 / factor.over), unit: unit)
    }

    /// The objects with a number. The specification gives pressures in hPa.
    static let all: [UInt8: BTHomeSensor] = [
        0x01: Self(.battery, 1, .percent),
        0x02: Self(.temperature, 2, .celsius, signed: true, over: 100),
        0x03: Self(.humidity, 2, .percent, over: 100),
        0x04: Self(.pressure, 3, .pascal),
        0x05: Self(.illuminance, 3, .lux, over: 100),
        0x06: Self(.mass, 2, .kilogram, over: 100),
        0x07: Self(.mass, 2, .pound, over: 100),
        0x08: Self(.dewPoint, 2, .celsius, signed: true, over: 100),
        0x09: Self(.count, 1),
        0x0A: Self(.energy, 3, .kilowattHour, over: 1000),
        0x0B: Self(.power, 3, .watt, over: 100),
        0x0C: Self(.voltage, 2, .volt, over: 1000),
        0x0D: Self(.pm2_5, 2, .microgramPerCubicMeter),
        0x0E: Self(.pm10, 2, .microgramPerCubicMeter),
        0x12: Self(.co2, 2, .partPerMillion),
        0x13: Self(.tvoc, 2, .microgramPerCubicMeter),
        0x14: Self(.moisture, 2, .percent, over: 100),
        0x2E: Self(.humidity, 1, .percent),
        0x2F: Self(.moisture, 1, .percent),
        0x3D: Self(.count, 2),
        0x3E: Self(.count, 4),
        0x3F: Self(.rotation, 2, .degree, signed: true, over: 10),
        0x40: Self(.distance, 2, .millimeter),
        0x41: Self(.distance, 2, .meter, over: 10),
        0x42: Self(.duration, 3, .second, over: 1000),
        0x43: Self(.current, 2, .ampere, over: 1000),
        0x44: Self(.speed, 2, .meterPerSecond, over: 100),
        0x45: Self(.temperature, 2, .celsius, signed: true, over: 10),
        0x46: Self(.uvIndex, 1, over: 10),
        0x47: Self(.volume, 2, .liter, over: 10),
        0x48: Self(.volume, 2, .milliliter),
        0x49: Self(.volumeFlowRate, 2, .cubicMeterPerHour, over: 1000),
        0x4A: Self(.voltage, 2, .volt, over: 10),
        0x4B: Self(.gas, 3, .cubicMeter, over: 1000),
        0x4C: Self(.gas, 4, .cubicMeter, over: 1000),
        0x4D: Self(.energy, 4, .kilowattHour, over: 1000),
        0x4E: Self(.volume, 4, .liter, over: 1000),
        0x4F: Self(.water, 4, .liter, over: 1000),
        0x50: Self(.timestamp, 4, .second),
        0x51: Self(.acceleration, 2, .meterPerSecondSquared, over: 1000),
        0x52: Self(.gyroscope, 2, .degreePerSecond, over: 1000),
        0x55: Self(.volumeStorage, 4, .liter, over: 1000),
        0x56: Self(.conductivity, 2, .microsiemensPerCentimeter),
        0x57: Self(.temperature, 1, .celsius, signed: true),
        0x58: Self(.temperature, 1, .celsius, signed: true, times: 35, over: 100),
        0x59: Self(.count, 1, signed: true),
        0x5A: Self(.count, 2, signed: true),
        0x5B: Self(.count, 4, signed: true),
        0x5C: Self(.power, 4, .watt, signed: true, over: 100),
        0x5D: Self(.current, 2, .ampere, signed: true, over: 1000),
        0x5E: Self(.direction, 2, .degree, over: 100),
        0x5F: Self(.precipitation, 2, .millimeter, over: 10),
        0x60: Self(.channel, 1),
        0x61: Self(.rotationalSpeed, 2, .revolutionPerMinute),
        0x62: Self(.speed, 4, .meterPerSecond, signed: true, over: 1_000_000),
        0x63: Self(.acceleration, 4, .meterPerSecondSquared, signed: true, over: 1_000_000),
        0x64: Self(.lightLevel, 1),
        0x65: Self(.settingsRevision, 1),
    ]

    /// The objects that are true or false, in a byte.
    static let states: [UInt8: AdvertisementReading.Kind] = [
        0x0F: .on, 0x10: .powerOn, 0x11: .opening, 0x15: .batteryLow, 0x16: .charging, 0x17: .carbonMonoxide,
        0x18: .cold, 0x19: .connected, 0x1A: .doorOpen, 0x1B: .garageDoorOpen, 0x1C: .gasDetected, 0x1D: .hot,
        0x1E: .light, 0x1F: .unlocked, 0x20: .wet, 0x21: .motion, 0x22: .moving, 0x23: .occupancy, 0x24: .pluggedIn,
        0x25: .presence, 0x26: .problem, 0x27: .running, 0x28: .safe, 0x29: .smoke, 0x2A: .sound, 0x2B: .tamper,
        0x2C: .vibration, 0x2D: .windowOpen,
    ]
}
