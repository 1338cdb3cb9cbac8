import BlueZClient
import FoundationEssentials

extension LocalService {
    /// Generic Access and Generic Attribute, which bluetoothd itself has (src/gatt-database.c: parse_uuid).
    private static let reserved: Set<BluetoothUUID> = [.genericAccess, .genericAttribute]
    /// The descriptors that bluetoothd adds itself (src/gatt-database.c: database_add_ccc, database_add_cep).
    private static let ownDescriptors: Set<BluetoothUUID> = [.extendedProperties, .clientConfiguration]

    /// Checks that the service can be published beside others.
    func check(beside others: [LocalService]) throws(BluetoothError) {
        var tree: [LocalService] = []
        try collect(&tree, [])
        for service in tree {
            try service.checkAttributes()
            guard service.manager == nil else {
                throw service.problem("is already published, or another one includes it")
            }
        }
        var attributes: Set<ObjectIdentifier> = []
        for attribute in tree.flatMap(\.attributes) where !attributes.insert(ObjectIdentifier(attribute)).inserted {
            throw problem("has the attribute \(attribute.uuid) twice, as the same object")
        }
        try checkHandles(of: tree, beside: others)
    }

    private func problem(_ text: String, _ code: BluetoothError.Code = .invalidArguments) -> BluetoothError {
        BluetoothError(code, "The service \(uuid) \(text)")
    }

    private func collect(_ tree: inout [LocalService], _ above: [LocalService]) throws(BluetoothError) {
        guard !above.contains(where: { $0 === self }) else { throw problem("includes itself") }
        guard !tree.contains(where: { $0 === self }) else { return }
        for included in includedServices { try included.collect(&tree, above + [self]) }
        tree.append(self)
    }

    // MARK: Attributes

    private func checkAttributes() throws(BluetoothError) {
        guard !Self.reserved.contains(uuid) else { throw problem("belongs to BlueZ, which offers it itself") }
        for characteristic in characteristics { try check(characteristic) }
        guard handleCount < Int(UInt16.max) else { throw problem("has more attributes than there are handles") }
    }

    private func check(_ characteristic: LocalCharacteristic) throws(BluetoothError) {
        let (properties, permissions) = (characteristic.properties, characteristic.permissions)
        guard !BluetoothUUID.declarations.contains(characteristic.uuid) else {
            throw problem("has a characteristic \(characteristic.uuid), which is the UUID of a declaration")
        }
        guard !permissions.flags(properties).isEmpty else {
            throw problem("has a characteristic \(characteristic.uuid) without properties")
        }
        if permissions.concernSubscriptions, !characteristic.canNotify {
            throw problem("has a characteristic \(characteristic.uuid) that restricts subscriptions, but has none")
        }
        try checkLength(characteristic)
        for descriptor in characteristic.descriptors {
            guard !Self.ownDescriptors.contains(descriptor.uuid) else {
                throw problem("has a descriptor \(descriptor.uuid), which BlueZ adds itself")
            }
            guard !BluetoothUUID.declarations.contains(descriptor.uuid) else {
                throw problem("has a descriptor \(descriptor.uuid), which is the UUID of a declaration")
            }
            guard !descriptor.permissions.concernSubscriptions, !descriptor.permissions.flags([]).isEmpty else {
                throw problem("has a descriptor \(descriptor.uuid) that permits neither reading nor writing")
            }
            try checkLength(descriptor)
        }
    }

    private func checkLength(_ attribute: LocalAttribute) throws(BluetoothError) {
        guard attribute.value.count > LocalAttribute.maximumValueLength else { return }
        throw problem(
            "has \(attribute.value.count) bytes as the value of \(attribute.uuid); a value has at most 512",
            .valueTooLong)
    }

    // MARK: Handles

    /// Every requested handle must be free, and above those before it.
    private func checkHandles(of tree: [LocalService], beside others: [LocalService]) throws(BluetoothError) {
        var taken = Set(others.flatMap(\.knownHandles))
        for service in tree {
            var last = 0
            for handle in service.requestedHandles {
                guard handle > 0 else { throw service.problem("requests the handle 0, which does not exist") }
                guard taken.insert(handle).inserted else {
                    throw service.problem("requests the handle \(handle), which another attribute has")
                }
                guard Int(handle) > last else {
                    throw service.problem("requests the handle \(handle) after \(last); handles must rise")
                }
                last = Int(handle)
            }
            try service.checkRange()
        }
    }

    /// BlueZ 5.66 drops a characteristic without an error if its handle is outside of the service's.
    private func checkRange() throws(BluetoothError) {
        guard let handle = attributes.lazy.compactMap(\.requestedHandle).first else { return }
        guard let first = requestedHandle else {
            throw problem("requests the handle \(handle) of an attribute, but none for itself")
        }
        let last = Int(first) + handleCount - 1
        for attribute in attributes {
            guard let handle = attribute.requestedHandle.map(Int.init) else { continue }
            let lowest = Int(first) + (attribute is LocalCharacteristic ? 2 : 1)
            guard (lowest...max(lowest, last)).contains(handle) else {
                throw problem("requests the handle \(handle) of an attribute; its own are \(lowest) to \(last)")
            }
        }
    }

    /// The number of handles that bluetoothd reserves: for the service, includes, declarations, values, client
    /// configurations, extended properties, and descriptors.
    private var handleCount: Int {
        characteristics.reduce(1 + includedServices.count) { count, characteristic in
            let isExtended = !characteristic.properties.isDisjoint(with: [.reliableWrite, .writableAuxiliaries])
            return count + 2 + (characteristic.canNotify ? 1 : 0) + (isExtended ? 1 : 0)
                + characteristic.descriptors.count
        }
    }

    private var requestedHandles: [UInt16] {
        (requestedHandle.map { [$0] } ?? []) + attributes.compactMap(\.requestedHandle)
    }

    private var knownHandles: [UInt16] {
        (handle.map { [$0] } ?? []) + attributes.compactMap(\.handle) + requestedHandles
    }
}
