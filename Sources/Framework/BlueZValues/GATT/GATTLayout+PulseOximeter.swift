/// Pulse oximeters, whose characteristics are those of the Pulse Oximeter Service 1.0, 3.1 and 3.2.
extension GATTLayout {
    static func pulseOximeter(_ number: UInt16) -> GATTLayout? {
        switch number {
        case 0x2A5E: spotCheck
        case 0x2A5F: continuous
        default: nil
        }
    }

    private static let spotCheck = GATTLayout(
        flags: 1,
        rows: saturationAndPulse + [
            .row(.time, .bytes(7), .time, label: "", if: .set(0)),
            .row(.isClockUnset, .bits(4...4), .boolean("clock not set", ""), label: "", if: .set(0)),
        ] + details(firstBit: 1))

    private static let continuous = GATTLayout(
        flags: 1,
        rows: saturationAndPulse + [
            .row(.oxygenSaturationFast, .bytes(2), .medical, label: "SpO₂ fast", unit: "%", if: .set(0)),
            .row(.pulseRateFast, .bytes(2), .medical, unit: "bpm", if: .set(0)),
            .row(.oxygenSaturationSlow, .bytes(2), .medical, label: "SpO₂ slow", unit: "%", if: .set(1)),
            .row(.pulseRateSlow, .bytes(2), .medical, unit: "bpm", if: .set(1)),
        ] + details(firstBit: 2))

    private static let saturationAndPulse: [Row] = [
        .row(.oxygenSaturation, .bytes(2), .medical, label: "SpO₂", unit: "%"),
        .row(.pulseRate, .bytes(2), .medical, unit: "bpm"),
    ]

    /// The fields at the end, with the number of the first one's flag.
    private static func details(firstBit: Int) -> [Row] {
        [
            .row(.measurementStatus, .bytes(2), .names(measurementStatus), label: "", if: .set(firstBit)),
            .row(.sensorStatus, .bytes(3), .names(sensorStatus), label: "", if: .set(firstBit + 1)),
            .row(.pulseAmplitudeIndex, .bytes(2), .medical, unit: "%", if: .set(firstBit + 2)),
        ]
    }

    private static let measurementStatus = [
        5: "measurement ongoing", 6: "early estimate", 7: "validated", 8: "fully qualified",
        9: "from measurement storage", 10: "for demonstration", 11: "for testing", 12: "calibration ongoing",
        13: "measurement unavailable", 14: "questionable measurement", 15: "invalid measurement",
    ]

    private static let sensorStatus = [
        0: "extended display update ongoing", 1: "equipment malfunction", 2: "signal processing irregularity",
        3: "inadequate signal", 4: "poor signal", 5: "low perfusion", 6: "erratic signal", 7: "nonpulsatile signal",
        8: "questionable pulse", 9: "signal analysis ongoing", 10: "sensor interference",
        11: "sensor unconnected to user", 12: "unknown sensor connected", 13: "sensor displaced",
        14: "sensor malfunctioning", 15: "sensor disconnected",
    ]
}
