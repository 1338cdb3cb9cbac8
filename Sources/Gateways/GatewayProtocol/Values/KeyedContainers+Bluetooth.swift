import BlueZValues

/// The form of UUIDs and addresses in messages: a UUID has 36 characters, and an address has six pairs of digits with
/// colons. Digits may have either case. Other forms, which the types' own decoding accepts, are refused. Synthesized
/// decoding and encoding calls these methods.
extension KeyedDecodingContainer {
    package func decode(_ type: BluetoothUUID.Type, forKey key: Key) throws -> BluetoothUUID {
        try uuid(decode(String.self, forKey: key), key)
    }

    package func decodeIfPresent(_ type: [BluetoothUUID].Type, forKey key: Key) throws -> [BluetoothUUID]? {
        try decodeIfPresent([String].self, forKey: key)?.map { try uuid($0, key) }
    }

    package func decode(_ type: BluetoothAddress.Type, forKey key: Key) throws -> BluetoothAddress {
        try address(decode(String.self, forKey: key), key)
    }

    package func decodeIfPresent(_ type: BluetoothAddress.Type, forKey key: Key) throws -> BluetoothAddress? {
        try decodeIfPresent(String.self, forKey: key).map { try address($0, key) }
    }

    /// Returns at most as many addresses as a gateway can have links.
    package func decodeIfPresent(_ type: [BluetoothAddress].Type, forKey key: Key) throws -> [BluetoothAddress]? {
        guard let texts = try decodeIfPresent([String].self, forKey: key) else { return nil }
        guard texts.count <= GatewayLimits.links else { throw corrupted(key, "there are too many addresses") }
        return try texts.map { try address($0, key) }
    }

    private func uuid(_ text: String, _ key: Key) throws -> BluetoothUUID {
        guard text.utf8.count == 36, let uuid = BluetoothUUID(text) else {
            throw corrupted(key, "a UUID of 36 characters is expected")
        }
        return uuid
    }

    private func address(_ text: String, _ key: Key) throws -> BluetoothAddress {
        guard !text.utf8.contains(UInt8(ascii: "-")), let address = BluetoothAddress(text) else {
            throw corrupted(key, "an address has six pairs of hexadecimal digits with colons")
        }
        return address
    }
}

extension KeyedEncodingContainer {
    package mutating func encode(_ uuid: BluetoothUUID, forKey key: Key) throws {
        try encode(uuid.fullString, forKey: key)
    }

    package mutating func encodeIfPresent(_ uuids: [BluetoothUUID]?, forKey key: Key) throws {
        try encodeIfPresent(uuids?.map(\.fullString), forKey: key)
    }
}
