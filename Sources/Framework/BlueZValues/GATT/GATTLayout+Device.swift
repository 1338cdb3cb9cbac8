/// A device's power, transmitter and clock.
extension GATTLayout {
    static func device(_ number: UInt16) -> GATTLayout? {
        switch number {
        case 0x2A06: .single(.alertLevel, .bytes(1), .choice([0: "no alert", 1: "mild alert", 2: "high alert"]))
        case 0x2A07: .single(.txPowerLevel, .bytes(1), .signed, "dBm", range: -100...20)
        case 0x2A08: .single(.time, .bytes(7), .time)
        case 0x2A19: .single(.batteryLevel, .bytes(1), .unsigned, "%", range: 0...100)
        case 0x2A2B:
            GATTLayout(
                isStructure: false,
                rows: [
                    .row(.time, .bytes(9), .time, label: ""),
                    .row(
                        .adjustmentReasons, .bytes(1),
                        .names([
                            0: "manual update", 1: "update from an external reference", 2: "change of the time zone",
                            3: "change of daylight saving time",
                        ]), label: ""),
                ])
        case 0x2BED: batteryLevelStatus
        default: nil
        }
    }

    private static let batteryLevelStatus = GATTLayout(
        flags: 1,
        rows: [
            .word(2),
            .row(.isBatteryPresent, .bits(0...0), .boolean("", "no battery"), label: ""),
            .row(.wiredPower, .bits(1...2), .choice(connection), special: [2: notKnown], usual: 0),
            .row(.wirelessPower, .bits(3...4), .choice(connection), special: [2: notKnown], usual: 0),
            .row(
                .chargeState, .bits(5...6),
                .choice([1: "charging", 2: "discharging (active)", 3: "discharging (inactive)"]), label: "",
                special: [0: "charge state not known"]),
            .row(
                .chargeLevel, .bits(7...8), .choice([1: "good", 2: "low", 3: "critical"]), special: [0: notKnown],
                usual: 0),
            .row(
                .chargingType, .bits(9...11),
                .choice([1: "constant current", 2: "constant voltage", 3: "trickle", 4: "float"]),
                special: [0: "not known, or not charging"], usual: 0),
            .row(
                .chargingFaults, .bits(12...14), .names([0: "battery", 1: "external power source", 2: "other"]),
                label: "charging fault:"),
            .row(.identifier, .bytes(2), if: .set(0)),
            .row(.batteryLevel, .bytes(1), label: "level", unit: "%", range: 0...100, if: .set(1)),
            .word(1, if: .set(2)),
            .row(
                .serviceRequired, .bits(0...1), .choice([0: "no", 1: "yes"]), special: [2: notKnown], usual: 0,
                if: .set(2)),
            .row(.hasBatteryFault, .bits(2...2), .boolean("battery fault", ""), label: "", if: .set(2)),
        ])

    private static let connection: [Int64: String] = [0: "not connected", 1: "connected"]
}
