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
