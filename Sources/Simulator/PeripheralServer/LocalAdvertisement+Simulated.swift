import BlueZSimulator
import CoreBlueZ
import FoundationEssentials

extension LocalAdvertisement {
    /// Creates the advertisement that says the same as a simulated peripheral's, except for the transmit power, which
    /// the controller knows.
    package init(_ data: AdvertisingData) {
        self.init(localName: data.localName, serviceUUIDs: data.serviceUUIDs)
        isConnectable = data.isConnectable
        isDiscoverable = data.flags.map { $0 & 0x03 != 0 } ?? false
        manufacturerData = data.manufacturerData.mapValues { Data($0) }
        serviceData = data.serviceData.mapValues { Data($0) }
        structures = data.structures.mapValues { Data($0) }
        appearance = data.appearance == 0 ? nil : data.appearance
        includesTxPower = data.txPower != nil
    }
}
