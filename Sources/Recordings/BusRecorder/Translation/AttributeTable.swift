import BlueZDBus
import BlueZRecording
import BlueZValues

/// The attributes of a device, by the handles in their paths.
struct AttributeTable {
    private struct Service {
        var uuid: BluetoothUUID
        var isPrimary: Bool
        var includes: [UInt16]
    }

    private struct Characteristic {
        var uuid: BluetoothUUID
        var service: UInt16
        var properties: CharacteristicProperties
    }

    private struct Descriptor {
        var uuid: BluetoothUUID
        var characteristic: UInt16
    }

    private var services: [UInt16: Service] = [:]
    private var characteristics: [UInt16: Characteristic] = [:]
    private var descriptors: [UInt16: Descriptor] = [:]

    /// Whether there has been a change that is not recorded.
    var hasChanged = false

    var isEmpty: Bool { services.isEmpty }

    /// Returns what a characteristic supports, if known.
    func properties(of handle: UInt16) -> CharacteristicProperties? { characteristics[handle]?.properties }

    /// Whether the attribute is known.
    func contains(_ attribute: ObjectName.Attribute) -> Bool {
        switch attribute {
        case .service(let handle): services[handle] != nil
        case .characteristic(let handle): characteristics[handle] != nil
        case .descriptor(let handle): descriptors[handle] != nil
        }
    }

    /// Adds an attribute, or changes it.
    mutating func add(_ attribute: ObjectName.Attribute, in parent: UInt16?, _ properties: Properties) {
        guard let text = properties["UUID"]?.text, let uuid = BluetoothUUID(text) else { return }
        switch attribute {
        case .service(let handle):
            let includes = properties["Includes"]?.texts?.compactMap { path -> UInt16? in
                guard case .service(let handle) = ObjectName(path)?.attribute else { return nil }
                return handle
            }
            let isPrimary = properties["Primary"]?.flag ?? true
            hasChanged = hasChanged || services[handle]?.uuid != uuid || services[handle]?.includes != includes ?? []
            services[handle] = Service(uuid: uuid, isPrimary: isPrimary, includes: includes ?? [])
        case .characteristic(let handle):
            let set = CharacteristicProperties(flags: properties["Flags"]?.texts ?? [])
            let known = characteristics[handle]
            hasChanged = hasChanged || known?.uuid != uuid || known?.properties != set
            characteristics[handle] = Characteristic(uuid: uuid, service: parent ?? 0, properties: set)
        case .descriptor(let handle):
            hasChanged = hasChanged || descriptors[handle]?.uuid != uuid
            descriptors[handle] = Descriptor(uuid: uuid, characteristic: parent ?? 0)
        }
    }

    /// Removes an attribute.
    mutating func remove(_ attribute: ObjectName.Attribute) {
        let isKnown =
            switch attribute {
            case .service(let handle): services.removeValue(forKey: handle) != nil
            case .characteristic(let handle): characteristics.removeValue(forKey: handle) != nil
            case .descriptor(let handle): descriptors.removeValue(forKey: handle) != nil
            }
        hasChanged = hasChanged || isKnown
    }

    /// Returns the database as an event, in the order of the handles.
    func database(of device: BluetoothAddress, isComplete: Bool) -> RecordedDatabase {
        let list = services.sorted { $0.key < $1.key }.map { handle, service in
            var result = RecordedDatabase.Service(uuid: service.uuid, handle: handle, isPrimary: service.isPrimary)
            result.includes = service.includes.map { RecordedDatabase.Include(handle: $0, uuid: services[$0]?.uuid) }
            result.characteristics = characteristicList(of: handle)
            return result
        }
        return RecordedDatabase(device: device, services: list, isComplete: isComplete)
    }

    private func characteristicList(of service: UInt16) -> [RecordedDatabase.Characteristic] {
        let own = characteristics.filter { $0.value.service == service }.sorted { $0.key < $1.key }
        return own.map { handle, characteristic in
            var result = RecordedDatabase.Characteristic(
                uuid: characteristic.uuid, handle: handle, properties: characteristic.properties)
            let own = descriptors.filter { $0.value.characteristic == handle }.sorted { $0.key < $1.key }
            result.descriptors = own.map { RecordedDatabase.Descriptor(uuid: $0.value.uuid, handle: $0.key) }
            return result
        }
    }
}
