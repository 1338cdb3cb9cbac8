import BlueZPrintableText

/// AltBeacon (AltBeacon Protocol Specification v1.0), in the manufacturer data of any company:
///
/// | Offset | Field |
/// | --- | --- |
/// | 0 | the beacon code 0xBEAC, with the high byte first |
/// | 2 | the identifier of 20 bytes |
/// | 22 | the average signal strength at 1 m, a signed byte in dBm |
/// | 23 | a byte for the manufacturer |
struct AltBeaconFormat: AdvertisementFormat {
    let sources: [AdvertisementSource] = [.anyManufacturer]

    func decode(_ payload: AdvertisementPayload) -> [AdvertisementPart] {
        guard payload.bytes.starts(with: [0xBE, 0xAC]) else { return [] }
        var part = AdvertisementPart("AltBeacon", of: payload)
        part.read(payload.bytes.dropFirst(2)) { part, reader throws(AdvertisementProblem) in
            part.add(.beaconIdentifier, String(hexadecimal: try reader.bytes(20)))
            part.add(.measuredPower, Double(try reader.bigSigned(1)), .decibelMilliwatt)
            part.add(.manufacturerByte, Double(try reader.bigUnsigned(1)))
        }
        return [part]
    }
}
