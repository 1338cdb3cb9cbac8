import CoreBlueZ

/// The identifiers of peripherals.
enum PeripheralIdentifier {
    /// The namespace, which is not used for anything else.
    private static let namespace: [UInt8] = [
        0x5F, 0x0A, 0x5C, 0x0E, 0x4F, 0x36, 0x4B, 0x5D, 0x9A, 0x8E, 0x0D, 0x35, 0x6B, 0x1E, 0xB2, 0xC7,
    ]

    /// Returns the identifier of a device for an adapter: a UUID of version 5 (RFC 9562, 5.5) of both addresses.
    static func make(adapter: BluetoothAddress?, device: BluetoothAddress) -> UUID {
        var bytes = SHA1.digest(namespace + Array("\(adapter?.description ?? "")/\(device)".utf8))
        bytes[6] = bytes[6] & 0x0F | 0x50
        bytes[8] = bytes[8] & 0x3F | 0x80
        return UUID(
            uuid: (
                bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7], bytes[8], bytes[9],
                bytes[10], bytes[11], bytes[12], bytes[13], bytes[14], bytes[15]
            ))
    }
}
