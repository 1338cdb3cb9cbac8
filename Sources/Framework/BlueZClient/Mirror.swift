import BlueZDBus

/// A mirror of bluetoothd's objects, which its signals keep up to date, in the order of their arrival. The object path
/// identifies an object. A UUID may occur many times.
@BluetoothActor package final class Mirror {
    /// A change made by one message.
    package struct Change {
        package var path: ObjectPath
        package var kind: Kind

        package enum Kind {
            case adapterAdded
            case adapterChanged(wasPowered: Bool)
            case adapterRemoved
            case deviceAdded(DeviceProperties)
            case deviceChanged(DeviceProperties, DeviceProperties.Changes)
            case deviceRemoved
            case attributesAdded
            case attributeRemoved
        }

        /// Whether an adapter was added, removed, or changed.
        package var isOfAdapter: Bool {
            switch kind {
            case .adapterAdded, .adapterChanged, .adapterRemoved: true
            default: false
            }
        }
    }

    /// The paths of all objects.
    var paths: Set<ObjectPath> {
        Set([ObjectPath](adapters.keys) + devices.keys + services.keys + characteristics.keys + descriptors.keys)
    }

    package private(set) var adapters: [ObjectPath: AdapterProperties] = [:]
    /// The paths of the adapters, ordered by number.
    package private(set) var adapterPaths: [ObjectPath] = []
    package private(set) var devices: [ObjectPath: DeviceProperties] = [:]
    package private(set) var services: [ObjectPath: AttributeProperties] = [:]
    package private(set) var characteristics: [ObjectPath: AttributeProperties] = [:]
    package private(set) var descriptors: [ObjectPath: AttributeProperties] = [:]
    /// Whether this instance of bluetoothd has reported an MTU, as it does from 5.62 on.
    package private(set) var reportsMTUs = false
    private var modifiedDevices: [ObjectPath] = []
    /// The attributes directly below devices and attributes.
    private(set) var children: [ObjectPath: [ObjectPath]] = [:]
    /// The device whose attribute was looked up last. Lookups for one device usually follow one another.
    private var lastDevice: ObjectPath?

    func removeAll() {
        adapters = [:]
        adapterPaths = []
        devices = [:]
        services = [:]
        characteristics = [:]
        descriptors = [:]
        children = [:]
        lastDevice = nil
        modifiedDevices = []
        reportsMTUs = false
    }

    /// Returns the attributes directly below an object, ordered by handle.
    package func attributes(below path: ObjectPath, in level: [ObjectPath: AttributeProperties]) -> [ObjectPath] {
        let paths = (children[path] ?? []).filter { level[$0] != nil }
        return paths.sorted { left, right in
            let (first, second) = (level[left]?.handle ?? 0, level[right]?.handle ?? 0)
            return first == second ? left < right : first < second
        }
    }

    /// Applies an object's interfaces, `a{sa{sv}}`.
    ///
    /// - Parameters:
    ///   - isListed: whether they come from a list of all objects. A list's values of known objects are changes only if
    ///     they differ; in a signal, the same value again is a change, such as another advertisement.
    ///   - changes: receives the changes.
    func add(
        _ path: ObjectPath, _ reader: inout MessageReader, isListed: Bool = false, _ changes: inout [Change]
    ) throws(DBusError) {
        var hasLEBearer = false
        var batteryLevel: Int?
        var monitorTypes: [String]?
        try reader.readDictionary { (entry) throws(DBusError) in
            let interface = try entry.readText()
            if interface == BlueZInterface.leBearer { hasLEBearer = true }
            if interface == BlueZInterface.battery { return batteryLevel = try readBatteryLevel(path, &entry) }
            if interface == BlueZInterface.monitorManager { return monitorTypes = try readMonitorTypes(path, &entry) }
            if let change = try add(path, interface, &entry, isListed) { changes.append(change) }
        }
        // The interfaces can have any order. That of the device or the adapter may be last.
        if hasLEBearer { devices[path]?.hasLEBearer = true }
        if let batteryLevel { devices[path]?.batteryLevel = batteryLevel }
        if let monitorTypes { adapters[path]?.monitorTypes = monitorTypes }
    }

    private func add(
        _ path: ObjectPath,
        _ interface: MessageText,
        _ reader: inout MessageReader,
        _ isListed: Bool
    ) throws(DBusError) -> Change? {
        switch interface {
        case BlueZInterface.adapter:
            guard adapters[path] == nil else { return try change(path, interface, &reader) }
            adapters[path] = AdapterProperties()
            adaptersChanged()
            try readProperties(path, &reader) { (name, value) throws(DBusError) in
                try adapters[path]?.apply(name, &value)
            }
            return Change(path: path, kind: .adapterAdded)
        case BlueZInterface.device:
            let known = devices[path]
            guard known == nil || isListed else { return try change(path, interface, &reader) }
            let device = DeviceProperties(at: path)
            try readProperties(path, &reader) { (name, value) throws(DBusError) in
                _ = try device.apply(name, &value)
            }
            return list(device, at: path, instead: known)
        case BlueZInterface.gattService, BlueZInterface.gattCharacteristic, BlueZInterface.gattDescriptor:
            var attribute = AttributeProperties(path: path)
            try readProperties(path, &reader) { (name, value) throws(DBusError) in try attribute.apply(name, &value) }
            return keep(attribute, at: path, interface)
        default:
            return nil
        }
    }

    private func adaptersChanged() {
        adapterPaths = adapters.keys.sorted {
            $0.string.count == $1.string.count ? $0 < $1 : $0.string.count < $1.string.count
        }
    }

    private func unlink(_ path: ObjectPath) {
        guard let parent = path.parent, children[parent] != nil else { return }
        children[parent]?.removeAll { $0 == path }
        if children[parent]?.isEmpty == true { children[parent] = nil }
    }

    private func list(_ device: DeviceProperties, at path: ObjectPath, instead known: DeviceProperties?) -> Change? {
        guard let known else {
            devices[path] = device
            return Change(path: path, kind: .deviceAdded(device))
        }
        let changes = device.differences(from: known)
        device.lastRSSI = device.rssi ?? known.lastRSSI
        device.disconnection = known.disconnection
        device.disconnectionBegan = device.isConnected ? known.disconnectionBegan : nil
        device.areServicesComplete = known.areServicesComplete
        device.haveServicesBeenComplete = known.haveServicesBeenComplete
        devices[path] = device
        return changes.isEmpty ? nil : Change(path: path, kind: .deviceChanged(device, changes))
    }

    private func keep(_ attribute: AttributeProperties, at path: ObjectPath, _ interface: MessageText) -> Change? {
        // An object may have attributes of several kinds, but is below its parent once.
        let isLinked = services[path] != nil || characteristics[path] != nil || descriptors[path] != nil
        let known: AttributeProperties?
        switch interface {
        case BlueZInterface.gattService: known = services.updateValue(attribute, forKey: path)
        case BlueZInterface.gattCharacteristic: known = characteristics.updateValue(attribute, forKey: path)
        default: known = descriptors.updateValue(attribute, forKey: path)
        }
        if attribute.mtu != nil { reportsMTUs = true }
        guard known != attribute else { return nil }
        if !isLinked, let parent = path.parent { children[parent, default: []].append(path) }
        attributesChanged(path)
        return Change(path: path, kind: .attributesAdded)
    }

    /// Returns the device to which an object belongs, or which it is.
    func device(above path: ObjectPath) -> ObjectPath? {
        if let lastDevice, lastDevice.contains(path), devices[lastDevice] != nil { return lastDevice }
        var path = Optional(path)
        while let current = path, devices[current] == nil { path = current.parent }
        lastDevice = path
        return path
    }

    /// Notes that attributes of a device change. More may follow.
    private func attributesChanged(_ path: ObjectPath) {
        guard let device = device(above: path) else { return }
        devices[device]?.areServicesComplete = false
        guard let properties = devices[device], properties.haveServicesBeenComplete, !properties.areServicesModified
        else { return }
        devices[device]?.areServicesModified = true
        modifiedDevices.append(device)
    }

    /// Notes that bluetoothd has announced all of a device's attributes.
    func completeServices(of device: ObjectPath) {
        guard devices[device]?.areServicesResolved == true else { return }
        devices[device]?.areServicesComplete = true
        devices[device]?.haveServicesBeenComplete = true
        devices[device]?.areServicesModified = false
    }

    /// The devices whose attributes began to change since the last call, after they had been complete.
    func takeModifiedDevices() -> [ObjectPath] {
        defer { modifiedDevices = [] }
        return modifiedDevices
    }

    /// Reads `a{sv}`. A property of an unexpected type is skipped, so that it does not hide the others.
    private func readProperties(
        _ path: ObjectPath,
        _ reader: inout MessageReader,
        _ apply: (MessageText, inout MessageReader) throws(DBusError) -> Void
    ) throws(DBusError) {
        try reader.readVariants { (name, value) throws(DBusError) in
            do throws(DBusError) {
                try apply(name, &value)
            } catch {
                malformed.warn(
                    "bluetoothd sent a property of an unexpected type",
                    kind: ["what": name.string, "sender": BlueZ.service],
                    details: ["path": "\(path)", "error": "\(error)"])
            }
        }
    }

    /// Applies changed properties, `a{sv}`. Unknown objects are skipped.
    func change(
        _ path: ObjectPath,
        _ interface: MessageText,
        _ reader: inout MessageReader
    ) throws(DBusError) -> Change? {
        switch interface {
        case BlueZInterface.adapter where adapters[path] != nil:
            let wasPowered = adapters[path]?.isPowered ?? false
            try readProperties(path, &reader) { (name, value) throws(DBusError) in
                try adapters[path]?.apply(name, &value)
            }
            return Change(path: path, kind: .adapterChanged(wasPowered: wasPowered))
        case BlueZInterface.device:
            guard let device = devices[path] else {
                reader.skip()
                return nil
            }
            var changes: DeviceProperties.Changes = []
            try readProperties(path, &reader) { (name, value) throws(DBusError) in
                changes.formUnion(try device.apply(name, &value))
            }
            if changes.contains(.connected), !device.isConnected { forgetMTUs(below: path) }
            return Change(path: path, kind: .deviceChanged(device, changes))
        case BlueZInterface.battery:
            if let level = try readBatteryLevel(path, &reader) { devices[path]?.batteryLevel = level }
            return nil
        default:
            reader.skip()
            return nil
        }
    }

    private func readBatteryLevel(_ path: ObjectPath, _ reader: inout MessageReader) throws(DBusError) -> Int? {
        var level: Int?
        try readProperties(path, &reader) { (name, value) throws(DBusError) in
            if name == "Percentage" { level = Int(try value.readByte()) }
        }
        return level
    }

    private func readMonitorTypes(_ path: ObjectPath, _ reader: inout MessageReader) throws(DBusError) -> [String]? {
        var types: [String] = []
        try readProperties(path, &reader) { (name, value) throws(DBusError) in
            if name == "SupportedMonitorTypes" { types = try value.readStrings() }
        }
        return types
    }

    func removeBattery(_ path: ObjectPath) {
        devices[path]?.batteryLevel = nil
    }

    /// Forgets the MTU, because the next link may have another one.
    private func forgetMTUs(below device: ObjectPath) {
        for service in children[device] ?? [] {
            for path in children[service] ?? [] { characteristics[path]?.mtu = nil }
        }
    }

    /// Returns a characteristic of the device whose MTU is unknown.
    func characteristicWithoutMTU(below device: ObjectPath) -> ObjectPath? {
        for service in children[device] ?? [] {
            for path in children[service] ?? [] {
                if let characteristic = characteristics[path], characteristic.mtu == nil { return path }
            }
        }
        return nil
    }

    /// Sets the MTU of a device's link for all of its characteristics.
    func setMTU(_ mtu: Int, below device: ObjectPath) {
        reportsMTUs = true
        for service in children[device] ?? [] {
            for path in children[service] ?? [] { characteristics[path]?.mtu = mtu }
        }
    }

    /// Sets the MTU of a link that has just been negotiated.
    func setMTU(_ mtu: Int, of path: ObjectPath) {
        reportsMTUs = true
        characteristics[path]?.mtu = mtu
    }

    /// Notes that Disconnect was called, or was refused.
    func setLinkEnding(_ isEnding: Bool, of device: ObjectPath) {
        guard devices[device]?.isConnected == true else { return }
        devices[device]?.disconnectionBegan = isEnding ? MonotonicInstant.now : nil
    }

    /// Notes a link that was not signalled.
    func takeUnsignalledLink(of path: ObjectPath) -> Change? {
        guard let device = devices[path] else { return nil }
        let changes = device.takeUnsignalledLink()
        return changes.isEmpty ? nil : Change(path: path, kind: .deviceChanged(device, changes))
    }

    /// Notes why a link ends. The end itself follows.
    func setDisconnection(of path: ObjectPath, _ reason: DBusError) {
        devices[path]?.disconnection = reason
    }

    /// Reads the names of invalidated properties, `as`.
    func invalidate(
        _ path: ObjectPath, _ interface: MessageText, _ reader: inout MessageReader
    ) throws(DBusError) {
        let isDevice = interface == BlueZInterface.device
        try reader.readArray { (element) throws(DBusError) in
            let name = try element.readText()
            if isDevice { devices[path]?.invalidate(name) }
        }
    }

    /// Removes an object and everything below it, because bluetoothd may send the signals of the children late, or not
    /// at all.
    func remove(_ path: ObjectPath) -> [Change] {
        var changes: [Change] = []
        remove(path, &changes)
        return changes
    }

    private func remove(_ path: ObjectPath, _ changes: inout [Change]) {
        var below = children.removeValue(forKey: path) ?? []
        // Not the object itself, which may be an adapter and a device at once.
        if adapters[path] != nil { below += devices.keys.filter { $0 != path && path.contains($0) } }
        for child in below.sorted() { remove(child, &changes) }
        let wasDescriptor = descriptors.removeValue(forKey: path) != nil
        let wasCharacteristic = characteristics.removeValue(forKey: path) != nil
        let wasService = services.removeValue(forKey: path) != nil
        if wasDescriptor || wasCharacteristic || wasService {
            unlink(path)
            attributesChanged(path)
            changes.append(Change(path: path, kind: .attributeRemoved))
        }
        if devices.removeValue(forKey: path) != nil { changes.append(Change(path: path, kind: .deviceRemoved)) }
        if adapters.removeValue(forKey: path) != nil {
            adaptersChanged()
            changes.append(Change(path: path, kind: .adapterRemoved))
        }
    }
}
