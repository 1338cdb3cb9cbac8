import BlueZValues
import FoundationEssentials

extension AdvertisementData {
    /// How many services are kept, and how many companies.
    private static let mostServices = 64
    private static let mostCompanies = 64

    /// Adds the structures of a packet (Core Specification, volume 3, part C, 11). Later ones replace earlier ones of
    /// the same type, except for services, which are added.
    mutating func add(structures bytes: ArraySlice<UInt8>) {
        var fields = PacketFields(bytes)
        while let length = fields.byte(), length > 0, let structure = fields.bytes(Int(length)) {
            guard let type = structure.first else { return }
            add(type, structure.dropFirst())
        }
    }

    private mutating func add(_ type: UInt8, _ value: ArraySlice<UInt8>) {
        var fields = PacketFields(value)
        switch type {
        case 0x01: flags = Data(value)
        case 0x02, 0x03: addServices(value, size: 2)
        case 0x04, 0x05: addServices(value, size: 4)
        case 0x06, 0x07: addServices(value, size: 16)
        // A shortened name doesn't replace a complete one.
        case 0x08, 0x09:
            if type == 0x09 || localName == nil { localName = AdvertisementData.name(value) }
        case 0x0A: txPowerLevel = fields.byte().map { Int(Int8(bitPattern: $0)) }
        case 0x16: addServiceData(&fields, size: 2)
        case 0x20: addServiceData(&fields, size: 4)
        case 0x21: addServiceData(&fields, size: 16)
        case 0x19: appearance = fields.short()
        case 0xFF: addManufacturerData(&fields)
        default: structures[type] = Data(value)
        }
    }

    private mutating func addServices(_ value: ArraySlice<UInt8>, size: Int) {
        var fields = PacketFields(value)
        while let uuid = fields.bytes(size).flatMap({ PacketFields.uuid($0) }) {
            guard serviceUUIDs.count < Self.mostServices, !serviceUUIDs.contains(uuid) else { continue }
            serviceUUIDs.append(uuid)
        }
    }

    /// Some devices send values in place of the company: what they sent before is forgotten from time to time.
    private mutating func addManufacturerData(_ fields: inout PacketFields) {
        guard let company = fields.short() else { return }
        if manufacturerData.count >= Self.mostCompanies, manufacturerData[company] == nil { manufacturerData = [:] }
        manufacturerData[company] = Data(fields.rest)
    }

    private mutating func addServiceData(_ fields: inout PacketFields, size: Int) {
        guard let uuid = fields.bytes(size).flatMap({ PacketFields.uuid($0) }) else { return }
        guard serviceData.count < Self.mostServices || serviceData[uuid] != nil else { return }
        serviceData[uuid] = Data(fields.rest)
    }
}
