/// Glucose meters.
extension GATTLayout {
    static func glucose(_ number: UInt16) -> GATTLayout? {
        switch number {
        case 0x2A18: measurement
        case 0x2A34: context
        default: nil
        }
    }

    private static let measurement = GATTLayout(
        flags: 1,
        rows: [
            .row(.sequenceNumber, .bytes(2), label: "number"),
            .row(.baseTime, .bytes(7), .time, label: ""),
            // The special values are those of the Glucose Service 1.0, 3.1.1.4.
            .row(
                .timeOffset, .bytes(2), .signed, unit: "min",
                special: [0x7FFF: "overrun", -0x8000: "underrun"], if: .set(0)),
            // 1 kg/L is 100,000 mg/dL.
            .row(.concentration, .bytes(2), .medical, unit: "mg/dL", .power(5), if: .and(.set(1), .clear(2))),
            .row(.concentration, .bytes(2), .medical, unit: "mmol/L", .power(3), if: .and(.set(1), .set(2))),
            .word(1, if: .set(1)),
            .row(.sampleType, .bits(0...3), .choice(sampleTypes), label: "", if: .set(1)),
            .row(
                .sampleLocation, .bits(4...7),
                .choice([1: "finger", 2: "alternate site test", 3: "earlobe", 4: "control solution"]), label: "",
                special: [15: "sample location not available"], if: .set(1)),
            .row(.sensorStatus, .bytes(2), .names(sensorStatus), label: "", if: .set(3)),
        ])

    private static let sampleTypes: [Int64: String] = [
        1: "capillary whole blood", 2: "capillary plasma", 3: "venous whole blood", 4: "venous plasma",
        5: "arterial whole blood", 6: "arterial plasma", 7: "undetermined whole blood", 8: "undetermined plasma",
        9: "interstitial fluid", 10: "control solution",
    ]

    private static let sensorStatus = [
        0: "battery low", 1: "sensor malfunction", 2: "sample size insufficient", 3: "strip insertion error",
        4: "strip type incorrect", 5: "result too high", 6: "result too low", 7: "temperature too high",
        8: "temperature too low", 9: "read interrupted", 10: "device fault", 11: "time fault",
    ]

    private static let context = GATTLayout(
        flags: 1,
        rows: [
            .row(.sequenceNumber, .bytes(2), label: "number"),
            .word(1, if: .set(7)),
            .row(.carbohydrateKind, .bytes(1), .choice(carbohydrates), label: "", if: .set(0)),
            .row(.carbohydrate, .bytes(2), .medical, unit: "g", .power(3), if: .set(0)),
            .row(
                .meal, .bytes(1),
                .choice([1: "before the meal", 2: "after the meal", 3: "fasting", 4: "casual", 5: "bedtime"]),
                label: "", if: .set(1)),
            .word(1, if: .set(2)),
            .row(
                .tester, .bits(0...3), .choice([1: "self", 2: "health care professional", 3: "lab test"]),
                special: [15: "not available"], if: .set(2)),
            .row(
                .health, .bits(4...7),
                .choice([
                    1: "minor issues", 2: "major issues", 3: "during menses", 4: "under stress", 5: "no issues",
                ]), special: [15: "not available"], if: .set(2)),
            .row(
                .exerciseDuration, .bytes(2), label: "exercise", unit: "s", special: [0xFFFF: "overrun"],
                if: .set(3)),
            .row(.exerciseIntensity, .bytes(1), label: "intensity", unit: "%", if: .set(3)),
            .row(.medicationKind, .bytes(1), .choice(medications), label: "", if: .set(4)),
            .row(.medication, .bytes(2), .medical, unit: "mg", .power(6), if: .and(.set(4), .clear(5))),
            .row(.medication, .bytes(2), .medical, unit: "mL", .power(3), if: .and(.set(4), .set(5))),
            .row(.hbA1c, .bytes(2), .medical, label: "HbA1c", unit: "%", if: .set(6)),
        ])

    private static let carbohydrates: [Int64: String] = [
        1: "breakfast", 2: "lunch", 3: "dinner", 4: "snack", 5: "drink", 6: "supper", 7: "brunch",
    ]

    private static let medications: [Int64: String] = [
        1: "rapid-acting insulin", 2: "short-acting insulin", 3: "intermediate-acting insulin",
        4: "long-acting insulin", 5: "premixed insulin",
    ]
}
