import CoreBlueZ

extension AdvertisementData {
    /// The data as the delegate gets it.
    var dictionary: [String: Any] {
        var dictionary: [String: Any] = [:]
        if let localName { dictionary[CBAdvertisementDataLocalNameKey] = localName }
        if let txPowerLevel { dictionary[CBAdvertisementDataTxPowerLevelKey] = NSNumber(value: txPowerLevel) }
        if !serviceUUIDs.isEmpty {
            dictionary[CBAdvertisementDataServiceUUIDsKey] = serviceUUIDs.map { CBUUID($0) }
        }
        if !serviceData.isEmpty {
            var data: [CBUUID: Data] = [:]
            for (uuid, value) in serviceData { data[CBUUID(uuid)] = value }
            dictionary[CBAdvertisementDataServiceDataKey] = data
        }
        // An advertisement has room for one company, as a rule. BlueZ collects those of several.
        if let company = manufacturerData.keys.min(), let value = manufacturerData[company] {
            dictionary[CBAdvertisementDataManufacturerDataKey] =
                Data([UInt8(company & 0xFF), UInt8(company >> 8)]) + value
        }
        return dictionary
    }
}
