import BlueZValues

/// A database, as far as the responses to a discovery show it.
struct DiscoveredDatabase: Equatable {
    private struct Service: Equatable {
        var uuid: BluetoothUUID
        var end: UInt16?
        var isPrimary: Bool
    }

    private struct Characteristic: Equatable {
        var uuid: BluetoothUUID
        var valueHandle: UInt16
        var properties: CharacteristicProperties
    }

    /// The most attributes of a database.
    private static let mostAttributes = 4096

    private var services: [UInt16: Service] = [:]
    private var serviceHandles = SortedHandles()
    private var includes: [UInt16: IncludedService] = [:]
    private var characteristics: [UInt16: Characteristic] = [:]
    /// The handles of characteristics, also of those of which only the types of their attributes are known.
    private var declarationHandles = SortedHandles()
    /// The types of attributes, by Find Information.
    private var types: [UInt16: BluetoothUUID] = [:]
    /// The handles that were used.
    private var used: Set<UInt16> = []
    private var valueHandles: Set<UInt16> = []
    /// Whether an attribute was used before its type was known.
    private var hasUnknown = false
    private var servicesCovered = HandleRanges()
    private var characteristicsCovered = HandleRanges()
    private var typesCovered = HandleRanges()
    /// A service of which not everything is known. Nil if there is none, or if that has not been looked up.
    private var gap: UInt16?
    private var hasNoGap = false
    /// Whether something was left out because of the limit.
    private(set) var isFull = false
    /// Whether there has been a change since this was last set to false.
    var hasChanged = false

    /// How many attributes are kept.
    var count: Int { services.count + includes.count + characteristics.count + types.count + used.count }

    /// An empty database with the same used handles.
    func startingAnew() -> DiscoveredDatabase {
        var database = DiscoveredDatabase()
        database.used = used
        // Whether they are known is open until the discovery ends.
        database.hasUnknown = true
        return database
    }

    private mutating func hasRoom() -> Bool {
        let wasFull = isFull
        isFull = isFull || count >= Self.mostAttributes
        if isFull != wasFull { hasChanged = true }
        return !isFull
    }

    // MARK: Responses

    mutating func addService(_ handle: UInt16, end: UInt16?, uuid: BluetoothUUID, isPrimary: Bool) {
        let service = Service(uuid: uuid, end: end, isPrimary: isPrimary)
        guard services[handle] != service, hasRoom() else { return }
        if services[handle]?.end != end || services[handle] == nil { hasNoGap = false }
        services[handle] = service
        serviceHandles.insert(handle)
        hasChanged = true
    }

    mutating func addInclude(_ handle: UInt16, _ include: IncludedService) {
        guard includes[handle] != include, hasRoom() else { return }
        includes[handle] = include
        hasChanged = true
    }

    mutating func addCharacteristic(
        _ handle: UInt16, valueHandle: UInt16, uuid: BluetoothUUID, properties: CharacteristicProperties
    ) {
        let characteristic = Characteristic(uuid: uuid, valueHandle: valueHandle, properties: properties)
        // The value is behind its declaration (Core Specification, volume 3, part G, 3.3.2).
        guard handle < valueHandle, characteristics[handle] != characteristic, hasRoom() else { return }
        characteristics[handle] = characteristic
        valueHandles.insert(valueHandle)
        declarationHandles.insert(handle)
        (hasChanged, hasNoGap) = (true, false)
    }

    mutating func addType(_ handle: UInt16, _ uuid: BluetoothUUID) {
        guard types[handle] != uuid, hasRoom() else { return }
        types[handle] = uuid
        if uuid == .characteristic, handle < .max, types[handle + 1] != nil { declarationHandles.insert(handle) }
        if handle > 0, types[handle - 1] == .characteristic { declarationHandles.insert(handle - 1) }
        (hasChanged, hasNoGap) = (true, false)
    }

    /// Notes that a discovery of attributes of this type has covered these handles; without a type, of all attributes.
    mutating func cover(_ start: UInt16, _ end: UInt16, _ type: BluetoothUUID?) {
        switch type {
        case .primaryService?: servicesCovered.insert(Int(start), Int(end))
        case .characteristic?: characteristicsCovered.insert(Int(start), Int(end))
        case nil: typesCovered.insert(Int(start), Int(end))
        default: break
        }
    }

