/// Formats whose content is secret, changes all the time, or is of no use without a connection: they are told by the
/// number of their service, or in Microsoft's manufacturer data by the first byte.
struct NamedFormats: AdvertisementFormat {
    let sources: [AdvertisementSource] = [.manufacturer(0x0006)] + services.keys.map { .service($0) }

    func decode(_ payload: AdvertisementPayload) -> [AdvertisementPart] {
        var part = AdvertisementPart(Self.name(payload), of: payload)
        part.problem = .nameOnly
        return [part]
    }

    private static func name(_ payload: AdvertisementPayload) -> String {
        if case .service(let uuid) = payload.source, let name = services[uuid] { return name }
        return payload.bytes.first.flatMap { microsoft[$0] } ?? "Microsoft"
    }

    /// Numbers that the Bluetooth SIG assigned (Assigned Numbers, 3.4.2 and 3.10), with the names of their
    /// specifications: Exposure Notification by Apple and Google, Google's Fast Pair, the Mesh Profile, Matter's
    /// commissioning, and the trackers of Samsung and of the draft "Detecting Unwanted Location Trackers".
    private static let services: [BluetoothUUID: String] = [
        0x1827: "Mesh Provisioning", 0x1828: "Mesh Proxy", 0xFCB2: "Location Tracker", 0xFD5A: "Samsung SmartTag",
        0xFD6F: "Exposure Notification", 0xFE2C: "Google Fast Pair", 0xFEF3: "Google Nearby", 0xFFF6: "Matter",
    ]

    /// The Connected Devices Platform (MS-CDP, 2.2.2.2.3) and Swift Pair ("Bluetooth Swift Pair", Microsoft Learn).
    private static let microsoft: [UInt8: String] = [0x01: "Microsoft CDP", 0x03: "Microsoft Swift Pair"]
}
