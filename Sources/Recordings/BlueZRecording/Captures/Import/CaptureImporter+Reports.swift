import BlueZValues

extension CaptureImporter {
    /// The most bytes of an extended advertisement.
    private static let longestData = 1650
    /// How many services of a device, and how many companies, are kept.
    private static let mostServices = 64

    /// Reports of legacy advertisements (Core Specification, volume 4, part E, 7.7.65.2).
    mutating func handleReports(_ fields: inout PacketFields) {
        guard let count = fields.byte() else { return }
        for _ in 0..<count {
            guard let event = fields.byte(), let type = fields.byte(), let address = fields.address(),
                let length = fields.byte(), let data = fields.bytes(Int(length)), let rssi = fields.byte()
            else { return }
            // A scan response says nothing about connections.
            let isConnectable: Bool? = event == 4 ? nil : event < 2
            hear(address, type, rssi, isConnectable, data)
        }
    }

    /// Reports of all advertisements (7.7.65.13).
    mutating func handleExtendedReports(_ fields: inout PacketFields) {
        guard let count = fields.byte() else { return }
        for _ in 0..<count {
            guard let event = fields.short(), let type = fields.byte(), let address = fields.address(),
                fields.skip(4), let rssi = fields.byte(), fields.skip(9), let length = fields.byte(),
                let data = fields.bytes(Int(length))
            else { return }
            use(address)
            var whole = Array(data)
            if event & 0x10 == 0 {
                let partial = devices[address]?.partialData ?? []
                whole = Array((partial + data).prefix(Self.longestData))
                // More will follow.
                let isPartial = event >> 5 & 3 == 1
                devices[address]?.partialData = isPartial ? whole : []
                if isPartial { continue }
            }
            let isResponse = event & 8 != 0
            hear(address, type, rssi, isResponse ? nil : event & 1 == 1, whole[...])
        }
    }

    private mutating func hear(
        _ address: BluetoothAddress, _ type: UInt8, _ rssi: UInt8, _ isConnectable: Bool?, _ data: ArraySlice<UInt8>
    ) {
        // An anonymous advertisement has no address.
        guard type <= 3 else { return }
        use(address)
        let kind: BluetoothAddress.Kind = type & 1 == 0 ? .public : .random
        var report =
            devices[address]?.advertisement ?? RecordedAdvertisement(device: address, addressType: kind)
        report.addressType = kind
        report.rssi = AdvertisementData.signalStrength(reported: Int(Int8(bitPattern: rssi)))
        report.connectable = isConnectable ?? report.connectable
        report.data.add(structures: data, atMost: Self.mostServices, keepsCompleteName: true)
        if !growth.allows(report.size) {
            // What a device has advertised so far is forgotten if short reports would repeat much of it.
            report.data = AdvertisementData()
            report.data.add(structures: data, atMost: Self.mostServices, keepsCompleteName: true)
        }
        devices[address]?.advertisement = report
        add(.heard(report))
    }
}
