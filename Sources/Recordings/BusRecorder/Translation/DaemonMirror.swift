import BlueZClient
import BlueZDBus
import BlueZRecording

/// What bluetoothd has reported to any client, of which changes become events.
///
/// A signal that several clients get is recorded when the first one gets it: the copies have the same serial, by which
/// `SerialWindow` finds them.
@BluetoothActor final class DaemonMirror {
    let log: EventLog
    /// The unique name of bluetoothd's connection, if known.
    private(set) var owner: String?
    /// The names of earlier ones. A bus uses no unique name twice.
    private var formerOwners: Set<String> = []
    /// How many reads of each attribute wait for their responses.
    var reads: [ObjectName: Int] = [:]

    private var adapters: [String: Properties] = [:]
    private var devices: [ObjectName.Device: DeviceMirror] = [:]
    private var window = SerialWindow()
    private var newestSignal: UInt32 = 0
    private var hasSnapshot = false

    init(_ log: EventLog) {
        self.log = log
    }

    /// Returns the mirror of a device.
    func device(_ name: ObjectName.Device) -> DeviceMirror {
        if let device = devices[name] { return device }
        let device = DeviceMirror(name, log)
        devices[name] = device
        return device
    }

    // MARK: The owner of the name

    /// Learns the unique name from a reply. Another one than before is that of the next bluetoothd: not every client asks
    /// for the signal that says so.
    func learn(owner: String?) {
        // Nearly every reply comes from the known owner.
        guard let owner, owner != self.owner, owner.hasPrefix(":"), !formerOwners.contains(owner) else { return }
        if let known = self.owner { changeOwner(from: known, to: owner) } else { self.owner = owner }
    }

    private func changeOwner(from old: String, to new: String) {
        // A client that gets its messages late reports changes that are already known.
        guard new != owner, old.isEmpty || owner == nil || old == owner else { return }
        if owner != nil || !old.isEmpty {
            for device in devices.values.sorted(by: { $0.name.address < $1.name.address }) {
                device.remove(isForgotten: false)
            }
            for adapter in adapters.keys.sorted() {
                log.add(.adapter(RecordedAdapter(adapter: adapter, removed: true)))
            }
            log.addNote("bluetoothd", "bluetoothd has left the bus")
        }
        (adapters, devices, reads) = ([:], [:], [:])
        (window, newestSignal, hasSnapshot) = (SerialWindow(), 0, false)
        if let owner { formerOwners.insert(owner) }
        owner = new.isEmpty ? nil : new
    }

    // MARK: Signals

    /// Reads a signal that a client gets.
    func receive(_ message: Message) {
        guard let sender = message.sender, let member = message.member, let interface = message.interface else {
            return
        }
        var reader = message.reader
        if sender == BlueZ.bus {
            guard member == "NameOwnerChanged", (try? reader.readString()) == BlueZ.service,
                let old = try? reader.readString(), let new = try? reader.readString()
            else { return }
            return changeOwner(from: old, to: new)
        }
        guard owner == nil || sender == owner else { return }
        switch (interface, member) {
        case (BlueZ.properties, "PropertiesChanged"):
            guard let path = message.path?.string, let object = ObjectName(path), isFirst(message, sender) else {
                return
            }
            guard let interface = try? reader.readString(), let changes = try? reader.readPropertyValues() else {
                return
            }
            changed(object, interface, changes, (try? reader.readStrings()) ?? [], message.serial)
        case (BlueZ.objectManager, "InterfacesAdded"):
            guard let path = try? reader.readObjectPath(), let object = ObjectName(path.string),
                isFirst(message, sender), let interfaces = try? reader.readInterfaces()
            else { return }
            add(object, interfaces, isSnapshot: false)
        case (BlueZ.objectManager, "InterfacesRemoved"):
            guard let path = try? reader.readObjectPath(), let object = ObjectName(path.string),
                isFirst(message, sender), let interfaces = try? reader.readStrings()
            else { return }
            remove(object, interfaces)
        case (BlueZ.device, "Disconnected"):
            guard let path = message.path?.string, let device = ObjectName(path)?.device, isFirst(message, sender),
                let reason = try? reader.readString()
            else { return }
            self.device(device).endedBy = Self.side(reason)
        default: break
        }
    }

    private func isFirst(_ message: Message, _ sender: String) -> Bool {
        learn(owner: sender)
        newestSignal = max(newestSignal, message.serial)
        return window.insert(message.serial)
    }

