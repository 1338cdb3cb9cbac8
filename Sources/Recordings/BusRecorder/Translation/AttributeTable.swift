import BlueZDBus
import BlueZRecording
import BlueZValues

/// The attributes of a device, by the handles in their paths.
struct AttributeTable {
    /// An attribute in what contains it.
    private struct Entry<Description> {
        var description: Description
        var parent: UInt16
    }

    private var services: [UInt16: ServiceDescription] = [:]
    private var characteristics: [UInt16: Entry<CharacteristicDescription>] = [:]
    private var descriptors: [UInt16: Entry<DescriptorDescription>] = [:]

    /// Whether there has been a change that is not recorded.
    var hasChanged = false

    var isEmpty: Bool { services.isEmpty }

    /// Returns what a characteristic supports, if known.
    func properties(of handle: UInt16) -> CharacteristicProperties? { characteristics[handle]?.description.properties }

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
            let includes = properties["Includes"]?.texts?.compactMap { path -> IncludedService? in
                guard case .service(let handle) = ObjectName(path)?.attribute else { return nil }
                return IncludedService(handle: handle)
            }
            let service = ServiceDescription(
                handle: handle, uuid: uuid, isPrimary: properties["Primary"]?.flag ?? true, includes: includes ?? [])
            hasChanged = hasChanged || services[handle] != service
            services[handle] = service
        case .characteristic(let handle):
            let characteristic = CharacteristicDescription(
                handle: handle, uuid: uuid,
                properties: CharacteristicProperties(flags: properties["Flags"]?.texts ?? []))
            hasChanged = hasChanged || characteristics[handle]?.description != characteristic
            characteristics[handle] = Entry(description: characteristic, parent: parent ?? 0)
        case .descriptor(let handle):
            let descriptor = DescriptorDescription(handle: handle, uuid: uuid)
            hasChanged = hasChanged || descriptors[handle]?.description != descriptor
            descriptors[handle] = Entry(description: descriptor, parent: parent ?? 0)
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
        var list = services.values.sorted { $0.handle < $1.handle }
        for index in list.indices {
            for included in list[index].includes.indices {
                list[index].includes[included].uuid = services[list[index].includes[included].handle]?.uuid
            }
            list[index].characteristics = Self.list(characteristics, in: list[index].handle).map { characteristic in
                var characteristic = characteristic
                characteristic.descriptors = Self.list(descriptors, in: characteristic.handle)
                return characteristic
            }
        }
        return RecordedDatabase(device: device, services: list, isComplete: isComplete)
    }

    private static func list<Description>(
        _ entries: [UInt16: Entry<Description>], in parent: UInt16
    ) -> [Description] {
        entries.filter { $0.value.parent == parent }.sorted { $0.key < $1.key }.map(\.value.description)
    }
}
