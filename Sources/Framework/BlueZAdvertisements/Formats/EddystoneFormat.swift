import BlueZPrintableText

/// Eddystone (the specifications in the repository google/eddystone), in the data of the service 0xFEAA. All numbers have
/// the high byte first. The first byte is the type of the frame:
///
/// | Type | Frame | Content |
/// | --- | --- | --- |
/// | 0x00 | UID | power at 0 m in dBm, namespace of 10 bytes, instance of 6 bytes, two reserved bytes or none |
/// | 0x10 | URL | power at 0 m in dBm, scheme, and a byte for each character or domain |
/// | 0x20 | TLM | version; if 0: battery in mV, temperature in 1/256 °C, packets, tenths of a second since the start |
/// | 0x30 | EID | power at 0 m in dBm, identifier of 8 bytes |
/// | 0x40, 0x41 | Find Hub | Google's network for lost devices (Find Hub Network Accessory Specification) |
///
/// An encrypted TLM (version 1) uses EAX, and a time that only its registrar knows.
struct EddystoneFormat: AdvertisementFormat {
    let sources: [AdvertisementSource] = [.service(0xFEAA)]

    func decode(_ payload: AdvertisementPayload) -> [AdvertisementPart] {
        let type = payload.bytes.first
        var part = AdvertisementPart(type.flatMap { Self.names[$0] } ?? "Eddystone", of: payload)
        part.read(payload.bytes.dropFirst()) { part, reader throws(AdvertisementProblem) in
            switch type {
            case 0x00:
                part.add(.txPower, Double(try reader.bigSigned(1)), .decibelMilliwatt)
                part.add(.namespace, String(hexadecimal: try reader.bytes(10)))
                part.add(.instance, String(hexadecimal: try reader.bytes(6)))
            case 0x10:
                part.add(.txPower, Double(try reader.bigSigned(1)), .decibelMilliwatt)
                part.add(.url, try Self.url(&reader))
            case 0x20: try Self.readTelemetry(&part, &reader)
            case 0x30:
                part.add(.txPower, Double(try reader.bigSigned(1)), .decibelMilliwatt)
                part.add(.ephemeralIdentifier, String(hexadecimal: try reader.bytes(8)))
            case 0x40, 0x41: throw .nameOnly
            case let type?: throw .unknownObject(UInt16(type))
            case nil: throw .truncated
            }
        }
        return [part]
    }

    private static let names: [UInt8: String] = [
        0x00: "Eddystone-UID", 0x10: "Eddystone-URL", 0x20: "Eddystone-TLM", 0x30: "Eddystone-EID",
        0x40: "Google Find Hub", 0x41: "Google Find Hub",
    ]

    private static func readTelemetry(
        _ part: inout AdvertisementPart, _ reader: inout ByteReader
    ) throws(AdvertisementProblem) {
        switch try reader.bigUnsigned(1) {
        case 0: break
        case 1: throw .encrypted
        case let version: throw .unsupportedVersion(version)
        }
        // Zero if the beacon doesn't measure it.
        let millivolts = try reader.bigUnsigned(2)
        if millivolts != 0 { part.add(.voltage, Double(millivolts) / 1000, .volt) }
        // -128 °C if the beacon doesn't measure it.
        let temperature = try reader.bigSigned(2)
        if temperature != -0x8000 { part.add(.temperature, Double(temperature) / 256, .celsius) }
        part.add(.advertisingCount, Double(try reader.bigUnsigned(4)))
        part.add(.uptime, Double(try reader.bigUnsigned(4)) / 10, .second)
    }

    private static func url(_ reader: inout ByteReader) throws(AdvertisementProblem) -> String {
        let scheme = try reader.bigUnsigned(1)
        guard scheme < schemes.count else { throw .malformed }
        guard !reader.rest.isEmpty else { throw .truncated }
        var url = schemes[scheme]
        for byte in reader.rest {
            switch Int(byte) {
            case ..<domains.count: url += "." + domains[Int(byte)] + "/"
            case ..<(2 * domains.count): url += "." + domains[Int(byte) - domains.count]
            case 0x21..<0x7F: url.unicodeScalars.append(Unicode.Scalar(byte))
            default: throw .malformed
            }
        }
        return url
    }

    private static let schemes = ["http://www.", "https://www.", "http://", "https://"]
    private static let domains = ["com", "org", "edu", "net", "info", "biz", "gov"]
}
