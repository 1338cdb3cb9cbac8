@testable import BlueZAdvertisements

extension Vector {
    static let btHome: [Vector] =
        btHomeObjects.map { btHome("bthome.io/format", "40\($0)", $1) }
        + btHomeEvents.map { btHome("bthome.io/format", "40\($0)", "", $1) }
        + btHomeMessages + btHomeEncrypted

    static func btHome(
        _ document: String, _ digits: String, _ readings: String, _ events: String = "", counter: UInt32? = nil,
        problem: AdvertisementProblem? = nil, address: String? = nil, key: String? = nil
    ) -> Vector {
        Vector(
            document: document, source: .service(0xFCD2), digits: digits, format: "BTHome v2", readings: readings,
            events: events, counter: counter, problem: problem, address: address, key: key)
    }

    /// The examples of the tables "Sensor data", "Binary Sensor data" and "Device information".
    private static let btHomeObjects = [
        ("518756", "acceleration 22.151 m/s²"),
        ("630057d0ff", "acceleration -3.123456 m/s²"),
        ("0161", "battery 97 %"),
        ("6001", "channel 1"),
        ("12e204", "co2 1250 ppm"),
        ("56e803", "conductivity 1000 µS/cm"),
        ("0960", "count 96"),
        ("3d0960", "count 24585"),
        ("3e2a2c0960", "count 1611213866"),
        ("59ea", "count -22"),
        ("5aeaea", "count -5398"),
        ("5bea0234ea", "count -365690134"),
        ("434e34", "current 13.39 A"),
        ("5d02ea", "current -5.63 A"),
        ("08ca06", "dewPoint 17.38 °C"),
        ("5e9f8c", "direction 359.99 °"),
        ("400c00", "distance 12 mm"),
        ("414e00", "distance 7.8 m"),
        ("424e3400", "duration 13.39 s"),
        ("4d12138a14", "energy 344593.17 kWh"),
        ("0a138a14", "energy 1346.067 kWh"),
        ("4b138a14", "gas 1346.067 m³"),
        ("4c41018a01", "gas 25821.505 m³"),
        ("528756", "gyroscope 22.151 °/s"),
        ("03bf13", "humidity 50.55 %"),
        ("2e23", "humidity 35 %"),
        ("05138a14", "illuminance 13460.67 lx"),
        ("6402", "lightLevel 2"),
        ("065e1f", "mass 80.3 kg"),
        ("073e1d", "mass 74.86 lb"),
        ("14020c", "moisture 30.74 %"),
        ("2f23", "moisture 35 %"),
        ("0d120c", "pm2_5 3090 µg/m³"),
        ("0e021c", "pm10 7170 µg/m³"),
        ("0b021b00", "power 69.14 W"),
        ("5c02fbffff", "power -12.78 W"),
        ("5fa00f", "precipitation 400 mm"),
        ("04138a01", "pressure 100883 Pa"),
        ("540c48656c6c6f20576f726c6421", "raw 48656c6c6f20576f726c6421"),
        ("3f020c", "rotation 307.4 °"),
        ("61ac0d", "rotationalSpeed 3500 rpm"),
        ("6503", "settingsRevision 3"),
        ("444e34", "speed 133.9 m/s"),
        ("624099dfff", "speed -2.123456 m/s"),
        ("57ea", "temperature -22 °C"),
        ("58ea", "temperature -7.7 °C"),
        ("451101", "temperature 27.3 °C"),
        ("02ca09", "temperature 25.06 °C"),
        ("530c48656c6c6f20576f726c6421", "text Hello World!"),
        ("505d396164", "timestamp 1684093277 s"),
        ("133301", "tvoc 307 µg/m³"),
        ("0c020c", "voltage 3.074 V"),
        ("4a020c", "voltage 307.4 V"),
        ("4e87562a01", "volume 19551.879 L"),
        ("478756", "volume 2215.1 L"),
        ("48dc87", "volume 34780 mL"),
        ("5587562a01", "volumeStorage 19551.879 L"),
        ("49dc87", "volumeFlowRate 34.78 m³/h"),
        ("4632", "uvIndex 5"),
        ("4f87562a01", "water 19551.879 L"),
        ("1501", "batteryLow true"),
        ("1601", "charging true"),
        ("1700", "carbonMonoxide false"),
        ("1801", "cold true"),
        ("1900", "connected false"),
        ("1a00", "doorOpen false"),
        ("1b01", "garageDoorOpen true"),
        ("1c01", "gasDetected true"),
        ("0f01", "on true"),
        ("1d00", "hot false"),
        ("1e01", "light true"),
        ("1f01", "unlocked true"),
        ("2001", "wet true"),
        ("2100", "motion false"),
        ("2201", "moving true"),
        ("2301", "occupancy true"),
        ("1100", "opening false"),
        ("2400", "pluggedIn false"),
        ("1001", "powerOn true"),
        ("2500", "presence false"),
        ("2601", "problem true"),
        ("2701", "running true"),
        ("2800", "safe false"),
        ("2901", "smoke true"),
        ("2a00", "sound false"),
        ("2b00", "tamper false"),
        ("2c01", "vibration true"),
        ("2d01", "windowOpen true"),
        ("f00100", "deviceType 1"),
        ("f100010204", "firmwareVersion 4.2.1.0"),
        ("f2000106", "firmwareVersion 6.1.0"),
    ]

