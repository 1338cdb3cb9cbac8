/// The types of AD structures for which there are properties (Bluetooth SIG Assigned Numbers, 2.3).
enum AdvertisingType: UInt8 {
    case flags = 0x01
    case someUUIDs16 = 0x02
    case allUUIDs16 = 0x03
    case someUUIDs32 = 0x04
    case allUUIDs32 = 0x05
    case someUUIDs128 = 0x06
    case allUUIDs128 = 0x07
    case shortenedName = 0x08
    case completeName = 0x09
    case txPower = 0x0A
    case serviceData16 = 0x16
    case appearance = 0x19
    case serviceData32 = 0x20
    case serviceData128 = 0x21
    case manufacturerData = 0xFF
}
