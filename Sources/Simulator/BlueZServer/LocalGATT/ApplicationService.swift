import BlueZDBus
import BlueZValues

/// A service of an application.
@BlueZServerActor final class ApplicationService {
    let object: ApplicationObject
    private(set) var characteristics: [ApplicationCharacteristic] = []
    private(set) var descriptors: [ApplicationDescriptor] = []
    /// The service in the database.
    private(set) var service: DatabaseService?
    private let database: LocalDatabase
    /// The number of handles that the attributes need.
    private var count: UInt16 = 1

    init(_ object: ApplicationObject, _ database: LocalDatabase) {
        self.object = object
        self.database = database
    }

    /// chrc_create(): false if the flags are missing or unknown.
    func add(characteristic object: ApplicationObject) -> Bool {
        guard let flags = ApplicationFlags(characteristic: object.properties["Flags"]) else { return false }
        let characteristic = ApplicationCharacteristic(object, flags, database)
        let needsConfiguration = !flags.properties.isDisjoint(with: [.notify, .indicate])
        guard reserve(2 + (needsConfiguration ? 1 : 0) + (flags.extendedProperties != 0 ? 1 : 0)) else { return false }
        characteristics.append(characteristic)
        return true
    }

    /// desc_create()
    func add(descriptor object: ApplicationObject, of characteristic: ObjectPath) -> Bool {
        guard let flags = ApplicationFlags(descriptor: object.properties["Flags"]), reserve(1) else { return false }
        descriptors.append(ApplicationDescriptor(object, flags, of: characteristic, database))
        return true
    }

    private func reserve(_ handles: UInt16) -> Bool {
        let (sum, overflow) = count.addingReportingOverflow(handles)
        if !overflow { count = sum }
        return !overflow
    }

    /// database_add_service(): false if a property is wrong or a handle not free.
    ///
    /// - Parameter services: those of the application, by their paths.
    func publish(among services: [ObjectPath: ApplicationService]) -> Bool {
        guard let uuid = object.uuid, case .boolean(let isPrimary)? = object.properties["Primary"],
            let includes, reserve(UInt16(clamping: includes.count)), let handle = object.handle,
            let service = database.addService(uuid, isPrimary: isPrimary, handle: handle, count: count)
        else { return false }
        self.service = service
        if handle == 0 { object.set(handle: service.handles.lowerBound) }
        // A service that is not there yet is not included. bluetoothd only logs it.
        for path in includes {
            if let other = services[path]?.service { _ = service.include(other) }
        }
        let descriptors = Dictionary(grouping: descriptors, by: \.characteristic)
        for characteristic in characteristics {
            let own = descriptors[characteristic.object.path] ?? []
            guard characteristic.publish(in: service, of: object.path, descriptors: own) else {
                withdraw()
                return false
            }
        }
        database.activate(service)
        return true
    }

    /// parse_includes(): nil if the property has the wrong type.
    private var includes: [ObjectPath]? {
        guard let value = object.properties["Includes"] else { return [] }
        guard case .array(let type, let elements) = value, elements.isEmpty || type == "o" else { return nil }
        return elements.compactMap { if case .objectPath(let path) = $0 { path } else { nil } }
    }

    /// service_free(): pending requests get an error, and the attributes are gone.
    func withdraw() {
        for characteristic in characteristics { characteristic.withdraw() }
        for descriptor in descriptors { descriptor.withdraw() }
        if let service { database.remove(service) }
        service = nil
    }
}