    /// The examples of the table "Events".
    private static let btHomeEvents = [
        ("3a00", ""), ("3a01", "button press"), ("3a02", "button double_press"), ("3a03", "button triple_press"),
        ("3a04", "button long_press"), ("3a05", "button long_double_press"), ("3a06", "button long_triple_press"),
        ("3a80", "button hold_press"), ("3b0000", "command off"), ("3b0001", "command on"),
        ("3b0002", "command toggle"), ("3b010305", "command step_up 5"), ("3b010405", "command step_down 5"),
        ("3c0000", ""), ("3c0103", "dimmer rotate_left 3"), ("3c020a", "dimmer rotate_right 10"),
        ("3a003a01", "button press #2"),
        // A length with reserved bits, of 16 bytes.
        ("3b300305000000000000000000000000000000", "command step_up 5"),
    ]

    private static let btHomeMessages = [
        btHome("bthome.io/format", "4002c40903bf13", "temperature 25 °C, humidity 50.55 %"),
        btHome("bthome.io/format", "400009", "", counter: 9),
        // bthome-ble, tests/test_parser_v2.py.
        btHome(
            "test_shelly_blu_ht_display_zb", "40002e01641e012e34451601",
            "battery 100 %, light true, humidity 52 %, temperature 27.8 °C", counter: 0x2E),
        btHome("test_has_incorrect_version", "e102000c0404138a01", "", problem: .unsupportedVersion(7)),
        btHome("test_incorrect_bthome_version", "00", "", problem: .unsupportedVersion(0)),
        btHome("test_bthome_wrong_object_id", "40feca09", "", problem: .unknownObject(0xFE)),
        btHome(
            "test_bthome_battery_wrong_object_id_humidity", "40015dfe5d0903b718", "battery 93 %",
            problem: .unknownObject(0xFE)),
        btHome(
            "test_bthome_with_mac", "42b2188d38c1a404138a01", "pressure 100883 Pa", address: "A4:C1:38:8D:18:B2"),
        btHome(
            "test_bthome_packet_id_temperature_humidity_battery", "400009015d025d0903b718",
            "battery 93 %, temperature 23.97 °C, humidity 63.27 %", counter: 9),
        btHome(
            "test_bthome_event_triple_button_device", "403a003a013a03", "", "button press #2, button triple_press #3"),
        btHome("bthome-ble 3.25, event.py", "403a81", "", "button hold_release"),
        btHome("test_bthome_invalid_button_event", "403afe", "", problem: .unknownObject(0x3A)),
        btHome("test_bthome_text_invalid", "44530187", "", problem: .malformed),
        btHome(
            "test_bthome_triple_temperature_double_humidity_battery", "4002ca0902cf0902cf0803b71803b717015d",
            "temperature 25.06 °C, temperature 25.11 °C, temperature 22.55 °C, humidity 63.27 %, humidity 60.71 %, "
                + "battery 93 %"),
        btHome(
            "test_bthome_double_voltage_different_object_id", "4000010b0000004a0d0901330ce90c",
            "power 0 W, voltage 231.7 V, battery 51 %, voltage 3.305 V", counter: 1),
        btHome("test_bthome_shelly_button", "40005201643a01", "battery 100 %", "button press", counter: 0x52),
        btHome("test_bthome_shelly_button_no_press", "440023015e3a00", "battery 94 %", counter: 0x23),
        btHome(
            "test_bthome_not_sending_object_ids_in_numerical_order", "4003bf1302ca09",
            "humidity 50.55 %, temperature 25.06 °C"),
        btHome(
            "test_bthome_invalid_object_payload_data_length", "4002ca0903bf", "temperature 25.06 °C",
            problem: .truncated),
        btHome(
            "test_bthome_direction_precipitation", "405e3f755f11d5", "direction 300.15 °, precipitation 5454.5 mm"),
    ]

    private static let btHomeEncrypted = [
        // bthome.io/encryption, with the counter 0x00112233.
        btHome(
            "bthome.io/encryption", "41e445f3c9962b332211006c7c4519", "temperature 25.06 °C, humidity 50.55 %",
            counter: 0x0011_2233, address: "54:48:E6:8F:80:A5", key: "231d39c1d7cc1ab1aee224cd096db932"),
        // bthome-ble, tests/test_parser_v2.py.
        btHome(
            "test_bindkey_correct", "41a47266c95f730011223378237214", "temperature 25.06 °C, humidity 50.55 %",
            counter: 0x3322_1100, address: "54:48:E6:8F:80:A5", key: "231d39c1d7cc1ab1aee224cd096db932"),
        btHome(
            "test_encryption_key_needed", "41d2fcefe52eb212d600112233bc38c966", "", counter: 0x3322_1100,
            problem: .encrypted, address: "54:48:E6:8F:80:A5"),
        btHome(
            "test_bindkey_wrong", "41d2fcefe52eb212d600112233bc38c966", "", counter: 0x3322_1100, problem: .wrongKey,
            address: "54:48:E6:8F:80:A5", key: "814aac74c4f17b6c1581e1ab87816b99"),
        btHome(
            "test_bthome_with_mac_encrypted", "43a5808fe64854f196c06ffb4900112233f08ecbde",
            "temperature 25.06 °C, humidity 50.55 %", counter: 0x3322_1100, address: "54:48:E6:8F:80:A5",
            key: "231d39c1d7cc1ab1aee224cd096db932"),
        btHome(
            "test_bthome_motion", "4187b90011223372b0231f", "motion true", counter: 0x3322_1100,
            address: "54:48:E6:8F:80:A5", key: "231d39c1d7cc1ab1aee224cd096db932"),
        btHome(
            "test_encrypted_shelly_blu_button_event", "450aeb84467f85ba0100003188788c", "battery 100 %", "button press",
            counter: 7, address: "B4:35:22:F5:3D:A4", key: "90bffd73cb6b26ef58a7a8eba9232036"),
        btHome(
            "test_too_short_encryption_advertisement", "41ba0db07aeef600", "", problem: .truncated,
            address: "54:48:E6:8F:80:A5", key: "231d39c1d7cc1ab1aee224cd096db932"),
    ]
}
