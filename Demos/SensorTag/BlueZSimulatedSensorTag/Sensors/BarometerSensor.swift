/// Barometer of the first generation (T5400): int16 temperature, uint16 pressure, decoded with the calibration.
///
/// Each measurement updates one half, the temperature first: the first value has a pressure of 0. Writing 2 loads the
/// calibration, without turning anything on or off; it is zero before that, and again after the sensor was turned off.
final class BarometerSensor: Sensor {
    private var temperature: Int16 = 0
    private var pressure: UInt16 = 0
    private var isPressureNext = false

    override func effect(of configuration: [UInt8]) -> Effect {
        guard configuration[0] == 2 else { return super.effect(of: configuration) }
        calibration?.value = T5400Coefficients.typical.bytes
        return .none
    }

    override func turnedOn() {
        (temperature, pressure, isPressureNext) = (0, 0, false)
    }

    override func turnedOff() {
        calibration?.value = [UInt8](repeating: 0, count: 16)
    }

    override func measure(_ environment: SensorEnvironment, at time: Double) -> [UInt8] {
        let coefficients = T5400Coefficients.typical
        let celsius = environment.temperature(at: time)
        if isPressureNext {
            pressure = RawValue.nearest(
                coefficients.rawPressure(pascal: environment.pressure(at: time), celsius: celsius))
        } else {
            temperature = RawValue.nearest(coefficients.rawTemperature(celsius: celsius))
        }
        isPressureNext.toggle()
        return RawValue.bytes(temperature) + RawValue.bytes(pressure)
    }
}

/// The calibration of a T5400: four uint16, then four int16, little-endian.
struct T5400Coefficients {
    let unsigned: [UInt16]
    let signed: [Int16]

    static let typical = T5400Coefficients(
        unsigned: [45697, 25592, 48894, 36174], signed: [7001, 1990, -2369, 5542])

    var bytes: [UInt8] { unsigned.flatMap { RawValue.bytes($0) } + signed.flatMap { RawValue.bytes($0) } }

    /// The raw value of a temperature: °C = c1 raw / 2²⁴ + c2 / 2¹⁰.
    func rawTemperature(celsius: Double) -> Double {
        (celsius - Double(unsigned[1]) / 1024) * 16_777_216 / Double(unsigned[0])
    }

    /// The raw value of a pressure: Pa = (S raw + O) / 2¹⁴, with S and O depending on the raw temperature.
    func rawPressure(pascal: Double, celsius: Double) -> Double {
        let t = rawTemperature(celsius: celsius) / 131_072
        let sensitivity = Double(unsigned[2]) + t * (Double(unsigned[3]) + t * Double(signed[0]))
        let offset = 16384 * (Double(signed[1]) + t * (Double(signed[2]) + t * 2 * Double(signed[3])))
        return (pascal * 16384 - offset) / sensitivity
    }
}

/// Barometer of the second generation (BMP280): temperature as int24 and pressure as uint24, in 0.01 °C and Pa (0.01
/// hPa).
final class BarometerSensor2: SecondGenerationSensor {
    override func measure(_ environment: SensorEnvironment, at time: Double) -> [UInt8] {
        let temperature: Int32 = RawValue.nearest(environment.temperature(at: time) * 100)
        let pressure: UInt32 = RawValue.nearest(environment.pressure(at: time))
        return RawValue.bytes(temperature, count: 3) + RawValue.bytes(pressure, count: 3)
    }
}

extension SensorDesign {
    /// The barometer of both generations.
    static func barometer(_ model: SensorTagModel) -> SensorDesign {
        let period: UInt16? = model.hasOldFirmware ? nil : 0xAA44
        return model.isFirstGeneration
            ? SensorDesign(
                sensor: BarometerSensor.self, service: 0xAA40, name: "Barometer", length: 4, period: period,
                calibration: 0xAA43, measuring: .milliseconds(80))
            : SensorDesign(
                sensor: BarometerSensor2.self, service: 0xAA40, name: "Barometer", length: 6, period: period)
    }
}
