import BlueZServer
import BlueZValues
import GatewayProtocol

extension AdvertisingReport {
    /// Creates a report from a gateway's advertisement.
    ///
    /// - Parameter rssi: in dBm; nil if it is not known.
    init(_ advertisement: GatewayAdvertisement, rssi: Int?) {
        // Without any, BlueZ's clients do not take a device as found.
        let rssi = Int16(clamping: rssi ?? AdvertisementData.unavailableSignalStrength)
        // Without `--experimental`, the gateway's bluetoothd does not report the flags. It has applied them.
        self.init(
            identity: DeviceIdentity(address: advertisement.device.description, addressType: advertisement.kind),
            rssi: rssi, data: advertisement.data, orElseIsDiscoverable: true)
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
