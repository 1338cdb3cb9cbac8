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
        var data = recorded.data
        data.localName = data.localName.map { AdvertisementData.name($0.utf8) }
        // Without any, bluetoothd's clients do not take a device as found.
        let rssi = Int16(clamping: recorded.rssi ?? AdvertisementData.unavailableSignalStrength)
        // Without flags, bluetoothd has reported the device all the same.
        self.init(
            identity: DeviceIdentity(address: recorded.device.description, addressType: recorded.addressType),
            rssi: rssi, data: data, orElseIsDiscoverable: true)
        isConnectable = recorded.connectable ?? true
    }
}
