import BlueZPrintableText

@testable import BlueZAdvertisements

extension Vector {
    /// The tables and examples of "Mijia BLE Object Definition", as pvvx keeps it (InfoMijiaBLE), and frames that no
    /// device of the tests sends.
    static let miBeaconObjects: [Vector] =
        miBeaconReadings.map { object("Mijia BLE Object Definition", $0, $1) }
        + miBeaconEvents.map { object("Mijia BLE Object Definition", $1, "", $2, product: $0) } + miBeaconFrames

    private static func object(
        _ document: String, _ digits: String, _ readings: String, _ events: String = "", product: UInt16 = 0x1234,
        problem: AdvertisementProblem? = nil
    ) -> Vector {
        let frame = "4050" + String(hexadecimal: product.byteSwapped, digits: 4) + "07"
        let shown = "product \(product)" + (readings.isEmpty ? "" : ", ") + readings
        return mi(document, frame + digits, shown, events, counter: 7, problem: problem)
    }

    private static let miBeaconReadings = [
        ("0a0002a70e", "temperature 37.51 °C"), ("0410021a01", "temperature 28.2 °C"),
        ("041002f6ff", "temperature -1 °C"), ("0610025a01", "humidity 34.6 %"),
        ("07100340e201", "illuminance 123456 lx"),
        ("0810011e", "moisture 30 %"), ("0910028813", "conductivity 5000 µS/cm"), ("0a100164", "battery 100 %"),
        ("1010021000", "formaldehyde 0.16 mg/m³"), ("12100101", "powerOn true"), ("13100132", "consumable 50 %"),
        ("14100101", "wet true"), ("15100101", "smoke true"), ("15100102", "smoke false"),
        ("16100101", "gasDetected true"),
        ("1710043c000000", "idleTime 60 s"), ("18100100", "light false"), ("19100100", "opening true"),
        ("19100101", "opening false"), ("19100102", "opening true, leftOpen true"), ("1b100101", "motion false"),
        ("1b100100", "motion true"), ("0e100105", "locked true"), ("0e100104", "locked false"),
        ("0510020141", "powerOn true, temperature 65 °C"), ("0c480100", "opening true"), ("3c480101", "occupancy true"),
        ("014804cdcc6c41", "temperature 14.8 °C"), ("0548040000803f", "illuminance 1 lx"),
        ("0848043333b341", "humidity 22.4 %"), ("014a0101", "batteryLow true"), ("0f4a0101", "forciblyRemoved true"),
        ("014e0100", "batteryLow false"), ("084c0400004842", "humidity 50 %"), ("034c0163", "battery 99 %"),
        ("0350010a", "battery 10 %"),
    ]

    private static let miBeaconEvents: [(UInt16, String, String)] = [
        (1, "01100301ff00", "button press #2"), (1, "011003000001", "button double_press"),
        (1, "011003000002", "button long_press"), (1, "011003000003", "button triple_press"),
        // xiaomi-ble: a long press of the switch K9B, and what a cube and a knob do.
        (0x1568, "011003000001", "button long_press"), (0x0DFD, "011003020002", "button double_press #3"),
        (0x04E1, "011003000000", "dimmer rotate_right"), (0x03B6, "011003010403", "dimmer long_press 4"),
        (0x03B6, "011003000304", "dimmer rotate_right 3"), (0x03B6, "011003fd0004", "dimmer rotate_left_pressed 3"),
        (0x1C10, "0c4e0101", "button press"), (0x1C10, "0c4e0108", "button long_press"),
        (0x1C10, "0c4e010f", "button double_press"), (0x1949, "0c4e0103", "button press, button press #2"),
        (0x1949, "0d4e0101", "button double_press"), (0x2387, "0e4e0100", "button long_press"),
        (0x5968, "0c4a0101", "button press #2"), (1, "0d4a00", "button double_press"), (1, "134a0102", ""),
        (1, "07000100", "door opened"), (1, "07000102", "door left_open"), (1, "07000105", "door stuck"),
        (1, "030000", "motion detected"), (1, "10000100", "toothbrush start"),
    ]

    private static let miBeaconFrames = [
        object(
            "an object that isn't known, before one that is", "ffff020102" + "0a100164", "battery 100 %",
            problem: .unknownObject(0xFFFF)),
        object("an object that is too short", "0410011a" + "0a100164", "battery 100 %", problem: .malformed),
        object("a number that isn't finite", "0148040000c07f", "", problem: .malformed),
        object("an action that isn't known", "0700010a", "", problem: .unknownObject(7)),
        object("a button's type that isn't known", "011003000009", "", problem: .unknownObject(0x1001)),
        object("a state of a door that isn't known", "19100107", "", problem: .unknownObject(0x1019)),
        mi("MiBeacon v5: mesh", "805034120700", "product 4660", counter: 7, problem: .nameOnly),
        mi(
            "MiBeacon v5: capability and I/O", "6050341207" + "200100" + "0410021a01",
            "product 4660, temperature 28.2 °C", counter: 7),
        mi("MiBeacon v6", "406034120704", "", counter: nil, problem: .unsupportedVersion(6)),
        mi("MiBeacon v1", "401034120704", "", counter: nil, problem: .unsupportedVersion(1)),
        mi(
            "MiBeacon v3: too short to be encrypted", "5830b603d28b98c54124f8000000", "product 950", counter: 0xD2,
            problem: .truncated, key: "b853075158487ca39a5b5ea9"),
        mi(
            "MiBeacon v5: too short to be encrypted", "58598d0a170fc4e044ef54000000000000", "product 2701",
            counter: 0x17,
            problem: .truncated, key: "814aac74c4f17b6c1581e1ab87816b99"),
        mi(
            "MiBeacon v3: a key of the wrong size", "5830b603d28b98c54124f8c3491476757e00000099", "product 950",
            counter: 0xD2, problem: .encrypted, address: "F8:24:41:C5:98:8B", key: "814aac74c4f17b6c1581e1ab87816b99"),
    ]
}