    /// The reasons of doc/org.bluez.Device.rst, from BlueZ 5.82 on.
    private static func side(_ reason: String) -> RecordedSide? {
        switch reason {
        case BlueZReason.local, BlueZReason.suspend: .here
        case BlueZReason.remote: .there
        case BlueZReason.timeout: .lost
        default: nil
        }
    }

    private func changed(
        _ object: ObjectName, _ interface: String, _ changes: Properties, _ invalidated: [String], _ serial: UInt32
    ) {
        switch interface {
        case BlueZ.adapter where object.device == nil: apply(adapter: object.adapter, changes)
        case BlueZ.device:
            guard let device = object.device, object.attribute == nil else { return }
            self.device(device).apply(changes, invalidated: invalidated)
        case BlueZ.gattCharacteristic:
            guard let device = object.device, let attribute = object.attribute else { return }
            self.device(device).apply(mtu: changes["MTU"]?.number)
            guard let value = changes["Value"]?.bytes, let handle = object.valueHandle else { return }
            self.device(device).prepare(for: attribute)
            let event = RecordedValue(device: device.address, handle: handle, value: value, by: .signal)
            if reads[object] == nil { log.add(.value(event)) } else { log.hold(event, serial: serial) }
        default: break
        }
    }

    // MARK: Objects

    /// Reads a reply to GetManagedObjects. One that is older than a signal that was read says nothing new.
    func receive(objects message: Message) {
        guard !hasSnapshot || message.serial > newestSignal else { return }
        hasSnapshot = true
        var reader = message.reader
        var objects: [(ObjectName, [String: Properties])] = []
        try? reader.readDictionary { (entry) throws(DBusError) in
            let path = try entry.readObjectPath()
            guard let object = ObjectName(path.string) else { return }
            objects.append((object, try entry.readInterfaces()))
        }
        // The devices come after their attributes, so that the database is there when its end is reported.
        for (object, interfaces) in objects where object.attribute != nil { add(object, interfaces, isSnapshot: true) }
        for (object, interfaces) in objects where object.attribute == nil { add(object, interfaces, isSnapshot: true) }
        for (object, interfaces) in objects {
            guard let device = object.device, object.attribute != nil else { continue }
            self.device(device).apply(mtu: interfaces[BlueZ.gattCharacteristic]?["MTU"]?.number)
        }
    }

    /// Applies the properties of an object that were asked for.
    func add(_ object: ObjectName, _ interfaces: [String: Properties], isSnapshot: Bool) {
        if let properties = interfaces[BlueZ.adapter], object.device == nil {
            apply(adapter: object.adapter, properties)
        }
        guard let name = object.device else { return }
        if let properties = interfaces[BlueZ.device], object.attribute == nil {
            device(name).apply(properties, isSnapshot: isSnapshot)
        }
        guard let attribute = object.attribute else { return }
        for interface in [BlueZ.gattService, BlueZ.gattCharacteristic, BlueZ.gattDescriptor] {
            if let properties = interfaces[interface] { device(name).add(attribute, in: object.parent, properties) }
        }
        if !isSnapshot { device(name).apply(mtu: interfaces[BlueZ.gattCharacteristic]?["MTU"]?.number) }
    }

    private func remove(_ object: ObjectName, _ interfaces: [String]) {
        if interfaces.contains(BlueZ.adapter), adapters.removeValue(forKey: object.adapter) != nil {
            log.add(.adapter(RecordedAdapter(adapter: object.adapter, removed: true)))
        }
        guard let name = object.device else { return }
        if let attribute = object.attribute {
            if interfaces.contains(where: { $0.hasPrefix("org.bluez.Gatt") }) { device(name).remove(attribute) }
        } else if interfaces.contains(BlueZ.device) {
            devices.removeValue(forKey: name)?.remove()
        }
    }

    private func apply(adapter name: String, _ changes: Properties) {
        let known = adapters[name]
        adapters[name, default: [:]].merge(changes) { $1 }
        var event = RecordedAdapter(adapter: name)
        if let address = changes["Address"], address != known?["Address"] { event.address = .init(address.text ?? "") }
        if let powered = changes["Powered"], powered != known?["Powered"] { event.powered = powered.flag }
        if event != RecordedAdapter(adapter: name) { log.add(.adapter(event)) }
    }
}

extension MessageReader {
    /// Reads `a{sa{sv}}`: the interfaces of an object.
    mutating func readInterfaces() throws(DBusError) -> [String: Properties] {
        var interfaces: [String: Properties] = [:]
        try readDictionary { (entry) throws(DBusError) in
            interfaces[try entry.readString()] = try entry.readPropertyValues()
        }
        return interfaces
    }
}