    /// Notes that an attribute was used. True if it is the first whose type isn't known.
    mutating func use(_ handle: UInt16) -> Bool {
        guard !used.contains(handle), hasRoom() else { return false }
        used.insert(handle)
        guard !isKnown(handle) else { return false }
        hasChanged = true
        guard !hasUnknown else { return false }
        hasUnknown = true
        return true
    }

    private func isKnown(_ handle: UInt16) -> Bool {
        types[handle] != nil || valueHandles.contains(handle) || characteristics[handle] != nil
            || services[handle] != nil
    }

    // MARK: Result

    /// Whether all services, characteristics and descriptors are known.
    mutating func isComplete() -> Bool {
        guard servicesCovered.contain(1, 0xFFFF), !isFull else { return false }
        if hasNoGap { return true }
        if let gap, !isComplete(gap) { return false }
        gap = serviceHandles.handles.first { !isComplete($0) }
        hasNoGap = gap == nil
        return hasNoGap
    }

    private func isComplete(_ start: UInt16) -> Bool {
        guard let service = services[start], start < .max else { return true }
        let end = Int(service.end ?? start)
        guard characteristicsCovered.contain(Int(start) + 1, end) else { return false }
        let limit = min(end, lastHandle(of: start))
        var value: Int?
        for handle in declarationHandles.from(start &+ 1) {
            if Int(handle) > limit { break }
            guard let declaration = declaration(handle) else { continue }
            if let value, !typesCovered.contain(value + 1, Int(handle) - 1) { return false }
            value = Int(declaration.valueHandle)
        }
        return value.map { typesCovered.contain($0 + 1, end) } ?? true
    }

    /// The last handle of a service, in front of the next one.
    private func lastHandle(of start: UInt16) -> Int {
        let limit = serviceHandles.from(start &+ 1).first { $0 > start }.map { Int($0) - 1 } ?? 0xFFFF
        return min(max(services[start]?.end.map { Int($0) } ?? limit, Int(start)), limit)
    }

    /// The database, if anything is known of it.
    mutating func recorded(_ device: BluetoothAddress, isServedHere: Bool) -> RecordedDatabase? {
        let unknown = used.filter { !isKnown($0) }.sorted()
        guard !services.isEmpty || !unknown.isEmpty else { return nil }
        var database = RecordedDatabase(
            device: device, isServedHere: isServedHere, services: build(), isComplete: isComplete())
        database.unknownHandles = unknown
        return database
    }

    private func build() -> [ServiceDescription] {
        var result: [ServiceDescription] = []
        var next = declarationHandles.handles[...]
        var descriptors = self.descriptors()[...]
        var includes = self.includes.sorted { $0.key < $1.key }[...]
        for start in serviceHandles.handles {
            guard let service = services[start] else { continue }
            let end = lastHandle(of: start)
            var built = ServiceDescription(
                handle: start, end: service.end, uuid: service.uuid, isPrimary: service.isPrimary)
            next = next.drop { $0 <= start }
            while let handle = next.first, Int(handle) <= end {
                next.removeFirst()
                guard let known = declaration(handle) else { continue }
                let after = next.first.map { Int($0) }.flatMap { $0 <= end ? $0 - 1 : nil } ?? end
                var characteristic = CharacteristicDescription(
                    handle: handle, valueHandle: known.valueHandle, uuid: known.uuid, properties: known.properties)
                descriptors = descriptors.drop { $0.handle <= known.valueHandle && Int($0.handle) <= after }
                while let descriptor = descriptors.first, Int(descriptor.handle) <= after {
                    characteristic.descriptors.append(descriptor)
                    descriptors.removeFirst()
                }
                built.characteristics.append(characteristic)
            }
            includes = includes.drop { $0.key < start }
            while let include = includes.first, Int(include.key) <= end {
                built.includes.append(include.value)
                includes.removeFirst()
            }
            result.append(built)
        }
        return result
    }

    /// A characteristic, also if only the types of its attributes are known.
    private func declaration(_ handle: UInt16) -> Characteristic? {
        if let known = characteristics[handle] { return known }
        guard handle < .max, types[handle] == .characteristic, let uuid = types[handle + 1] else { return nil }
        return Characteristic(uuid: uuid, valueHandle: handle + 1, properties: [])
    }

    /// The attributes that are no declarations, in the order of their handles.
    private func descriptors() -> [DescriptorDescription] {
        types.filter { !BluetoothUUID.declarations.contains($0.value) }.sorted { $0.key < $1.key }.map {
            DescriptorDescription(handle: $0.key, uuid: $0.value)
        }
    }
}
