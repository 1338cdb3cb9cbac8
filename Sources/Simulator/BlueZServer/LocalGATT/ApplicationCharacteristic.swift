import BlueZDBus
import BlueZValues

/// A characteristic of an application.
@BlueZServerActor final class ApplicationCharacteristic: ApplicationAttribute {
    let object: ApplicationObject
    let flags: ApplicationFlags
    let database: LocalDatabase
    private(set) var attribute: LocalAttribute?
    private(set) var configuration: LocalAttribute?
    var pendingReads: [LocalRequest] = []
    var pendingWrites: [LocalRequest] = []
    var isAuthorized = false
    /// How many centrals have switched notifications or indications on.
    var subscriptionCount = 0
    var writeSockets: [ApplicationSocket] = []
    var notifySockets: [ApplicationSocket] = []

    init(_ object: ApplicationObject, _ flags: ApplicationFlags, _ database: LocalDatabase) {
        self.object = object
        self.flags = flags
        self.database = database
    }

    /// database_add_chrc()
    func publish(in service: DatabaseService, of path: ObjectPath, descriptors: [ApplicationDescriptor]) -> Bool {
        guard let handle = object.handle, let uuid = object.uuid, object.path("Service") == path,
            let attribute = service.addCharacteristic(
                uuid, flags.properties, permissions: flags.permissions, handle: handle)
        else { return false }
        attribute.reader = { [weak self] request in self?.read(request) }
        attribute.writer = { [weak self] request in self?.write(request) }
        self.attribute = attribute
        if canUpdate {
            configuration = database.addConfiguration(
                to: service, permissions: flags.configurationPermissions
            ) { [weak self] value, request in self?.configure(value, request) }
            guard configuration != nil else { return false }
        }
        if flags.extendedProperties != 0 {
            let value = [flags.extendedProperties, 0]
            guard service.addDescriptor(.extendedProperties, permissions: .read, value: value) != nil else {
                return false
            }
        }
        if handle == 0 { object.set(handle: attribute.handle) }
        return descriptors.allSatisfy { $0.publish(in: service) }
    }

    private var canUpdate: Bool { !flags.properties.isDisjoint(with: [.notify, .indicate]) }

    /// chrc_write_cb(). If the characteristic can be written without a response, bluetoothd does not wait for the
    /// application: each write succeeds at once.
    private func write(_ request: LocalRequest) {
        if authorize(request, send: { forward($0, asksForAuthorization: true) }) { return }
        if let socket = socket(for: request, among: writeSockets) {
            return request.finish(socket.send(request.value) ? .success([]) : .failure(.unlikelyError))
        }
        if object.properties["WriteAcquired"] != nil { return acquireWrite(request) }
        forward(request)
    }

    private func forward(_ request: LocalRequest, asksForAuthorization: Bool = false) {
        guard flags.properties.contains(.writeWithoutResponse) else {
            return send(request, asksForAuthorization: asksForAuthorization)
        }
        let options = options(request, asksForAuthorization: asksForAuthorization)
        object.call("WriteValue", [.bytes(request.value), options])
        request.finish(.success([]))
    }

    /// A changed `Value` is sent to all centrals that are subscribed.
    func valueChanged(_ value: Value?) {
        switch value {
        case nil: update([])
        case .bytes(let bytes)?: update(bytes)
        default: break
        }
    }

    /// Notifies or indicates a value. `Confirm` is called for each central that confirms it.
    func update(_ value: [UInt8], to identity: DeviceIdentity? = nil, confirmed: (@BlueZServerActor () -> Void)? = nil)
    {
        guard let attribute, let configuration else { return }
        database.notify(
            value, from: attribute, configuration, only: identity, isIndicated: flags.properties.contains(.indicate),
            confirmed: confirmed ?? { [object] in object.call("Confirm") })
    }

    func withdraw() {
        closeSockets()
        cancelRequests()
        attribute = nil
        configuration = nil
    }
}
