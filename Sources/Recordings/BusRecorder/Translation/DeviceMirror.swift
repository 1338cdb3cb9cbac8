import BlueZClient
import BlueZDBus
import BlueZRecording
import BlueZValues
import FoundationEssentials

/// A device, as bluetoothd has reported it. Changes become events.
@BluetoothActor final class DeviceMirror {
    let name: ObjectName.Device
    /// The side that ends the link, if it is known.
    var endedBy: RecordedSide?

    private let log: EventLog
    private var properties: Properties = [:]
    private var attributes = AttributeTable()
    private var recorded: RecordedDatabase?
    private var mtu: UInt16?
    private var hasUnknownAttributes = false
    private var settling: ScheduledCall? { didSet { oldValue?.cancel() } }

    /// How long after the last signal a change of the services is over.
    private static let settling: Duration = .milliseconds(50)

    /// Properties that bluetoothd sets from advertising data; it signals some of them at each report.
    private static let advertised: Set = [
        "RSSI", "TxPower", "ManufacturerData", "ServiceData", "AdvertisingFlags", "AdvertisingData",
    ]

    init(_ name: ObjectName.Device, _ log: EventLog) {
        self.name = name
        self.log = log
    }

    // MARK: The device

    /// Applies properties of the device.
    ///
    /// - Parameter isSnapshot: whether they are all properties at some time, instead of changes.
    func apply(_ changes: Properties, invalidated: [String] = [], isSnapshot: Bool = false) {
        let isNew = properties.isEmpty
        let changed = changes.filter { properties[$0.key] != $0.value }
        properties.merge(changes) { $1 }
        for name in invalidated { properties.removeValue(forKey: name) }
        let isReport =
            isSnapshot ? isNew && changes["RSSI"] != nil : changes.keys.contains(where: Self.advertised.contains)
        if isReport { log.add(.heard(advertisement)) }
        record(changed)
    }

    private func record(_ changed: Properties) {
        var event = RecordedDevice(device: name.address)
        event.deviceName = changed["Name"]?.text
        event.alias = changed["Alias"]?.text
        event.icon = changed["Icon"]?.text
        event.appearance = changed["Appearance"]?.number.flatMap { UInt16(exactly: $0) }
        event.services = changed["UUIDs"]?.uuids
        event.paired = changed["Paired"]?.flag
        event.bonded = changed["Bonded"]?.flag
        event.trusted = changed["Trusted"]?.flag
        event.blocked = changed["Blocked"]?.flag
        if changed["Connected"]?.flag == true { connected() }
        if let resolved = changed["ServicesResolved"]?.flag {
            if resolved { flush() }
            if resolved || recorded != nil { event.resolved = resolved }
        }
        if event != RecordedDevice(device: name.address) { log.add(.device(event)) }
        if changed["Connected"]?.flag == false, isLinked { disconnected() }
    }

    /// Records that bluetoothd has removed the device, or is gone.
    func remove(isForgotten: Bool = true) {
        if isLinked { disconnected() }
        guard isForgotten else { return }
        var event = RecordedDevice(device: name.address)
        event.removed = true
        log.add(.device(event))
    }

    private var advertisement: RecordedAdvertisement {
        var data = AdvertisementData()
        data.localName = properties["Name"]?.text
        data.serviceUUIDs = properties["UUIDs"]?.uuids ?? []
        data.manufacturerData =
            properties["ManufacturerData"]?.dataByKey { $0.number.flatMap { UInt16(exactly: $0) } } ?? [:]
        data.serviceData = properties["ServiceData"]?.dataByKey { $0.text.flatMap { BluetoothUUID($0) } } ?? [:]
        data.txPowerLevel = properties["TxPower"]?.number
        data.appearance = properties["Appearance"]?.number.flatMap { UInt16(exactly: $0) }
        data.flags = properties["AdvertisingFlags"]?.bytes.map { Data($0) }
        data.structures = properties["AdvertisingData"]?.dataByKey { $0.number.flatMap { UInt8(exactly: $0) } } ?? [:]
        return RecordedAdvertisement(
            device: name.address, addressType: addressType ?? .public, rssi: properties["RSSI"]?.number, data: data)
    }

    private var addressType: BluetoothAddress.Kind? {
        properties["AddressType"]?.text.flatMap { BluetoothAddress.Kind(rawValue: $0) }
    }

    // MARK: The link

    private var isLinked = false

    private func connected() {
        isLinked = true
        endedBy = nil
        log.add(.connected(RecordedConnection(device: name.address, addressType: addressType)))
    }

    private func disconnected() {
        isLinked = false
        settling = nil
        mtu = nil
        log.add(.disconnected(RecordedDisconnection(device: name.address, by: endedBy)))
        endedBy = nil
    }

    /// A client ends the link. What changed before is recorded now, because the attributes go with the link.
    func end() {
        endedBy = .here
        if isLinked, properties["ServicesResolved"]?.flag == true { flush() }
    }

    /// Records the MTU, if it has changed.
    func apply(mtu: Int?) {
        guard let mtu = mtu.flatMap({ UInt16(exactly: $0) }), mtu != self.mtu, isLinked else { return }
        self.mtu = mtu
        log.add(.mtu(RecordedMTU(device: name.address, mtu: mtu)))
    }

    // MARK: The attributes

    /// Applies the properties of a new attribute.
    func add(_ attribute: ObjectName.Attribute, in parent: UInt16?, _ properties: Properties) {
        attributes.add(attribute, in: parent, properties)
        recordServices()
    }

    func remove(_ attribute: ObjectName.Attribute) {
        attributes.remove(attribute)
        recordServices()
    }

    /// Records a change of a device's services when it is over, even if the program uses none of them.
    private func recordServices() {
        guard isLinked, properties["ServicesResolved"]?.flag == true else { return }
        settling = BluetoothActor.after(Self.settling) { [weak self] in
            guard let self, self.isLinked else { return }
            self.flush()
        }
    }

    /// Returns what a characteristic supports, if known.
    func properties(of handle: UInt16) -> CharacteristicProperties? { attributes.properties(of: handle) }

    /// Records the database if it has changed. bluetoothd reports attributes one by one, so that happens when all are
    /// there, or before an event that concerns one of them. Without a link, most are gone, which is no change.
    func flush() {
        guard attributes.hasChanged, !attributes.isEmpty else { return }
        attributes.hasChanged = false
        let isComplete = properties["ServicesResolved"]?.flag == true
        let database = attributes.database(of: name.address, isComplete: isComplete)
        guard database != recorded else { return }
        recorded = database
        log.add(.database(database))
    }

    /// Prepares for an event that concerns an attribute: records the database, and once that an attribute is not in it.
    func prepare(for attribute: ObjectName.Attribute) {
        flush()
        guard !attributes.contains(attribute), !hasUnknownAttributes else { return }
        hasUnknownAttributes = true
        log.addNote(
            "unknown database", "The program did not ask bluetoothd for the attributes that it uses", device: name)
    }
}
