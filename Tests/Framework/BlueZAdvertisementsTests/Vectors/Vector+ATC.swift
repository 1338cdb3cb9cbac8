@testable import BlueZAdvertisements

extension Vector {
    static let atc: [Vector] = [
        // ble_monitor, test_atc_parser.py.
        atc(
            "test_atc_atc1441", "a4c1380283f400a22f5f0bf819", "ATC",
            "temperature 16.2 °C, humidity 47 %, battery 95 %, voltage 3.064 V", counter: 25,
            address: "A4:C1:38:02:83:F4"),
        atc(
            "test_atc_atc1441_ext", "a4c138bc7c4e0102284f0b6720", "ATC",
            "temperature 25.8 °C, humidity 40 %, battery 79 %, voltage 2.919 V", counter: 32),
        atc(
            "test_atc_custom", "f4830238c1a4a9066911b60b58f70d", "pvvx",
            "temperature 17.05 °C, humidity 44.57 %, voltage 2.998 V, battery 88 %, digitalInput true, "
                + "digitalOutput false", counter: 247, address: "A4:C1:38:02:83:F4"),
        atc(
            "test_atc_custom_v2_9", "b2188d38c1a42b089011f70a43200f", "pvvx",
            "temperature 20.91 °C, humidity 44.96 %, voltage 2.807 V, battery 67 %, digitalInput true, "
                + "digitalOutput true", counter: 32),
        atc(
            "test_atc_custom_ext", "8b376338c1a4ce0913107f0b521204", "pvvx",
            "temperature 25.1 °C, humidity 41.15 %, voltage 2.943 V, battery 82 %, digitalInput false, "
                + "digitalOutput false", counter: 18),
        atc(
            "test_atc_custom_encrypted", "11d603fbfa7b6dfb1e26fd", "pvvx",
            "temperature 23.45 °C, humidity 41.73 %, battery 61 %, digitalInput false, digitalOutput false",
            counter: 17,
            address: "A4:C1:38:8D:18:B2", key: "b9ea895fac7eea6d30532432a516f3a3"),
        // Theengs decoder, tests/BLE/test_ble.cpp.
        atc(
            "Qingping round sensor ATC441", "582d341233dc00e03e490b2c2e", "ATC",
            "temperature 22.4 °C, humidity 62 %, battery 73 %, voltage 2.86 V", counter: 46),
        atc(
            "LYWSD03MMC_ATC", "a4c138d5d498ffd33e510b7b62", "ATC",
            "temperature -4.5 °C, humidity 62 %, battery 81 %, voltage 2.939 V", counter: 98),
        atc(
            "LYWSD03MMC_PVVX", "5601cf38c1a462fdbd13470c64cc0f", "pvvx",
            "temperature -6.7 °C, humidity 50.53 %, voltage 3.143 V, battery 100 %, digitalInput true, "
                + "digitalOutput true", counter: 204, address: "A4:C1:38:CF:01:56"),
        atc(
            "LYWSD03MMC_PVVX_ENCR", "23ef56583dd42050fe8e4d", "pvvx", "", counter: 35, problem: .encrypted,
            address: "A4:C1:38:9C:58:AB"),
        // pvvx, custom_beacon.h: an older firmware, without flags.
        atc(
            "custom_beacon.c, without SERVICE_TH_TRG", "8b376338c1a4ce0913107f0b5212", "pvvx",
            "temperature 25.1 °C, humidity 41.15 %, voltage 2.943 V, battery 82 %", counter: 18),
    ]

    static func atc(
        _ document: String, _ digits: String, _ format: String, _ readings: String, counter: UInt32? = nil,
        problem: AdvertisementProblem? = nil, address: String? = nil, key: String? = nil
    ) -> Vector {
        Vector(
            document: document, source: .service(0x181A), digits: digits, format: format, readings: readings,
            counter: counter, problem: problem, address: address, key: key)
    }
}
