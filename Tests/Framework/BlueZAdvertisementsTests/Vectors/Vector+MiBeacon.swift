@testable import BlueZAdvertisements

extension Vector {
    /// Advertisements in the tests of xiaomi-ble (tests/test_parser.py) and of Theengs decoder (tests/BLE/test_ble.cpp).
    static let miBeacon: [Vector] = miBeaconSensors + miBeaconButtons

    private static let miBeaconSensors = [
        mi(
            "test_blank_advertisements_then_encrypted", "30585b0502483cd438c1a408", "product 1371", counter: 2,
            address: "A4:C1:38:D4:3C:48"),
        mi(
            "test_blank_advertisements_then_unencrypted", "3120980012f34f6b8d7cc40d", "product 152", counter: 18,
            address: "C4:7C:8D:6B:4F:F3"),
        mi(
            "test_encryption_needs_v2", "5830b603d28b98c54124f8c3491476757e00000099", "product 950", counter: 210,
            problem: .encrypted, address: "F8:24:41:C5:98:8B"),
        mi(
            "test_encryption_needs_v5", "5858480b685f12342d585a0b1841e2aa000e00a4964fb5", "product 2888", counter: 104,
            problem: .encrypted, address: "5A:58:2D:34:12:5F"),
        mi(
            "test_bindkey_wrong", "58598d0a170fc4e044ef547cc27a5c03a1000000790df258", "product 2701", counter: 23,
            problem: .wrongKey, address: "54:EF:44:E0:C4:0F", key: "814aac74c4f17b6c1581e1ab87816b99"),
        mi(
            "test_bindkey_wrong_legacy", "5830b603d28b98c54124f8c3491476757e00000099", "product 950", counter: 210,
            problem: .wrongKey, address: "F8:24:41:C5:98:8B", key: "b853075158487aa39a5b5ea9"),
        mi(
            "test_Xiaomi_unknown_device_logs_product_id", "5020ffffa3bf2e3b342d580d1004b40095020a10013b",
            "product 65535, temperature 18 °C, humidity 66.1 %, battery 59 %", counter: 163,
            address: "58:2D:34:3B:2E:BF"),
        mi(
            "test_Xiaomi_LYWSDCGQ", "5020aa01a3bf2e3b342d580d1004b40095020a10013b",
            "product 426, temperature 18 °C, humidity 66.1 %, battery 59 %", counter: 163, address: "58:2D:34:3B:2E:BF"),
        mi(
            "test_Xiaomi_CGG1", "5858480b685f12342d585a0b1841e2aa000e00a4964fb5", "product 2888, humidity 59.6 %",
            counter: 104, address: "5A:58:2D:34:12:5F", key: "814aac74c4f17b6c1581e1ab87816b99"),
        mi(
            "test_Xiaomi_CGDK2", "58586f0607892012342d585f176dd54f0200002fa453fa", "product 1647, temperature 22.6 °C",
            counter: 7, address: "58:2D:34:12:20:89", key: "a3bfe9853dd85a620debe3620caaa351"),
        mi(
            "test_Xiaomi_CGDK3", "4858594fef546f0e7450729321010038d74333", "product 20313, temperature 23.8 °C",
            counter: 239, address: "58:2D:34:87:94:0C", key: "872ea1bb02ba9713e885cb054c537368"),
        mi(
            "test_Xiaomi_LYWSD03MMC", "50305b05034c94b438c1a40d10041001ea01",
            "product 1371, temperature 27.2 °C, humidity 49 %", counter: 3, address: "A4:C1:38:B4:94:4C"),
        mi(
            "test_Xiaomi_LYWSD02MMC", "5858e4162c84535638c1a42b6ef2e91200006c884d9e", "product 5860, humidity 58 %",
            counter: 44, address: "A4:C1:38:56:53:84", key: "a115210eed7a88e50ad52662e732a9fb"),
        mi(
            "test_Xiaomi_LYWSD02MMC_v2_temperature", "4858422529202d8c7a76b756a82a0078b8224e",
            "product 9538, temperature 26.1 °C", counter: 41, address: "A4:C1:38:0E:FD:78",
            key: "19b1c678ab0a8bc3dc77765f059188d4"),
        mi(
            "test_Xiaomi_LYWSD02MMC_v2_humidity", "585842258878fd0e38c1a405f6538aa72a0062b1a966",
            "product 9538, humidity 38 %", counter: 136, address: "A4:C1:38:0E:FD:78",
            key: "19b1c678ab0a8bc3dc77765f059188d4"),
        mi(
            "test_Xiaomi_LYWSD03MMC_encrypted", "58585b0550f4830238c1a495ef58763c26000097e2abb5",
            "product 1371, humidity 46.7 %", counter: 80, address: "A4:C1:38:02:83:F4",
            key: "e9ea895fac7cca6d30532432a516f3a8"),
        mi(
            "test_Xiaomi_XMWSDJ04MMC", "48590312a41b776e7c96add7000000f2bf545b", "product 4611, humidity 45 %",
            counter: 164, address: "2C:11:65:25:70:04", key: "b2cf9a553d53571b5657defd582d676e"),
        mi(
            "test_Xiaomi_XMMF01JQD", "5030e1048e54d3e63053e2011003010000", "product 1249", "dimmer rotate_left",
            counter: 142, address: "E2:53:30:E6:D3:54"),
        mi(
            "test_Xiaomi_JQJCY01YM1", "5040df0201df02008d7cc41010027d00", "product 735, formaldehyde 1.25 mg/m³",
            counter: 1, address: "C4:7C:8D:00:02:DF"),
        mi(
            "test_Xiaomi_JTYJGD03MI_smoke", "5859970966bc9ce344ef5401081205000000715ebe90", "product 2455, smoke true",
            counter: 102, address: "54:EF:44:E3:9C:BC", key: "5b51a7c91cde6707c9ef18dfda143a58"),
        mi(
            "test_Xiaomi_JTYJGD03MI_press", "5859970964bc9ce344ef5422206088fd000000003a148fb3", "product 2455",
            "button press", counter: 100, address: "54:EF:44:E3:9C:BC", key: "5b51a7c91cde6707c9ef18dfda143a58"),
        mi(
            "test_Xiaomi_HHCCJCY01", "7120980012f34f6b8d7cc40d041002c400", "product 152, temperature 19.6 °C",
            counter: 18, address: "C4:7C:8D:6B:4F:F3"),
        mi(
            "test_Xiaomi_GCLS002", "7120bc03cd3e596d8d7cc40d0410023c01", "product 956, temperature 31.6 °C",
            counter: 205, address: "C4:7C:8D:6D:59:3E"),
        mi(
            "test_Xiaomi_HHCCPOT002", "71205d01015d01008d7cc40d081001400910025702",
            "product 349, moisture 64 %, conductivity 599 µS/cm", counter: 1, address: "C4:7C:8D:00:01:5D"),
        mi(
            "test_Xiaomi_WX08ZM", "50400a04010a04008d7cc41310015a", "product 1034, consumable 90 %", counter: 1,
            address: "C4:7C:8D:00:04:0A"),
        mi(
            "test_Xiaomi_MCCGQ02HL", "58588b09a3ae2181ecaae40e2c553c040000d28a500c",
            "product 2443, opening true, leftOpen true", counter: 163, address: "E4:AA:EC:81:21:AE",
            key: "017e52d2684779298709b117c0a75a7b"),
        mi(
            "test_Xiaomi_CGH1", "5040d60301d6030a38c1a419100100", "product 982, opening true", counter: 1,
            address: "A4:C1:38:0A:03:D6"),
        mi(
            "test_Xiaomi_SJWS01LM", "504063080101630838c1a4011003000000", "product 2147", "button press", counter: 1,
            address: "A4:C1:38:08:63:01"),
        mi(
            "test_Xiaomi_MJWSD06MMC_temperature", "4859b5553a8699bda053448f1200005b046d6a",
            "product 21941, temperature 25.2 °C", counter: 58, address: "A4:C1:38:80:15:07",
            key: "4d8f1373fb4d3bab557d0ebd1c78f8c4"),
        mi(
            "test_Xiaomi_MJWSD06MMC_humidity", "5859b5553407158038c1a4bcc732980e000066960f10",
            "product 21941, humidity 39 %", counter: 52, address: "A4:C1:38:80:15:07",
            key: "4d8f1373fb4d3bab557d0ebd1c78f8c4"),
        mi(
            "test_Xiaomi_MJWSD06MMC_new_hw_revision", "4859ea5b3ae4da12e2b1fbf512000042b29f50",
            "product 23530, temperature 25.2 °C", counter: 58, address: "A4:C1:38:80:15:07",
            key: "4d8f1373fb4d3bab557d0ebd1c78f8c4"),
        mi(
            "test_Xiaomi_ESM787_discovery", "1059db780df4f80238c1a4", "product 30939", counter: 13,
            address: "A4:C1:38:02:F8:F4"),
        mi(
            "test_Xiaomi_ESM787_temperature_humidity", "5059db780df4f80238c1a40d1004eb00e701",
            "product 30939, temperature 23.5 °C, humidity 48.7 %", counter: 13, address: "A4:C1:38:02:F8:F4"),
        mi(
            "test_Xiaomi_MJYD02YL", "5040f6070101f60738c1a40f0003640000", "product 2038, light true", "motion detected",
            counter: 1, address: "A4:C1:38:07:F6:01"),
        mi(
            "test_Xiaomi_MUE4094RT", "4030dd032403000101", "product 989", "motion detected", counter: 36,
            address: "DE:70:E8:B2:39:0C"),
        mi(
            "test_Xiaomi_CGPR1", "5040830a0183000a38c1a40f0003640000", "product 2691, illuminance 100 lx",
            "motion detected", counter: 1, address: "A4:C1:38:0A:00:83"),
        mi(
            "test_Xiaomi_MMC_T201_1", "7022db006fc16fddf9810009002005c60d630d51",
            "product 219, skinTemperature 35.26 °C, boardTemperature 34.27 °C, battery 81 %", counter: 111,
            address: "00:81:F9:DD:6F:C1"),
        mi(
            "test_Xiaomi_MMC_W505", "702291030fdbab531824d0090a0002750d07", "product 913, temperature 34.45 °C",
            counter: 15, problem: .truncated, address: "D0:24:18:53:AB:DB"),
        mi(
            "test_Xiaomi_M1S_T500", "7130890437115b174371e6091000020003", "product 1161, count 3", "toothbrush start",
            counter: 55, address: "E6:71:43:17:5B:11"),
        mi(
            "test_Xiaomi_T700", "48580608c9480ef11281079733fc1400005644db41",
            "product 2054, timestamp 1688035843 s, score 83", "toothbrush end", counter: 201,
            address: "ED:DE:34:3F:48:0C", key: "1330b99cded13258acc391627e9771f7"),
        mi(
            "test_Xiaomi_ZNMS16LM_fingerprint", "50449e0642918aeb441fd7060005ffffffff00",
            "product 1694, keyIdentifier 4294967295", "fingerprint matched", counter: 66, address: "D7:1F:44:EB:8A:91"),
        mi(
            "test_Xiaomi_ZNMS16LM_fingerprint_low_quality", "50449e0642918aeb441fd70600050000000003",
            "product 1694, keyIdentifier 0", "fingerprint low_quality", counter: 66, address: "D7:1F:44:EB:8A:91"),
        mi(
            "test_Xiaomi_ZNMS16LM_lock", "50449e0643918aeb441fd70b000920020001807c442f61",
            "product 1694, keyIdentifier 2147549186, lockMethod biometrics", "lock unlocked_outside", counter: 67,
            address: "D7:1F:44:EB:8A:91"),
        mi(
            "test_Xiaomi_Lockin_SV40_lock", "4855c211165068b6fe3c878095c8a5834f000000463221c6",
            "product 4546, keyIdentifier 0, lockMethod automatic", "lock unlocked_inside", counter: 22,
            address: "98:0C:33:A3:04:3D", key: "54d84797cb77f9538b224b305c877d1e"),
        mi(
            "test_Xiaomi_Lockin_SV40_door", "4855c211144e28703276fccd3d00000080e72280", "product 4546", "door closed",
            counter: 20, address: "98:0C:33:A3:04:3D", key: "54d84797cb77f9538b224b305c877d1e"),
        mi(
            "test_Xiaomi_YLAI003", "5040bf070101bf0738c1a4011003000000", "product 1983", "button press", counter: 1,
            address: "A4:C1:38:07:BF:01"),
        mi(
            "Theengs: Qingping round sensor Mi v4", "5058480b5ddc3312342d580d1004ed005b02",
            "product 2888, temperature 23.7 °C, humidity 60.3 %", counter: 93),
        mi(
            "Theengs: Qingping round sensor Mi v4", "5058480b70dc3312342d580a100148", "product 2888, battery 72 %",
            counter: 112),
        mi(
            "Theengs: ClearGrass round sensor Mi v4", "5030470341ffeeddccbbaa0410021201",
            "product 839, temperature 27.4 °C", counter: 65),
        mi(
            "Theengs: ClearGrass round sensor Mi v4", "503047036affeeddccbbaa061002ee01",
            "product 839, humidity 49.4 %", counter: 106),
        mi("Theengs: ClearGrass clock", "70205b0485ffeeddccbbaa090a100108", "product 1115, battery 8 %", counter: 133),
        mi(
            "Theengs: Mi flora", "712098004a63b6658d7cc40d071003f32600", "product 152, illuminance 9971 lx", counter: 74
        ),
        mi("Theengs: Mi flora", "712098005763b6658d7cc40d0810011e", "product 152, moisture 30 %", counter: 87),
        mi("Theengs: Mi flora", "712098000163b6658d7cc40d0410024001", "product 152, temperature 32 °C", counter: 1),
    ]

    static func mi(
        _ document: String, _ digits: String, _ readings: String, _ events: String = "", counter: UInt32?,
        problem: AdvertisementProblem? = nil, address: String? = nil, key: String? = nil
    ) -> Vector {
        Vector(
            document: document, source: .service(0xFE95), digits: digits, format: "MiBeacon", readings: readings,
            events: events, counter: counter, problem: problem, address: address, key: key)
    }
}
