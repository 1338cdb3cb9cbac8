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

/// The key of the local name, a `String`.
public let CBAdvertisementDataLocalNameKey = "kCBAdvDataLocalName"
/// The key of the transmit power in dBm, an `NSNumber`.
public let CBAdvertisementDataTxPowerLevelKey = "kCBAdvDataTxPowerLevel"
/// The key of the advertised services, an array of `CBUUID`.
public let CBAdvertisementDataServiceUUIDsKey = "kCBAdvDataServiceUUIDs"
/// The key of service data, a dictionary from `CBUUID` to `Data`.
public let CBAdvertisementDataServiceDataKey = "kCBAdvDataServiceData"
/// The key of manufacturer data, a `Data` that begins with the company, low byte first.
public let CBAdvertisementDataManufacturerDataKey = "kCBAdvDataManufacturerData"
/// The key of services in Apple's overflow area, which Linux does not decode.
public let CBAdvertisementDataOverflowServiceUUIDsKey = "kCBAdvDataHashedServiceUUIDs"
/// The key of whether a device accepts connections. It is never there on Linux, because bluetoothd does not say.
public let CBAdvertisementDataIsConnectable = "kCBAdvDataIsConnectable"
/// The key of solicited services. It is never there on Linux, because bluetoothd does not report them.
public let CBAdvertisementDataSolicitedServiceUUIDsKey = "kCBAdvDataSolicitedServiceUUIDs"
