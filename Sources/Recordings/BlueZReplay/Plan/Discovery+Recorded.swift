import BlueZRecording
import BlueZServer
import BlueZValues

extension Discovery {
    /// The services of a recording.
    init(_ database: RecordedDatabase) {
        self.init(services: database.services.map(ServiceDescription.init))
    }
}

extension ServiceDescription {
    fileprivate init(_ service: RecordedDatabase.Service) {
        self.init(
            handle: service.handle, uuid: service.uuid, isPrimary: service.isPrimary,
            includes: service.includes.map(\.handle),
            characteristics: service.characteristics.map(CharacteristicDescription.init))
    }
}

extension CharacteristicDescription {
    fileprivate init(_ characteristic: RecordedDatabase.Characteristic) {
        // The client configuration is always written, so that the link learns when a client subscribes.
        self.init(
            handle: characteristic.handle, uuid: characteristic.uuid, flags: characteristic.properties.names,
            hasClientConfiguration: true,
            descriptors: characteristic.descriptors.map { DescriptorDescription(handle: $0.handle, uuid: $0.uuid) })
    }
}

extension RecordedDatabase {
    /// The value handle of the characteristic with this client configuration.
    func valueHandle(configuredBy handle: UInt16) -> UInt16? {
        for service in services {
            for characteristic in service.characteristics {
                for descriptor in characteristic.descriptors
                where descriptor.handle == handle && descriptor.uuid == Self.clientConfiguration {
                    return characteristic.valueHandle
                }
            }
        }
        return nil
    }

    private static let clientConfiguration: BluetoothUUID = "2902"
}

extension AdvertisingReport {
    /// The report of a recording.
    init(_ recorded: RecordedAdvertisement) {
        let data = recorded.data
        let identity = DeviceIdentity(address: recorded.device.description, addressType: recorded.addressType)
        // Without any, bluetoothd's clients do not take a device as found.
        self.init(
            identity: identity, rssi: Int16(clamping: recorded.rssi ?? AdvertisementData.unavailableSignalStrength))
        isConnectable = recorded.connectable ?? true
        flags = data.flags?.first
        // Without flags, bluetoothd has reported the device all the same.
        isDiscoverable = flags.map { $0 & 0x03 != 0 } ?? true
        localName = data.localName.map { AdvertisementData.name($0.utf8) }
        serviceUUIDs = data.serviceUUIDs
        manufacturerData = data.manufacturerData.mapValues { Array($0) }
        serviceData = data.serviceData.mapValues { Array($0) }
        txPower = data.txPowerLevel.map { Int8(clamping: $0) }
        appearance = data.appearance ?? 0
        structures = data.structures.mapValues { Array($0) }
    }
}
