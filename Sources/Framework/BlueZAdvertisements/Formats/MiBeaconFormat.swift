/// Xiaomi's MiBeacon, versions 2 to 5, in the data of the service 0xFE95. Xiaomi describes the frame to makers of
/// devices; objects, legacy encryption and the meaning for each product were reverse-engineered by others (pvvx's
/// collection InfoMijiaBLE, and the library xiaomi-ble).
///
/// | Field | Size in bytes | Present if |
/// | --- | --- | --- |
/// | frame control: bits 3 to 7 encrypted, address, capability, object, mesh; 12 to 15 the version | 2 | always |
/// | product | 2 | always |
/// | frame counter | 1 | always |
/// | address, the low byte first | 6 | bit 4 |
/// | capability | 1, and 2 more if its bit 5 is set | bit 5 |
/// | objects: a number of two bytes, a length of one byte, a value | the rest | bit 6 |
///
/// All numbers have the low byte first. In versions 4 and 5, encrypted objects are followed by three random bytes and a
/// check value of four bytes; the nonce is the address, product, frame counter and random bytes. In versions 2 and 3,
/// three random bytes and another follow, without a check value: whether the key is right shows only in the result. The
/// nonce is the first five bytes, the random bytes, and the lower five of the address. The key has 12 bytes, and four
/// fixed ones in its middle.
struct MiBeaconFormat: AdvertisementFormat {
    let sources: [AdvertisementSource] = [.service(0xFE95)]

    func decode(_ payload: AdvertisementPayload) -> [AdvertisementPart] {
        var part = AdvertisementPart("MiBeacon", of: payload)
        part.isReverseEngineered = true
        part.read(payload.bytes) { part, reader throws(AdvertisementProblem) in
            let control = try reader.unsigned(2)
            let product = try reader.unsigned(2)
            let counter = try reader.unsigned(1)
            let version = control >> 12
            guard (2...5).contains(version) else { throw .unsupportedVersion(version) }
            part.add(.product, Double(product))
            part.counter = UInt32(counter)
            guard control & 0x80 == 0 else { throw .nameOnly }
            var address = payload.address?.bytes.reversed().map { $0 }
            if control & 0x10 != 0 { address = Array(try reader.bytes(6)) }
            if control & 0x20 != 0, try reader.unsigned(1) & 0x20 != 0 { _ = try reader.bytes(2) }
            guard control & 0x40 != 0 else { return }

            let objects = MiBeaconObjects(product: product)
            guard control & 0x08 != 0 else { return try objects.read(&part, &reader) }
            guard reader.rest.count >= (version < 4 ? 4 : 7) else { throw .truncated }
            guard let address else { throw .addressNeeded }
            if version < 4 {
                try Self.readLegacy(&part, payload, reader.rest, address: address, objects)
            } else {
                let end = reader.rest.suffix(7)
                let nonce = address + payload.bytes[2..<5] + end.prefix(3)
                let sealed = Array(reader.rest.dropLast(7) + end.suffix(4))
                var decrypted = ByteReader(try payload.decrypt(sealed, nonce: nonce, authenticating: [0x11]))
                try objects.read(&part, &decrypted)
            }
        }
        return [part]
    }

    /// Reads objects of versions 2 and 3: if they aren't objects, the key is wrong.
    private static func readLegacy(
        _ part: inout AdvertisementPart, _ payload: AdvertisementPayload, _ rest: ArraySlice<UInt8>, address: [UInt8],
        _ objects: MiBeaconObjects
    ) throws(AdvertisementProblem) {
        let key = try payload.bindKey(size: 12)
        let cipher = try payload.cipher(key.prefix(6) + [0x8D, 0x3D, 0x3C, 0x97] + key.suffix(6))
        let nonce = payload.bytes.prefix(5) + rest.suffix(4).prefix(3) + address.prefix(5)
        guard let decrypted = CCM(cipher)?.crypt(Array(rest.dropLast(4)), nonce: Array(nonce)) else { throw .encrypted }
        var whole = part
        var reader = ByteReader(decrypted)
        do {
            try objects.read(&whole, &reader)
        } catch {
            throw .wrongKey
        }
        part = whole
    }
}
