/// What a device advertises, as BlueZ reports it, and as AD structures.
///
/// BlueZ merges advertisements and scan responses and does not hand out the bytes. So the structures are put together from
/// what it reports: the same content, but one structure per kind, in a fixed order, each list of UUIDs complete and each
/// name complete.
package struct AdvertisedData: Hashable, Sendable {
    package var flags: [UInt8]?
    package var name: String?
    package var serviceUUIDs: [GatewayUUID] = []
    package var manufacturerData: [UInt16: [UInt8]] = [:]
    package var serviceData: [GatewayUUID: [UInt8]] = [:]
    /// In dBm.
    package var txPower: Int?
    package var appearance: UInt16?
    /// The content of each other structure by its type.
    package var others: [UInt8: [UInt8]] = [:]

    package init() {}
}

/// Types of AD structures (Bluetooth SIG Assigned Numbers, 2.3).
enum AdvertisingType {
    static let flags: UInt8 = 0x01
    static let someUUIDs16: UInt8 = 0x02
    static let allUUIDs16: UInt8 = 0x03
    static let someUUIDs32: UInt8 = 0x04
    static let allUUIDs32: UInt8 = 0x05
    static let someUUIDs128: UInt8 = 0x06
    static let allUUIDs128: UInt8 = 0x07
    static let shortenedName: UInt8 = 0x08
    static let completeName: UInt8 = 0x09
    static let txPower: UInt8 = 0x0A
    static let serviceData16: UInt8 = 0x16
    static let appearance: UInt8 = 0x19
    static let serviceData32: UInt8 = 0x20
    static let serviceData128: UInt8 = 0x21
    static let manufacturerData: UInt8 = 0xFF
}
