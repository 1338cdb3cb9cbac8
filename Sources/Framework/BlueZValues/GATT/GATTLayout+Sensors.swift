/// Sensors and their surroundings.
extension GATTLayout {
    static func sensor(_ number: UInt16) -> GATTLayout? {
        switch number {
        case 0x2A6C: .single(.elevation, .bytes(3), .signed, "m", .decimals(2))
        case 0x2A6D: .single(.pressure, .bytes(4), .unsigned, "Pa", .decimals(1))
        case 0x2A6E:
            .single(
                .temperature, .bytes(2), .signed, "°C", .decimals(2), range: -27_315...32_767,
                special: [-0x8000: notKnown])
        case 0x2A6F:
            .single(
                .humidity, .bytes(2), .unsigned, "%", .decimals(2), range: 0...10_000, special: [0xFFFF: notKnown])
        case 0x2A70: .single(.trueWindSpeed, .bytes(2), .unsigned, "m/s", .decimals(2))
        case 0x2A71: .single(.trueWindDirection, .bytes(2), .unsigned, "°", .decimals(2), range: 0...35_999)
        case 0x2A72: .single(.apparentWindSpeed, .bytes(2), .unsigned, "m/s", .decimals(2))
        case 0x2A73: .single(.apparentWindDirection, .bytes(2), .unsigned, "°", .decimals(2), range: 0...35_999)
        case 0x2A2C: .single(.magneticDeclination, .bytes(2), .unsigned, "°", .decimals(2), range: 0...35_999)
        case 0x2A74: .single(.gustFactor, .bytes(1), .unsigned, nil, .decimals(1))
        case 0x2A76: .single(.uvIndex, .bytes(1))
        case 0x2A77: .single(.irradiance, .bytes(2), .unsigned, "W/m²", .decimals(1))
        case 0x2A78: .single(.rainfall, .bytes(2), .unsigned, "mm")
        case 0x2A79: .single(.windChill, .bytes(1), .signed, "°C")
        case 0x2A7A: .single(.heatIndex, .bytes(1), .signed, "°C")
        case 0x2A7B: .single(.dewPoint, .bytes(1), .signed, "°C")
        case 0x2AEE:
            .single(.electricCurrent, .bytes(2), .unsigned, "A", .decimals(2), special: [0xFFFF: notKnown])
        case 0x2AFB: .single(.illuminance, .bytes(3), .unsigned, "lx", .decimals(2), special: [0xFF_FFFF: notKnown])
        case 0x2B8C:
            .single(
                .co2Concentration, .bytes(2), .unsigned, "ppm",
                special: [0xFFFE: "65534 ppm or greater", 0xFFFF: notKnown])
        // The integers are in 10⁻⁷ T.
        case 0x2AA0: .single(.magneticFluxDensity, .list(of: 2, count: 2), .signed, "µT", .decimals(1))
        case 0x2AA1: .single(.magneticFluxDensity, .list(of: 2, count: 3), .signed, "µT", .decimals(1))
        default: nil
        }
    }

    static let notKnown = "not known"
}
