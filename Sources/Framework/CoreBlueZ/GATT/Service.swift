import BlueZClient
import BlueZDBus
import FoundationEssentials

/// A service of a peripheral. It has characteristics, and receives their notifications.
///
/// To use a service, subclass it: declare the characteristics with `addCharacteristic` in `init`, override
/// `notificationHandler(_:error:)`, and store decoded values in properties. Without a subclass, set `updateHandler`.
@BluetoothActor open class Service {
    /// The name that the initializer declared, or the text of the UUID.
    public let name: String

    /// The UUID that identifies the kind of service. A peripheral can have several services with the same one.
    public let uuid: BluetoothUUID

    /// The base UUID for `addCharacteristic(_:offset:)`; by default `uuid`.
    public let base: BluetoothUUID

    /// The peripheral of the service; nil if the peripheral was released, or `addService` was not called.
    public internal(set) var peripheral: Peripheral? {
        get { owner }
        set { owner = newValue }
    }

    /// The characteristics: the declared ones first, in the order of declaration, then the others that were discovered.
    public private(set) var characteristics: [Characteristic] = []

    /// Called for each notification, if no subclass overrides `notificationHandler(_:error:)`.
    public var updateHandler: (@BluetoothActor (Characteristic, BluetoothError?) -> Void)? {
        get { handler }
        set { handler = newValue }
    }

    private(set) var path: ObjectPath?
    // Stored separately from the public property because of exclusivity checks (CONTRIBUTING, "Fast code").
    private weak var owner: Peripheral?
    private var handler: (@BluetoothActor (Characteristic, BluetoothError?) -> Void)?
    /// The paths of the included services, if they have been discovered.
    var includedPaths: [ObjectPath] = []
    /// If this is a placeholder for a missing service, the description of it.
    var absence: String?
    private var declaredCount = 0

    /// Declares a service.
    ///
    /// - Parameters:
    ///   - name: the name by which the program looks up the service.
    ///   - uuid: the UUID of the service.
    ///   - base: the base UUID for characteristics whose UUIDs are given as offsets. By default it is the service's own
    ///     UUID, whose third and fourth bytes an offset replaces.
    public init(name: String, uuid: BluetoothUUID, base: BluetoothUUID? = nil) {
        self.name = name
        self.uuid = uuid
        self.base = base ?? uuid
    }

    /// Declares a service whose UUID is a base UUID with `offset` in its third and fourth bytes. If the base is zero,
    /// `offset` is a UUID that the Bluetooth SIG assigned, and so are the offsets of the service's characteristics.
    public init(name: String, base: BluetoothUUID, offset: UInt16) {
        self.name = name
        uuid = base.declaring(offset)
        self.base = base
    }

    /// Declares a service whose UUID is a base UUID plus `offset`, added as 128-bit numbers. If the base is zero,
    /// `offset` is a UUID that the Bluetooth SIG assigned, and so are the offsets of the service's characteristics.
    public init(name: String, base: BluetoothUUID, adding offset: UInt64) {
        self.name = name
        uuid = base.declaring(adding: offset)
        self.base = base
    }

    /// Creates a service that was discovered, but not declared.
    convenience init(uuid: BluetoothUUID) {
        self.init(name: uuid.description, uuid: uuid)
    }

    /// Whether the peripheral's class declared the service with `addService`; false if it was only discovered.
    public internal(set) var isDeclared = false

    /// Whether discovery has found the service on the peripheral.
    public var isDiscovered: Bool { path != nil }

    /// The handle of the service's declaration; 0 until it is discovered.
    public var handle: UInt16 {
        guard let path else { return 0 }
        return peripheral?.central?.client.mirror.services[path]?.handle ?? 0
    }

    /// Whether the service is a primary one, not only included by others; true until it is discovered.
    public var isPrimary: Bool {
        guard let path else { return true }
        return peripheral?.central?.client.mirror.services[path]?.isPrimary ?? true
    }

    // MARK: Declaring characteristics

    /// Declares a characteristic by its UUID. Call it in `init` of a subclass.
    @discardableResult
    public func addCharacteristic(_ name: String, uuid: BluetoothUUID) -> Characteristic {
        let characteristic = Characteristic(name: name, uuid: uuid, service: self)
        characteristics.insert(characteristic, at: declaredCount)
        declaredCount += 1
        return characteristic
    }

    /// Declares a characteristic whose UUID is the base UUID with `offset` in its third and fourth bytes.
    @discardableResult
    public func addCharacteristic(_ name: String, offset: UInt16) -> Characteristic {
        addCharacteristic(name, uuid: base.declaring(offset))
    }

    /// Returns the characteristic with a name or, if there is none and the name is a UUID, with that UUID.
    public subscript(name: String) -> Characteristic? {
        characteristics.first { $0.name == name } ?? BluetoothUUID(name).flatMap { self[$0] }
    }

    /// Returns the first characteristic with a UUID, declared or discovered.
    public subscript(uuid: BluetoothUUID) -> Characteristic? {
        characteristics.first { $0.uuid == uuid }
    }

    // MARK: Hooks

    /// Called for each notification or indication of a characteristic whose notifications are on; the new value is
    /// `characteristic.value`. Reads do not call it.
    ///
    /// Override it, or set `updateHandler`. If there is an error, notifications have ended with the link.
    open func notificationHandler(_ characteristic: Characteristic, error: BluetoothError?) {
        handler?(characteristic, error)
    }

    /// Called when the link has ended. Override it to reset state that the peripheral loses with the link.
    open func didDisconnect() {}

    // MARK: Binding

    func bind(to newPath: ObjectPath?) {
        if newPath != path { includedPaths = [] }
        path = newPath
        guard let newPath, let mirror = peripheral?.central?.client.mirror else {
            for characteristic in characteristics { characteristic.bind(to: nil) }
            return
        }
        var free = mirror.attributes(below: newPath, in: mirror.characteristics)
        let take = { (uuid: BluetoothUUID, path: ObjectPath?) -> ObjectPath? in
            let index = free.firstIndex { $0 == path } ?? free.firstIndex { mirror.characteristics[$0]?.uuid == uuid }
            return index.map { free.remove(at: $0) }
        }
        for characteristic in characteristics {
            characteristic.bind(to: take(characteristic.uuid, characteristic.path))
        }
        characteristics.removeAll { !$0.isDeclared && $0.path == nil }
        for path in free {
            guard let uuid = mirror.characteristics[path]?.uuid else { continue }
            let characteristic = Characteristic(name: nil, uuid: uuid, service: self)
            characteristic.bind(to: path)
            characteristics.append(characteristic)
        }
    }

    func attributeWasRemoved(_ attribute: ObjectPath) {
        for characteristic in characteristics {
            if characteristic.path == attribute {
                characteristic.bind(to: nil)
            } else {
                characteristic.attributeWasRemoved(attribute)
            }
        }
    }

    func linkDidEnd(_ error: BluetoothError) {
        for characteristic in characteristics { characteristic.linkDidEnd(error) }
        didDisconnect()
    }

    func leave(_ client: BlueZClient, _ error: BluetoothError) {
        for characteristic in characteristics { characteristic.leave(client, error) }
    }
}

extension Service: Hashable, Identifiable {
    /// Returns whether both are the same object.
    public nonisolated static func == (left: Service, right: Service) -> Bool { left === right }

    /// Hashes the object's identity.
    public nonisolated func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
