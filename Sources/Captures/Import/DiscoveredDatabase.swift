import BluetoothValues
import Recording

/// What the responses to a discovery say about a database.
struct DiscoveredDatabase: Equatable {
    /// The types of declarations.
    static let primaryService: BluetoothUUID = 0x2800
    static let secondaryService: BluetoothUUID = 0x2801
    static let include: BluetoothUUID = 0x2802
    static let characteristic: BluetoothUUID = 0x2803

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
    private var includes: [UInt16: RecordedDatabase.Include] = [:]
    private var characteristics: [UInt16: Characteristic] = [:]
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
    /// Whether something was left out because of the limit.
    private(set) var isFull = false

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
        isFull = isFull || count >= Self.mostAttributes
        return !isFull
    }

    // MARK: Responses

    mutating func addService(_ handle: UInt16, end: UInt16?, uuid: BluetoothUUID, isPrimary: Bool) {
        guard hasRoom() else { return }
        services[handle] = Service(uuid: uuid, end: end, isPrimary: isPrimary)
    }

    mutating func addInclude(_ handle: UInt16, _ include: RecordedDatabase.Include) {
        if hasRoom() { includes[handle] = include }
    }

    mutating func addCharacteristic(
        _ handle: UInt16, valueHandle: UInt16, uuid: BluetoothUUID, properties: CharacteristicProperties
    ) {
        // The value is behind its declaration (Core Specification, volume 3, part G, 3.3.2).
        guard handle < valueHandle, hasRoom() else { return }
        characteristics[handle] = Characteristic(uuid: uuid, valueHandle: valueHandle, properties: properties)
        valueHandles.insert(valueHandle)
    }

    mutating func addType(_ handle: UInt16, _ uuid: BluetoothUUID) {
        if hasRoom() { types[handle] = uuid }
    }

    /// Notes that a discovery of attributes of this type has covered these handles; without a type, of all attributes.
    mutating func cover(_ start: UInt16, _ end: UInt16, _ type: BluetoothUUID?) {
        switch type {
        case Self.primaryService?: servicesCovered.insert(Int(start), Int(end))
        case Self.characteristic?: characteristicsCovered.insert(Int(start), Int(end))
        case nil: typesCovered.insert(Int(start), Int(end))
        default: break
        }
    }

    /// Notes that an attribute was used. True if it is the first whose type isn't known.
    mutating func use(_ handle: UInt16) -> Bool {
        guard !used.contains(handle), hasRoom() else { return false }
        used.insert(handle)
        guard !hasUnknown, !isKnown(handle) else { return false }
        hasUnknown = true
        return true
    }

    private func isKnown(_ handle: UInt16) -> Bool {
        types[handle] != nil || valueHandles.contains(handle) || characteristics[handle] != nil
            || services[handle] != nil
    }

    // MARK: Result

    /// Whether all services, characteristics and descriptors are known.
    var isComplete: Bool {
        guard servicesCovered.contain(1, 0xFFFF), !isFull else { return false }
        return build().allSatisfy { service in
            let end = Int(service.end ?? service.handle)
            guard characteristicsCovered.contain(Int(service.handle) + 1, end) else { return false }
            let starts = service.characteristics.map { Int($0.handle) } + [end + 1]
            return zip(service.characteristics, starts.dropFirst()).allSatisfy { characteristic, next in
                typesCovered.contain(Int(characteristic.valueHandle) + 1, next - 1)
            }
        }
    }

    /// The database, if anything is known of it.
    func recorded(_ device: BluetoothAddress, isServedHere: Bool) -> RecordedDatabase? {
        let unknown = used.filter { !isKnown($0) }.sorted()
        guard !services.isEmpty || !unknown.isEmpty else { return nil }
        var database = RecordedDatabase(
            device: device, isServedHere: isServedHere, services: build(), isComplete: isComplete)
        database.unknownHandles = unknown
        return database
    }

    private func build() -> [RecordedDatabase.Service] {
        var result: [RecordedDatabase.Service] = []
        let starts = services.keys.sorted()
        let declarations = self.declarations()
        let order = declarations.keys.sorted()
        var next = order.startIndex
        var descriptors = self.descriptors()[...]
        for (index, start) in starts.enumerated() {
            guard let service = services[start] else { continue }
            let limit = index + 1 < starts.count ? starts[index + 1] - 1 : 0xFFFF
            let end = min(max(service.end ?? limit, start), limit)
            var built = RecordedDatabase.Service(
                uuid: service.uuid, handle: start, end: service.end, isPrimary: service.isPrimary)
            while next < order.endIndex, order[next] <= start { next += 1 }
            while next < order.endIndex, order[next] <= end {
                let handle = order[next]
                next += 1
                guard let known = declarations[handle] else { continue }
                let after = next < order.endIndex && order[next] <= end ? order[next] - 1 : end
                var characteristic = RecordedDatabase.Characteristic(
                    uuid: known.uuid, handle: handle, valueHandle: known.valueHandle, properties: known.properties)
                descriptors = descriptors.drop { $0.handle <= known.valueHandle && $0.handle <= after }
                while let descriptor = descriptors.first, descriptor.handle <= after {
                    characteristic.descriptors.append(descriptor)
                    descriptors.removeFirst()
                }
                built.characteristics.append(characteristic)
            }
            built.includes = includes.filter { $0.key >= start && $0.key <= end }.sorted { $0.key < $1.key }.map(
                \.value)
            result.append(built)
        }
        return result
    }

    /// The characteristics, with those of which only the types of their attributes are known.
    private func declarations() -> [UInt16: Characteristic] {
        var declarations = characteristics
        for (handle, type) in types where type == Self.characteristic && declarations[handle] == nil {
            guard handle < .max, let uuid = types[handle + 1] else { continue }
            declarations[handle] = Characteristic(uuid: uuid, valueHandle: handle + 1, properties: [])
        }
        return declarations
    }

    /// The attributes that are no declarations, in the order of their handles.
    private func descriptors() -> [RecordedDatabase.Descriptor] {
        let declarations = [Self.primaryService, Self.secondaryService, Self.include, Self.characteristic]
        return types.filter { !declarations.contains($0.value) }.sorted { $0.key < $1.key }.map {
            RecordedDatabase.Descriptor(uuid: $0.value, handle: $0.key)
        }
    }
}
