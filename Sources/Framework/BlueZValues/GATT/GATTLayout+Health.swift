/// Heart rate, temperature, blood pressure and weight of a person.
extension GATTLayout {
    static func health(_ number: UInt16) -> GATTLayout? {
        switch number {
        case 0x2A1C, 0x2A1E: temperatureMeasurement
        case 0x2A1D: .single(.temperatureType, .bytes(1), .choice(temperatureTypes))
        case 0x2A35: GATTLayout(flags: 1, rows: bloodPressures + bloodPressureDetails)
        case 0x2A36: GATTLayout(flags: 1, rows: cuffPressure + bloodPressureDetails)
        case 0x2A37: heartRateMeasurement
        case 0x2A38: .single(.bodySensorLocation, .bytes(1), .choice(bodyLocations))
        case 0x2A80: .single(.age, .bytes(1), .unsigned, "years")
        case 0x2A8D: .single(.maximumHeartRate, .bytes(1), .unsigned, "bpm")
        case 0x2A92: .single(.restingHeartRate, .bytes(1), .unsigned, "bpm")
        case 0x2A8E: .single(.height, .bytes(2), .unsigned, "m", .decimals(2))
        case 0x2A98: .single(.weight, .bytes(2), .unsigned, "kg", kilograms)
        case 0x2A9D: weightMeasurement
        default: nil
        }
    }

    // MARK: Heart rate

    private static let heartRateMeasurement = GATTLayout(
        flags: 1,
        rows: [
            .row(.beatsPerMinute, .bytes(1), label: "", unit: "bpm", if: .clear(0)),
            .row(.beatsPerMinute, .bytes(2), label: "", unit: "bpm", if: .set(0)),
            .row(.hasContact, .bits(1...1), .boolean("", "no contact"), label: "", if: .set(2)),
            // The Supplement says joules; the Heart Rate Service 1.0, 3.1.1.3, kilojoules.
            .row(.energyKilojoules, .bytes(2), label: "", unit: "kJ", if: .set(3)),
            .row(
                .intervalsMilliseconds, .rest(of: 2), label: "intervals", unit: "ms", .halved(10, 0, power: 3),
                if: .set(4)),
        ])

    private static let bodyLocations: [Int64: String] = [
        0: "other", 1: "chest", 2: "wrist", 3: "finger", 4: "hand", 5: "ear lobe", 6: "foot",
    ]

    // MARK: Temperature

    private static let temperatureMeasurement = GATTLayout(
        flags: 1, isStructure: false,
        rows: [
            .row(.temperature, .bytes(4), .medical, label: "", unit: "°C", if: .clear(0)),
            .row(.temperature, .bytes(4), .medical, label: "", unit: "°F", if: .set(0)),
            .row(.time, .bytes(7), .time, label: "", if: .set(1)),
            .row(.temperatureType, .bytes(1), .choice(temperatureTypes), label: "", if: .set(2)),
        ])

    private static let temperatureTypes: [Int64: String] = [
        1: "armpit", 2: "body", 3: "ear", 4: "finger", 5: "gastrointestinal tract", 6: "mouth", 7: "rectum", 8: "toe",
        9: "tympanum",
    ]

    // MARK: Blood pressure

    private static func pressure(_ name: GATTValue.Name) -> [Row] {
        [
            .row(name, .bytes(2), .medical, unit: "mmHg", if: .clear(0)),
            .row(name, .bytes(2), .medical, unit: "kPa", if: .set(0)),
        ]
    }

    private static let bloodPressures = [.systolic, .diastolic, .meanArterialPressure].flatMap(pressure)
    /// Two more pressures follow, which are unused.
    private static let cuffPressure = pressure(.cuffPressure) + [.word(4)]

    private static let bloodPressureDetails: [Row] = [
        .row(.time, .bytes(7), .time, label: "", if: .set(1)),
        .row(.pulseRate, .bytes(2), .medical, unit: "bpm", if: .set(2)),
        .row(.userID, .bytes(1), label: "user", special: [0xFF: notKnown], if: .set(3)),
        .word(2, if: .set(4)),
        .row(
            .measurementStatus, .bits(0...15),
            .names([
                0: "body movement", 1: "cuff too loose", 2: "irregular pulse", 5: "improper position",
            ]), label: "", if: .set(4)),
        .row(
            .pulseRateRange, .bits(3...4),
            .choice([0: "within the range", 1: "above the range", 2: "below the range"]), label: "pulse rate",
            usual: 0, if: .set(4)),
    ]

    // MARK: Weight

    /// The special values are those of the Weight Scale Service 1.0, 3.2.1.
    private static let weightMeasurement = GATTLayout(
        flags: 1,
        rows: [
            .row(.weight, .bytes(2), label: "", unit: "kg", kilograms, special: unsuccessful, if: .clear(0)),
            .row(.weight, .bytes(2), label: "", unit: "lb", .decimals(2), special: unsuccessful, if: .set(0)),
            .row(.time, .bytes(7), .time, label: "", if: .set(1)),
            .row(.userID, .bytes(1), label: "user", special: [0xFF: notKnown], if: .set(2)),
            .row(.bodyMassIndex, .bytes(2), unit: "kg/m²", .decimals(1), if: .set(3)),
            .row(.height, .bytes(2), unit: "m", .decimals(3), if: .and(.set(3), .clear(0))),
            .row(.height, .bytes(2), unit: "in", .decimals(1), if: .and(.set(3), .set(0))),
        ])

    private static let kilograms = Scale(factor: 5, exponent: -3)
    private static let unsuccessful: [Int64: String] = [0xFFFF: "measurement unsuccessful"]
}
