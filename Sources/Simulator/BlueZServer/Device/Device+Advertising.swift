import BlueZValues
import FoundationEssentials

extension Device {
    /// Handles a report for the device, as btd_adapter_update_found_device() does.
    ///
    /// - isFiltered: a discovery filter is set: every RSSI is reported, not only changes of 8 dB.
    /// - keepsNothing: a client asked for DuplicateData: the data of earlier reports is discarded.
    func update(_ report: AdvertisingReport, isFiltered: Bool, keepsNothing: Bool) {
        updateRSSI(report.rssi, threshold: isFiltered ? 0 : 8)
        let data = report.data
        let size = Self.size(data.serviceUUIDs.count, data.manufacturerData, data.serviceData, data.structures)
        guard reserve(size) else { return }
        defer { releaseSpace(size) }
        if let power = data.txPowerLevel { set("TxPower", \.txPower, Int8(clamping: power)) }
        if let appearance = data.appearance, appearance != 0 { setAppearance(appearance) }
        if let name = data.localName { setName(Array(name.utf8)) }
        addAdvertisedUUIDs(data.serviceUUIDs.map(\.fullString))
        if keepsNothing, !data.manufacturerData.isEmpty { manufacturerData.removeAll() }
        for (company, bytes) in data.manufacturerData where manufacturerData[company] != bytes {
            manufacturerData[company] = bytes
            changed("ManufacturerData")
        }
        if keepsNothing, !data.serviceData.isEmpty { serviceData.removeAll() }
        addServiceData(data.serviceData)
        if keepsNothing { structures.removeAll() }
        // src/device.c: add_data() calls bt_ad_add_data().
        let listed = data.structures.filter { !AdvertisingContent.rejected.contains($0.key) }
        for (type, bytes) in listed where structures[type] != bytes {
            structures[type] = bytes
            // add_data() announces only this one.
            if type == 0x26, adapter?.isExperimental == true { changed("AdvertisingData") }
        }
        let heard = data.flags?.first ?? 0
        if flags != heard {
            flags = heard
            if adapter?.isExperimental == true { changed("AdvertisingFlags") }
        }
    }

    /// add_service_data()
    private func addServiceData(_ new: [BluetoothUUID: Data]) {
        var isChanged = false
        for (service, bytes) in new where serviceData[service] != bytes {
            serviceData[service] = bytes
            isChanged = true
        }
        guard isChanged else { return }
        changed("ServiceData")
        if version >= .v5_69 { addAdvertisedUUIDs(new.keys.sorted().map(\.fullString)) }
    }

    /// Releases the part of the reserved space that a report does not need because its data are not new.
    private func releaseSpace(_ reserved: Int) {
        let size = Self.size(advertisedUUIDs.count, manufacturerData, serviceData, structures)
        release(advertisedSize + reserved - size)
        advertisedSize = size
    }

    /// Returns the maximum number of bytes of data in a list of objects. UUIDs are texts of 36 bytes, and each entry of
    /// a dictionary has a signature, lengths and padding.
    private static func size(
        _ uuids: Int, _ manufacturerData: [UInt16: Data], _ serviceData: [BluetoothUUID: Data],
        _ structures: [UInt8: Data]
    ) -> Int {
        let bytes =
            manufacturerData.values.reduce(0) { $0 + $1.count } + serviceData.values.reduce(0) { $0 + $1.count }
            + structures.values.reduce(0) { $0 + $1.count }
        return bytes + 32 * (manufacturerData.count + structures.count) + 64 * (uuids + serviceData.count)
    }

    private func updateRSSI(_ value: Int16, threshold: Int16) {
        guard value != 0 else { return }
        if rssi != 0, abs(Int(rssi) - Int(value)) < Int(threshold) { return }
        rssi = value
        changed("RSSI")
    }

    /// device_add_eir_uuids(): only until services are resolved.
    private func addAdvertisedUUIDs(_ new: [String]) {
        guard !areServicesKnown else { return }
        let missing = new.filter { !advertisedUUIDs.contains($0) }
        guard !missing.isEmpty else { return }
        advertisedUUIDs += missing
        changed("UUIDs")
    }

    /// Removes the signal strength at the end of a discovery.
    func forgetSignalStrength() {
        set("RSSI", \.rssi, 0)
        set("TxPower", \.txPower, nil)
    }
}
