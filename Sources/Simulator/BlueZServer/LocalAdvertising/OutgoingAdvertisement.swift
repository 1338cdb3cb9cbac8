import BlueZValues

/// An advertisement as a controller sends it.
package struct OutgoingAdvertisement: Hashable, Sendable {
    /// The kernel's number of the advertisement, from 1.
    package let instance: UInt8
    /// The sender: the adapter's address, or a random one if the advertisement is not connectable.
    package let identity: DeviceIdentity
    /// The advertising data: structures of length, type and content.
    package let data: [UInt8]
    /// The scan response, in the same form; empty if there is none.
    package let scanResponse: [UInt8]
    package let isConnectable: Bool
    /// The time between two advertising events.
    package let interval: Duration

    package init(
        instance: UInt8, identity: DeviceIdentity, data: [UInt8], scanResponse: [UInt8], isConnectable: Bool,
        interval: Duration
    ) {
        self.instance = instance
        self.identity = identity
        self.data = data
        self.scanResponse = scanResponse
        self.isConnectable = isConnectable
        self.interval = interval
    }

    /// Returns the report of another adapter's kernel, which adds the scan response to the data.
    package func report(rssi: Int16) -> AdvertisingReport {
        var content = AdvertisementData()
        content.add(structures: data[...])
        content.add(structures: scanResponse[...])
        var report = AdvertisingReport(identity: identity, rssi: rssi, data: content)
        report.isConnectable = isConnectable
        return report
    }
}
