import BlueZValues

/// BlueZ merges advertisements and scan responses, and does not report the bytes. So they are rebuilt from its
/// properties: the same content, but one structure per kind, in a fixed order, with each list of UUIDs and each name
/// marked as complete.
extension AdvertisementData {
    /// The data as AD structures. Data that do not fit into `GatewayLimits.advertisement` bytes or into one structure
    /// are omitted.
    package var encoded: [UInt8] {
        var data = self
        data.localName = localName?.prefix(bytes: GatewayLimits.name)
        var result: [UInt8] = []
        for (type, content) in data.fields {
            guard content.count <= AdvertisingStructures.longestContent,
                result.count + content.count + 2 <= GatewayLimits.advertisement
            else { continue }
            result += AdvertisingStructures.bytes(type, content)
        }
        return result
    }

    /// Creates the data from AD structures; nil if one extends beyond the end or has a size that its type cannot have. A
    /// length of zero ends them.
    package init?(encoded bytes: [UInt8]) {
        self.init()
        guard add(structures: bytes[...]) else { return nil }
        localName = localName?.prefix(bytes: GatewayLimits.name)
    }
}
