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
