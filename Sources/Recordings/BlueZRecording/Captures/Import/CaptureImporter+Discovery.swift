import BlueZValues

extension CaptureImporter {
    /// Begins the database anew with the first discovery of a link: the services may have changed.
    mutating func beginDiscovery(_ key: LinkKey, isServedHere: Bool) {
        let client: WritableKeyPath<CapturedLink, CapturedLink.Client> = isServedHere ? \.there : \.here
        guard let link = links[key], !link[keyPath: client].hasDiscovered else { return }
        links[key]?[keyPath: client].hasDiscovered = true
        let path = isServedHere ? \CapturedDevice.databaseHere : \CapturedDevice.database
        let earlier = isServedHere ? \CapturedDevice.earlierHere : \CapturedDevice.earlier
        guard devices[link.device]?[keyPath: path].isComplete() == true,
            let database = devices[link.device]?[keyPath: path]
        else { return }
        devices[link.device]?[keyPath: earlier] = database
        devices[link.device]?[keyPath: path] = database.startingAnew()
    }

    /// Goes back to what an earlier discovery has found, if the last one of the link was incomplete.
    mutating func restoreDatabase(_ device: BluetoothAddress, isServedHere: Bool) {
        let path = isServedHere ? \CapturedDevice.databaseHere : \CapturedDevice.database
        let earlier = isServedHere ? \CapturedDevice.earlierHere : \CapturedDevice.earlier
        guard let database = devices[device]?[keyPath: earlier] else { return }
        devices[device]?[keyPath: earlier] = nil
        guard devices[device]?[keyPath: path].isComplete() == false else { return }
        devices[device]?[keyPath: path] = database
        devices[device]?[keyPath: path].hasChanged = true
    }

    /// Adds what a response to a discovery says to the database.
    mutating func discovered(
        _ key: LinkKey, isServedHere: Bool, _ request: CapturedLink.Request, _ fields: PacketFields
    ) {
        guard let device = links[key]?.device else { return }
        changeDatabase(device, isServedHere: isServedHere) { database in
            var fields = fields
            let last: UInt16? =
                switch request.opcode {
                case .findInformation: database.addTypes(&fields)
                case .findByTypeValue: database.addServices(&fields, of: request)
                case .readByType: database.addDeclarations(&fields, of: request)
                default: database.addServices(groups: &fields, of: request)
                }
            guard let last, request.opcode != .findByTypeValue else { return }
            database.cover(request.start, last, request.type)
        }
        finishDiscovery(key, isServedHere: isServedHere, ifComplete: true)
    }
}

/// Each function returns the last handle that the response covers.
extension DiscoveredDatabase {
    fileprivate mutating func addTypes(_ fields: inout PacketFields) -> UInt16? {
        let size = fields.byte() == 1 ? 2 : 16
        var last: UInt16?
        while let handle = fields.short(), let uuid = fields.bytes(size).flatMap({ BluetoothUUID(littleEndian: $0) }) {
            addType(handle, uuid)
            last = handle
        }
        return last
    }

    /// Services of the UUID for which the request asks. It is not in the response.
    fileprivate mutating func addServices(
        _ fields: inout PacketFields, of request: CapturedLink.Request
    ) -> UInt16? {
        guard let uuid = request.searched, request.type == .primaryService else { return nil }
        while let handle = fields.short(), let end = fields.short() {
            addService(handle, end: end, uuid: uuid, isPrimary: true)
        }
        return nil
    }

    fileprivate mutating func addServices(
        groups fields: inout PacketFields, of request: CapturedLink.Request
    ) -> UInt16? {
        let size = Int(fields.byte() ?? 0)
        var last: UInt16?
        while size >= 6, var entry = fields.bytes(size).map({ PacketFields($0) }), let handle = entry.short(),
            let end = entry.short(), let uuid = BluetoothUUID(littleEndian: entry.rest)
        {
            addService(handle, end: end, uuid: uuid, isPrimary: request.type == .primaryService)
            last = end
        }
        return last
    }

    fileprivate mutating func addDeclarations(
        _ fields: inout PacketFields, of request: CapturedLink.Request
    ) -> UInt16? {
        let size = Int(fields.byte() ?? 0)
        var last: UInt16?
        while size >= 2, var entry = fields.bytes(size).map({ PacketFields($0) }), let handle = entry.short() {
            switch request.type {
            case .characteristic?:
                guard let bits = entry.byte(), let value = entry.short(),
                    let uuid = BluetoothUUID(littleEndian: entry.rest)
                else { return last }
                let properties = CharacteristicProperties(rawValue: UInt16(bits))
                addCharacteristic(handle, valueHandle: value, uuid: uuid, properties: properties)
                // The next discovery begins behind the declaration or behind the value.
                last = max(handle, value)
            case .include?:
                guard let start = entry.short() else { return last }
                let include = IncludedService(
                    handle: start, end: entry.short(), uuid: BluetoothUUID(littleEndian: entry.rest))
                addInclude(handle, include)
                last = handle
            default: last = handle
            }
        }
        return last
    }
}
