@testable import BlueZAdvertisements

extension Vector {
    /// Formats of which only the name is known: the first bytes of what the documents describe.
    static let named: [Vector] = [
        named("ble_monitor, test_ibeacon_parser.py", .manufacturer(0x004C), "1005441cbd08c5", "Apple Nearby Info"),
        named(
            "ble_monitor, test_ibeacon_parser.py", .manufacturer(0x004C), "0f06a033bd08c5001002440c",
            "Apple Nearby Info"),
        named("furiousMAC/continuity, findmy.md", .manufacturer(0x004C), "12020001", "Apple Find My"),
        named("furiousMAC/continuity, a type that it doesn't have", .manufacturer(0x004C), "ee00", "Apple 0xee"),
        named(
            "MS-CDP, 2.2.2.2.3", .manufacturer(0x0006), "01092002d7b0c1a4\(String(repeating: "11", count: 16))",
            "Microsoft CDP"),
        named("Bluetooth Swift Pair", .manufacturer(0x0006), "030080", "Microsoft Swift Pair"),
        named("Bluetooth Swift Pair", .manufacturer(0x0006), "", "Microsoft"),
        named(
            "beacontools, test_exposure_notification", .service(0xFD6F), "0d3b4f65584c582160571dd19010d41c2660ee34",
            "Exposure Notification"),
        named("Assigned Numbers: Fast Pair", .service(0xFE2C), "123456", "Google Fast Pair"),
        named("Assigned Numbers: Mesh", .service(0x1827), String(repeating: "00", count: 18), "Mesh Provisioning"),
        named("Assigned Numbers: Mesh", .service(0x1828), "000102030405060708", "Mesh Proxy"),
        named("Matter: commissionable", .service(0xFFF6), "00000ff1ff018000", "Matter"),
        named("Assigned Numbers: Samsung", .service(0xFD5A), "13", "Samsung SmartTag"),
        named("Assigned Numbers: Google", .service(0xFEF3), "4a", "Google Nearby"),
        named("Detecting Unwanted Location Trackers", .service(0xFCB2), "0100", "Location Tracker"),
    ]

    private static func named(
        _ document: String, _ source: AdvertisementSource, _ digits: String, _ format: String
    ) -> Vector {
        Vector(
            document: document, source: source, digits: digits, format: format, readings: "", problem: .nameOnly)
    }
}
