/// Bicycles.
extension GATTLayout {
    static func cycling(_ number: UInt16) -> GATTLayout? {
        switch number {
        case 0x2A5B: GATTLayout(flags: 1, rows: wheel(1024, if: .set(0)) + crank(if: .set(1)))
        case 0x2A5D: .single(.sensorLocation, .bytes(1), .choice(sensorLocations))
        case 0x2A63: GATTLayout(flags: 2, rows: power)
        default: nil
        }
    }

    // MARK: Speed and cadence

    /// Times are rounded to 0.1 ms.
    private static func wheel(_ parts: Int, if condition: Condition) -> [Row] {
        [
            .row(.wheelRevolutions, .bytes(4), if: condition),
            .row(
                .lastWheelEventTime, .bytes(2), label: "at", unit: "s", .halved(parts.trailingZeroBitCount, 4),
                if: condition),
        ]
    }

    private static func crank(if condition: Condition) -> [Row] {
        [
            .row(.crankRevolutions, .bytes(2), if: condition),
            .row(.lastCrankEventTime, .bytes(2), label: "at", unit: "s", .halved(10, 4), if: condition),
        ]
    }

    // MARK: Power

    private static let power: [Row] =
        [
            .row(.power, .bytes(2), .signed, label: "", unit: "W"),
            .row(.pedalPowerBalance, .bytes(1), unit: "%", .halved(1, 1), if: .set(0)),
            .row(
                .pedalPowerBalanceReference, .bits(1...1), .choice([1: "left"]), label: "reference",
                special: [0: notKnown], if: .set(0)),
            .row(.accumulatedTorque, .bytes(2), unit: "N·m", .halved(5, 5), if: .set(2)),
            .row(.torqueSource, .bits(3...3), .choice([0: "wheel", 1: "crank"]), if: .set(2)),
        ] + wheel(2048, if: .set(4)) + crank(if: .set(5)) + [
            .row(.maximumForce, .bytes(2), .signed, unit: "N", if: .set(6)),
            .row(.minimumForce, .bytes(2), .signed, unit: "N", if: .set(6)),
            .row(.maximumTorque, .bytes(2), .signed, unit: "N·m", .halved(5, 5), if: .set(7)),
            .row(.minimumTorque, .bytes(2), .signed, unit: "N·m", .halved(5, 5), if: .set(7)),
            .row(.isOffsetCompensated, .bits(12...12), .boolean("offset compensation", ""), label: ""),
            .word(3, if: .set(8)),
            .row(.maximumAngle, .bits(0...11), unit: "°", if: .set(8)),
            .row(.minimumAngle, .bits(12...23), unit: "°", if: .set(8)),
            .row(.topDeadSpotAngle, .bytes(2), unit: "°", if: .set(9)),
            .row(.bottomDeadSpotAngle, .bytes(2), unit: "°", if: .set(10)),
            .row(.accumulatedEnergy, .bytes(2), unit: "kJ", if: .set(11)),
        ]

    private static let sensorLocations: [Int64: String] = [
        0: "other", 1: "top of shoe", 2: "in shoe", 3: "hip", 4: "front wheel", 5: "left crank", 6: "right crank",
        7: "left pedal", 8: "right pedal", 9: "front hub", 10: "rear dropout", 11: "chainstay", 12: "rear wheel",
        13: "rear hub", 14: "chest", 15: "spider", 16: "chain ring",
    ]
}
