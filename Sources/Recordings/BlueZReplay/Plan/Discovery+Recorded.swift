import BlueZRecording
import BlueZServer
import BlueZValues

extension RecordedDatabase {
    /// The value handle of the characteristic with this client configuration.
    func valueHandle(configuredBy handle: UInt16) -> UInt16? {
        services.lazy.flatMap(\.characteristics).first { characteristic in
            characteristic.descriptors.contains { $0.handle == handle && $0.uuid == .clientConfiguration }
        }?.valueHandle
    }
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
