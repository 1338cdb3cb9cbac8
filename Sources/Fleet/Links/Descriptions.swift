import BlueZServer
import GatewayProtocol

extension AdvertisingReport {
    /// What a gateway heard.
    ///
    /// - Parameter rssi: in dBm; nil if it is not known.
    init(_ advertisement: GatewayAdvertisement, rssi: Int?) {
        let data = advertisement.data
        let identity = DeviceIdentity(
            address: advertisement.device.description,
            addressType: advertisement.kind == .public ? .public : .random)
        // BlueZ's 0 is no strength, too.
        self.init(identity: identity, rssi: rssi.flatMap(Int16.init(exactly:)) ?? 0)
        // Without `--experimental`, bluetoothd on the gateway does not hand out the flags. It has applied them.
        isDiscoverable = data.flags.map { ($0.first ?? 0) & 0x03 != 0 } ?? true
        flags = data.flags?.first
        localName = data.name
        serviceUUIDs = data.serviceUUIDs.compactMap { AttributeUUID($0.description) }
        manufacturerData = data.manufacturerData
        for (service, bytes) in data.serviceData {
            if let uuid = AttributeUUID(service.description) { serviceData[uuid] = bytes }
        }
        txPower = data.txPower.flatMap(Int8.init(exactly:))
        appearance = data.appearance ?? 0
        structures = data.others
    }
}

extension Discovery {
    init(_ result: DiscoverResult) {
        let services = result.services.compactMap(ServiceDescription.init)
        self.init(services: services)
    }
}

extension ServiceDescription {
    fileprivate init?(_ service: GatewayService) {
        guard let uuid = AttributeUUID(service.uuid.description) else { return nil }
        self.init(
            handle: service.handle, uuid: uuid, isPrimary: service.primary, includes: service.includes,
            characteristics: service.characteristics.compactMap(CharacteristicDescription.init))
    }
}

extension CharacteristicDescription {
    fileprivate init?(_ characteristic: GatewayCharacteristic) {
        guard let uuid = AttributeUUID(characteristic.uuid.description) else { return nil }
        self.init(
            handle: characteristic.handle, uuid: uuid, flags: characteristic.flags,
            // Whether there is one, bluetoothd on the gateway knows.
            hasClientConfiguration: true,
            descriptors: characteristic.descriptors.compactMap { descriptor in
                AttributeUUID(descriptor.uuid.description).map {
                    DescriptorDescription(handle: descriptor.handle, uuid: $0)
                }
            })
    }
}
