/// The units of this library's formats.
extension AdvertisementReading.Unit {
    /// Ampere.
    public static let ampere = Self(rawValue: "A")
    /// Degree Celsius.
    public static let celsius = Self(rawValue: "°C")
    /// Cubic metre.
    public static let cubicMeter = Self(rawValue: "m³")
    /// Cubic metre per hour.
    public static let cubicMeterPerHour = Self(rawValue: "m³/h")
    /// Decibel relative to a milliwatt.
    public static let decibelMilliwatt = Self(rawValue: "dBm")
    /// Degree of an angle.
    public static let degree = Self(rawValue: "°")
    /// Degree per second.
    public static let degreePerSecond = Self(rawValue: "°/s")
    /// Kilogram.
    public static let kilogram = Self(rawValue: "kg")
    /// Kilowatt-hour.
    public static let kilowattHour = Self(rawValue: "kWh")
    /// Litre.
    public static let liter = Self(rawValue: "L")
    /// Lux.
    public static let lux = Self(rawValue: "lx")
    /// Metre.
    public static let meter = Self(rawValue: "m")
    /// Metre per second.
    public static let meterPerSecond = Self(rawValue: "m/s")
    /// Metre per second squared.
    public static let meterPerSecondSquared = Self(rawValue: "m/s²")
    /// Microgram per cubic metre.
    public static let microgramPerCubicMeter = Self(rawValue: "µg/m³")
    /// Microsiemens per centimetre.
    public static let microsiemensPerCentimeter = Self(rawValue: "µS/cm")
    /// Milligram per cubic metre.
    public static let milligramPerCubicMeter = Self(rawValue: "mg/m³")
    /// Millilitre.
    public static let milliliter = Self(rawValue: "mL")
    /// Millimetre.
    public static let millimeter = Self(rawValue: "mm")
    /// Minute.
    public static let minute = Self(rawValue: "min")
    /// Part per million.
    public static let partPerMillion = Self(rawValue: "ppm")
    /// Pascal: a hectopascal or millibar is 100 Pa.
    public static let pascal = Self(rawValue: "Pa")
    /// Percent.
    public static let percent = Self(rawValue: "%")
    /// Pound.
    public static let pound = Self(rawValue: "lb")
    /// Turn per minute.
    public static let revolutionPerMinute = Self(rawValue: "rpm")
    /// Second.
    public static let second = Self(rawValue: "s")
    /// Standard gravity, which is 9.80665 m/s².
    public static let standardGravity = Self(rawValue: "g")
    /// Volt.
    public static let volt = Self(rawValue: "V")
    /// Watt.
    public static let watt = Self(rawValue: "W")
}
