import BluetoothValues

/// A service of a local database, which reserves a range of handles.
@BlueZServerActor final class DatabaseService {
    @BlueZServerActor struct Characteristic {
        let declaration: LocalAttribute
        let value: LocalAttribute
        let properties: CharacteristicProperties
        var descriptors: [LocalAttribute] = []
    }

    let uuid: BluetoothUUID
    let isPrimary: Bool
    let handles: ClosedRange<UInt16>
    /// Whether centrals find the service.
    var isActive = false
    private(set) var attributes: [LocalAttribute]
    private(set) var characteristics: [Characteristic] = []
    private(set) var includes: [UInt16] = []

    /// Creates a service. nil if the handles do not suffice.
    init?(_ uuid: BluetoothUUID, isPrimary: Bool, handle: UInt16, count: UInt16) {
        guard count > 0, handle > 0, Int(handle) + Int(count) - 1 <= UInt16.max else { return nil }
        self.uuid = uuid
        self.isPrimary = isPrimary
        handles = handle...(handle + count - 1)
        attributes = [
            LocalAttribute(
                handle: handle, type: isPrimary ? 0x2800 : 0x2801, permissions: .read, value: uuid.attributeBytes)
        ]
    }

    /// service_insert_characteristic(): returns the attribute of the value.
    ///
    /// - Parameter handle: the handle of the value; 0 means the next one.
    func addCharacteristic(
        _ uuid: BluetoothUUID, _ properties: CharacteristicProperties, permissions: AttributePermissions,
        handle: UInt16 = 0
    ) -> LocalAttribute? {
        guard handle == 0 || handle > handles.lowerBound, handle != .max, attributes.count + 1 < handles.count,
            let last = attributes.last, handle > 0 || last.handle < .max - 1
        else { return nil }
        let handle = handle == 0 ? last.handle + 2 : handle
        let value = LocalAttribute(handle: handle, type: uuid, permissions: permissions)
        let declaration = LocalAttribute(
            handle: handle - 1, type: 0x2803, permissions: .read,
            value: [UInt8(properties.rawValue & 0xFF)] + handle.attributeBytes + uuid.attributeBytes)
        attributes += [declaration, value]
        characteristics.append(
            Characteristic(declaration: declaration, value: value, properties: properties))
        return value
    }

    /// service_insert_descriptor(): a descriptor of the last characteristic.
    func addDescriptor(
        _ uuid: BluetoothUUID, permissions: AttributePermissions, handle: UInt16 = 0, value: [UInt8] = []
    ) -> LocalAttribute? {
        guard let handle = next(handle), let last = characteristics.indices.last else { return nil }
        let descriptor = LocalAttribute(handle: handle, type: uuid, permissions: permissions, value: value)
        attributes.append(descriptor)
        characteristics[last].descriptors.append(descriptor)
        return descriptor
    }

    /// service_insert_included()
    func include(_ service: DatabaseService) -> Bool {
        guard let handle = next(0) else { return false }
        let bytes = service.handles.lowerBound.attributeBytes + service.handles.upperBound.attributeBytes
        attributes.append(
            LocalAttribute(
                handle: handle, type: 0x2802, permissions: .read,
                value: bytes + (service.uuid.short?.attributeBytes ?? [])))
        includes.append(service.handles.lowerBound)
        return true
    }

    private func next(_ handle: UInt16) -> UInt16? {
        guard attributes.count < handles.count, let last = attributes.last?.handle, last < .max else { return nil }
        guard handle > 0 else { return last + 1 }
        return handle > handles.lowerBound ? handle : nil
    }

    /// The service, as a central finds it.
    var description: ServiceDescription {
        ServiceDescription(
            handle: handles.lowerBound, uuid: uuid, isPrimary: isPrimary, includes: includes,
            characteristics: characteristics.map(\.description))
    }
}

extension DatabaseService.Characteristic {
    fileprivate var description: CharacteristicDescription {
        CharacteristicDescription(
            handle: declaration.handle, uuid: value.type, flags: properties.names,
            hasClientConfiguration: descriptors.contains { $0.type == .clientConfiguration },
            descriptors: descriptors.map { DescriptorDescription(handle: $0.handle, uuid: $0.type) })
    }
}

extension UInt16 {
    /// The number as attributes contain it.
    var attributeBytes: [UInt8] { [UInt8(self & 0xFF), UInt8(self >> 8)] }
}
