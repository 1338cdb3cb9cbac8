import BlueZValues

/// A service of a local database, which reserves a range of handles. It has a slot for each of them.
@BlueZServerActor final class DatabaseService {
    @BlueZServerActor struct Characteristic {
        let declaration: LocalAttribute
        let value: LocalAttribute
        let properties: CharacteristicProperties
    }

    let uuid: BluetoothUUID
    let isPrimary: Bool
    let handles: ClosedRange<UInt16>
    /// Whether centrals find the service.
    var isActive = false
    private(set) var characteristics: [Characteristic] = []
    private(set) var includes: [UInt16] = []
    private var slots: [LocalAttribute?]
    /// No slot before this one is free.
    private var cursor = 1
    private var last: (slot: Int, value: LocalAttribute)?
    private let version: BlueZVersion

    /// Creates a service. nil if there are not so many handles.
    init?(_ uuid: BluetoothUUID, isPrimary: Bool, handle: UInt16, count: UInt16, _ version: BlueZVersion) {
        guard count > 0, let end = UInt16(exactly: Int(handle) + Int(count) - 1) else { return nil }
        self.uuid = uuid
        self.isPrimary = isPrimary
        self.version = version
        handles = handle...end
        slots = Array(repeating: nil, count: Int(count))
        slots[0] = LocalAttribute(
            handle: handle, type: isPrimary ? .primaryService : .secondaryService, permissions: .read,
            value: uuid.attributeBytes)
    }

    /// The value of the last characteristic.
    var lastValue: LocalAttribute? { last?.value }

    /// service_insert_characteristic(): returns the attribute of the value.
    ///
    /// - Parameter handle: the handle of the value; 0 means the next one.
    func addCharacteristic(
        _ uuid: BluetoothUUID, _ properties: CharacteristicProperties, permissions: AttributePermissions,
        handle: UInt16 = 0
    ) -> LocalAttribute? {
        version < .v5_74
            ? appendCharacteristic(uuid, properties, permissions, handle)
            : insertCharacteristic(uuid, properties, permissions, handle)
    }

    /// Before 5.74, a requested handle need not be one of the service's, and those that follow count on from it.
    private func appendCharacteristic(
        _ uuid: BluetoothUUID, _ properties: CharacteristicProperties, _ permissions: AttributePermissions,
        _ handle: UInt16
    ) -> LocalAttribute? {
        guard handle == 0 || handle > handles.lowerBound, handle != .max, let slot = freeSlot(leaving: 1),
            let previous = slots[slot - 1]
        else { return nil }
        return add(
            uuid, properties, permissions, handle == 0 ? previous.handle &+ 2 : handle, at: slot, valueAt: slot + 1)
    }

    private func insertCharacteristic(
        _ uuid: BluetoothUUID, _ properties: CharacteristicProperties, _ permissions: AttributePermissions,
        _ handle: UInt16
    ) -> LocalAttribute? {
        let declaration = handle == 0 ? 0 : handle - 1
        guard declaration == 0 || declaration > handles.lowerBound, let slot = slot(of: declaration, leaving: 1),
            let valueSlot = handle == 0 ? freeSlot(after: slot) : self.slot(of: handle)
        else { return nil }
        return add(
            uuid, properties, permissions, handles.lowerBound + UInt16(valueSlot), at: slot, valueAt: valueSlot)
    }

    private func add(
        _ uuid: BluetoothUUID, _ properties: CharacteristicProperties, _ permissions: AttributePermissions,
        _ handle: UInt16, at slot: Int, valueAt valueSlot: Int
    ) -> LocalAttribute {
        let value = LocalAttribute(handle: handle, type: uuid, permissions: permissions)
        let declaration = LocalAttribute(
            handle: version < .v5_74 ? handle &- 1 : handles.lowerBound + UInt16(slot), type: .characteristic,
            permissions: .read, value: [UInt8(properties.rawValue & 0xFF)] + handle.attributeBytes + uuid.attributeBytes
        )
        slots[slot] = declaration
        slots[valueSlot] = value
        characteristics.append(Characteristic(declaration: declaration, value: value, properties: properties))
        if slot >= last?.slot ?? 0 { last = (slot, value) }
        return value
    }

