import BlueZPrintableText

@testable import BlueZAdvertisements

extension Vector {
    /// iBeacon and AltBeacon: from public tests, as Apple's text and the AltBeacon specification have no example.
    static let beacons: [Vector] = [
        Vector(
            document: "ble_monitor, test_ibeacon_parser.py", source: .manufacturer(0x004C),
            digits: "0215e2c56db5dffb48d2b060d0f5a71096e000640000c5", format: "iBeacon",
            readings: "uuid e2c56db5-dffb-48d2-b060-d0f5a71096e0, major 100, minor 0, measuredPower -59 dBm"),
        Vector(
            document: "beacontools, test_ibeacon", source: .manufacturer(0x004C),
            digits: "02154142434445464748494041424344454600010002f8", format: "iBeacon",
            readings: "uuid 41424344-4546-4748-4940-414243444546, major 1, minor 2, measuredPower -8 dBm"),
        Vector(
            document: "ble_monitor, test_altbeacon_parser.py", source: .manufacturer(0xFFFF),
            digits: "beacd3162f5af3ee494799db09756062d0fc005a0005c400", format: "AltBeacon",
            readings:
                "beaconIdentifier d3162f5af3ee494799db09756062d0fc005a0005, measuredPower -60 dBm, manufacturerByte 0"
        ),
        Vector(
            document: "AltBeacon/spec, the limits of its fields", source: .manufacturer(0x0118),
            digits: "beac000102030405060708090a0b0c0d0e0f1011121381ff", format: "AltBeacon",
            readings:
                "beaconIdentifier 000102030405060708090a0b0c0d0e0f10111213, measuredPower -127 dBm, manufacturerByte 255"
        ),
        Vector(
            document: "ble_monitor, test_ibeacon_parser.py, without its end", source: .manufacturer(0x004C),
            digits: "1005441cbd08", format: "Apple Nearby Info", readings: "", problem: .truncated),
    ]

    /// Eddystone: the examples of its specifications, and frames of public tests.
    static let eddystone: [Vector] =
        [
            eddystone(
                "beacontools, test_eddystone_uid", "00e3123456789012346789010000000000010000", "Eddystone-UID",
                "txPower -29 dBm, namespace 12345678901234678901, instance 000000000001"),
            eddystone(
                "eddystone-uid: the namespace of an UUID, without reserved bytes",
                "00ee8b0ca750095477cb3e77000000000001",
                "Eddystone-UID", "txPower -18 dBm, namespace 8b0ca750095477cb3e77, instance 000000000001"),
            eddystone(
                "beacontools, test_eddystone_url", "10f8036769746875620063697472757a", "Eddystone-URL",
                "txPower -8 dBm, url https://github.com/citruz"),
            eddystone(
                "eddystone-url: https://goo.gl/Aq18zF, +18 dBm", "101203676f6f2e676c2f417131387a46", "Eddystone-URL",
                "txPower 18 dBm, url https://goo.gl/Aq18zF"),
            eddystone(
                "eddystone-url: https://goo.gl/S6zT6P, -18 dBm", "10ee03676f6f2e676c2f53367a543650", "Eddystone-URL",
                "txPower -18 dBm, url https://goo.gl/S6zT6P"),
            eddystone(
                "beacontools, test_eddystone_tlm", "20000b1813000000146700002ac4", "Eddystone-TLM",
                "voltage 2.84 V, temperature 19 °C, advertisingCount 5223, uptime 1094.8 s"),
            eddystone(
                "beacontools, test_eddystone_tlm2", "20000b1847110000146700002ac4", "Eddystone-TLM",
                "voltage 2.84 V, temperature 71.06640625 °C, advertisingCount 5223, uptime 1094.8 s"),
            eddystone(
                "eddystone-tlm: neither voltage nor temperature", "200000008000000000010000000a", "Eddystone-TLM",
                "advertisingCount 1, uptime 1 s"),
            eddystone(
                "beacontools, test_eddystone_tlm_enc", "2001414141414141414141414141deadbeff", "Eddystone-TLM", "",
                problem: .encrypted),
            eddystone(
                "eddystone-tlm: another version", "20020b1813000000146700002ac4", "Eddystone-TLM", "",
                problem: .unsupportedVersion(2)),
            eddystone(
                "beacontools, test_eddystone_eid", "30e34549445f74657374", "Eddystone-EID",
                "txPower -29 dBm, ephemeralIdentifier 4549445f74657374"),
            eddystone(
                "Find Hub Network Accessory Specification", "40\(String(repeating: "5a", count: 21))",
                "Google Find Hub", "", problem: .nameOnly),
            eddystone(
                "Find Hub Network Accessory Specification", "41\(String(repeating: "5a", count: 21))",
                "Google Find Hub", "", problem: .nameOnly),
            eddystone("beacontools, test_bad_packets", "01e3123456", "Eddystone", "", problem: .unknownObject(1)),
        ] + eddystoneSchemes + eddystoneDomains + eddystoneReserved

    /// The table "URL Scheme Prefix".
    private static let eddystoneSchemes =
        ["http://www.", "https://www.", "http://", "https://"].enumerated().map { scheme, text in
            eddystone(
                "eddystone-url: schemes", "10000\(scheme)6107", "Eddystone-URL", "txPower 0 dBm, url \(text)a.com")
        }

    /// The table "Eddystone-URL HTTP URL encoding".
    private static let eddystoneDomains =
        [
            ".com/", ".org/", ".edu/", ".net/", ".info/", ".biz/", ".gov/", ".com", ".org", ".edu", ".net", ".info",
            ".biz", ".gov",
        ].enumerated().map { code, text in
            eddystone(
                "eddystone-url: codes", "10000261" + String(hexadecimal: UInt8(code), digits: 2), "Eddystone-URL",
                "txPower 0 dBm, url http://a\(text)")
        }

    private static let eddystoneReserved =
        ["04", "020e", "0220", "027f", "02ff"].map {
            eddystone(
                "eddystone-url: reserved codes", "1000\($0)", "Eddystone-URL", "txPower 0 dBm", problem: .malformed)
        } + [eddystone("eddystone-url: no URL", "100002", "Eddystone-URL", "txPower 0 dBm", problem: .truncated)]

    private static func eddystone(
        _ document: String, _ digits: String, _ format: String, _ readings: String, problem: AdvertisementProblem? = nil
    ) -> Vector {
        Vector(
            document: document, source: .service(0xFEAA), digits: digits, format: format, readings: readings,
            problem: problem)
    }
}
