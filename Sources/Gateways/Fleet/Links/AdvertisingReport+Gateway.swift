import BlueZServer
import BlueZValues
import GatewayProtocol

extension AdvertisingReport {
    /// Creates a report from a gateway's advertisement.
    ///
    /// - Parameter rssi: in dBm; nil if it is not known.
    init(_ advertisement: GatewayAdvertisement, rssi: Int?) {
        let data = advertisement.data
        let identity = DeviceIdentity(
            address: advertisement.device.description,
            addressType: advertisement.kind)
        // Without any, BlueZ's clients do not take a device as found.
        self.init(identity: identity, rssi: Int16(clamping: rssi ?? AdvertisementData.unavailableSignalStrength))
        // Without `--experimental`, the gateway's bluetoothd does not report the flags. It has applied them.
        isDiscoverable = data.flags.map { ($0.first ?? 0) & 0x03 != 0 } ?? true
        flags = data.flags?.first
        localName = data.localName
        serviceUUIDs = data.serviceUUIDs
        manufacturerData = data.manufacturerData.mapValues { [UInt8]($0) }
        serviceData = data.serviceData.mapValues { [UInt8]($0) }
        txPower = data.txPowerLevel.flatMap(Int8.init(exactly:))
        appearance = data.appearance ?? 0
        structures = data.structures.mapValues { [UInt8]($0) }
    }
}

extension ServiceDescription {
    init(_ service: GatewayService) {
        self.init(
            handle: service.handle, uuid: service.uuid, isPrimary: service.primary, includes: service.includes,
            characteristics: service.characteristics.map(CharacteristicDescription.init))
    }
}

extension CharacteristicDescription {
    fileprivate init(_ characteristic: GatewayCharacteristic) {
        self.init(
            handle: characteristic.handle, uuid: characteristic.uuid, flags: characteristic.flags,
            // Only the gateway's bluetoothd knows whether there is one.
            hasClientConfiguration: true,
            descriptors: characteristic.descriptors.map { DescriptorDescription(handle: $0.handle, uuid: $0.uuid) })
    }
}