    /// service_insert_descriptor()
    func addDescriptor(
        _ uuid: BluetoothUUID, permissions: AttributePermissions, handle: UInt16 = 0, value: [UInt8] = []
    ) -> LocalAttribute? {
        add(uuid, permissions, handle, value)
    }

    /// service_insert_included()
    func include(_ service: DatabaseService) -> Bool {
        let bytes = service.handles.lowerBound.attributeBytes + service.handles.upperBound.attributeBytes
        guard add(.include, .read, 0, bytes + (service.uuid.short?.attributeBytes ?? [])) != nil else { return false }
        includes.append(service.handles.lowerBound)
        return true
    }

    private func add(
        _ type: BluetoothUUID, _ permissions: AttributePermissions, _ requested: UInt16, _ value: [UInt8]
    ) -> LocalAttribute? {
        let isListed = version < .v5_74
        if isListed, requested > 0, requested <= handles.lowerBound { return nil }
        guard let slot = isListed || requested == 0 ? freeSlot() : slot(of: requested) else { return nil }
        let next = isListed ? (slots[slot - 1]?.handle ?? 0) &+ 1 : handles.lowerBound + UInt16(slot)
        let attribute = LocalAttribute(
            handle: requested > 0 ? requested : next, type: type, permissions: permissions, value: value)
        slots[slot] = attribute
        return attribute
    }

    // MARK: Slots

    /// service_get_attribute_index(). An attribute whose handle is requested takes the place of another one.
    ///
    /// - Parameters:
    ///   - handle: the handle; 0 means that of the first free slot.
    ///   - count: how many slots must follow it.
    private func slot(of handle: UInt16, leaving count: Int = 0) -> Int? {
        if handle == 0 { return freeSlot(leaving: count) }
        let slot = Int(handle) - Int(handles.lowerBound)
        return slot > 0 && slot < slots.count - count ? slot : nil
    }

    private func freeSlot(leaving count: Int = 0) -> Int? {
        while cursor < slots.count, slots[cursor] != nil { cursor += 1 }
        return cursor < slots.count - count ? cursor : nil
    }

    private func freeSlot(after slot: Int) -> Int? { slots[(slot + 1)...].firstIndex { $0 == nil } }

    /// The attribute with the handle, if there is one.
    func attribute(_ handle: UInt16) -> LocalAttribute? {
        slots.lazy.compactMap(\.self).first { $0.handle == handle }
    }

    /// The service, as a central finds it: up to the first attribute whose handle is beyond the service's
    /// (foreach_in_range).
    var description: ServiceDescription {
        let known = Dictionary(characteristics.map { (ObjectIdentifier($0.declaration), $0) }) { $1 }
        var found: [CharacteristicDescription] = []
        var value: LocalAttribute?
        let present = slots.lazy.compactMap(\.self).prefix { $0.handle <= self.handles.upperBound }
        for attribute in present where attribute.handle >= handles.lowerBound {
            if let characteristic = known[ObjectIdentifier(attribute)] {
                found.append(
                    CharacteristicDescription(
                        handle: attribute.handle, valueHandle: characteristic.value.handle,
                        uuid: characteristic.value.type, properties: characteristic.properties))
                value = characteristic.value
            } else if attribute !== value, let last = found.indices.last {
                found[last].descriptors.append(DescriptorDescription(handle: attribute.handle, uuid: attribute.type))
            }
        }
        return ServiceDescription(
            handle: handles.lowerBound, uuid: uuid, isPrimary: isPrimary,
            includes: includes.map { IncludedService(handle: $0) }, characteristics: found)
    }
}

extension UInt16 {
    /// The number as attributes contain it.
    var attributeBytes: [UInt8] { [UInt8(self & 0xFF), UInt8(self >> 8)] }
}

extension BluetoothUUID {
    /// The UUID as attributes contain it: two bytes if there is a short form, otherwise sixteen, the last one first.
    var attributeBytes: [UInt8] {
        if let short { return short.attributeBytes }
        return [low, high].flatMap { half in (0..<8).map { UInt8(truncatingIfNeeded: half >> (8 * $0)) } }
    }
}
