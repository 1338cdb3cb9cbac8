import BlueZValues

/// The result of discovering services.
package struct Discovery: Hashable, Sendable {
    /// The services, ordered by handle.
    package var services: [ServiceDescription]
    /// The device's services, whether they are among `services` or not.
    package var uuids: [BluetoothUUID]
    /// Whether `ServicesResolved` precedes the objects, which happens only in tests.
    package var isReportedEarly = false

    package init(services: [ServiceDescription], uuids: [BluetoothUUID]? = nil) {
        self.services = services
        self.uuids = uuids ?? services.map(\.uuid)
    }
}

extension ServiceDescription {
    /// The maximum number of bytes of the service's objects in a list of objects. Each may have a value of 512 bytes.
    var size: Int {
        characteristics.reduce(512 + 64 * includes.count) { sum, characteristic in
            sum + 1024 + 32 * characteristic.properties.names.count + 1024 * characteristic.descriptors.count
        }
    }

    /// Returns whether the other one has the same objects. What a service includes may differ, and what bluetoothd does
    /// not show may be known of only one of them.
    func isSame(as other: ServiceDescription) -> Bool {
        handle == other.handle && uuid == other.uuid && shown == other.shown
    }

    private var shown: ServiceDescription {
        var shown = ServiceDescription(
            handle: handle, uuid: uuid, isPrimary: isPrimary, characteristics: characteristics)
        for index in characteristics.indices {
            shown.characteristics[index].valueHandle = 0
            shown.characteristics[index].mtu = nil
        }
        return shown
    }
}
