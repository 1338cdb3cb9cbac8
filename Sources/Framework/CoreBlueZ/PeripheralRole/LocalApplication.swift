import BlueZClient
import BlueZDBus

/// A service with those that it includes, as an application of its own: bluetoothd ignores objects that are added to an
/// application after its registration (src/gatt-database.c: client_ready_cb, proxy_added_cb), so services that come
/// and go need separate ones.
@BluetoothActor final class LocalApplication: LocalRegistration {
    private static var lastNumber = 0

    let service: LocalService
    /// The services, each after those that it includes, because bluetoothd adds them in this order.
    let services: [LocalService]
    private let path: ObjectPath
    private weak var manager: PeripheralManager?

    init(_ service: LocalService, of manager: PeripheralManager) throws(DBusError) {
        self.service = service
        self.manager = manager
        var services: [LocalService] = []
        Self.collect(service, &services)
        self.services = services
        Self.lastNumber += 1
        path = try ObjectPath("/org/corebluez/services/\(Self.lastNumber)")
        super.init("Publishing \(service.uuid)", manager.client)
    }

    private static func collect(_ service: LocalService, _ services: inout [LocalService]) {
        guard !services.contains(where: { $0 === service }) else { return }
        for included in service.includedServices { collect(included, &services) }
        services.append(service)
    }

    override class var methods: (interface: String, register: String, unregister: String) {
        (BlueZ.gattManager, "RegisterApplication", "UnregisterApplication")
    }

    override var root: ObjectPath { path }

    override func export(on connection: Connection) throws(DBusError) {
        connection.exportObjectManager(at: path)
        var paths: [ObjectIdentifier: ObjectPath] = [:]
        for (index, service) in services.enumerated() {
            service.manager = manager
            let path = try path.appending("service" + Self.number(index))
            paths[ObjectIdentifier(service)] = path
            let includes = service.includedServices.compactMap { paths[ObjectIdentifier($0)] }
            connection.export(service.exported(includes: includes), at: path)
            for (index, characteristic) in service.characteristics.enumerated() {
                try export(characteristic, at: path.appending("char" + Self.number(index)), below: path, on: connection)
            }
        }
    }

    private func export(
        _ characteristic: LocalCharacteristic, at path: ObjectPath, below service: ObjectPath, on connection: Connection
    ) throws(DBusError) {
        characteristic.manager = manager
        characteristic.path = path
        connection.export(characteristic.exported(below: service), at: path)
        for (index, descriptor) in characteristic.descriptors.enumerated() {
            let descriptorPath = try path.appending("desc" + Self.number(index))
            descriptor.manager = manager
            descriptor.path = descriptorPath
            connection.export(descriptor.exported(below: path), at: descriptorPath)
        }
    }

    /// Numbers of equal length, because objects are listed in the order of their paths.
    private static func number(_ index: Int) -> String {
        let digits = "\(index)"
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    override func changed(isRegistered: Bool) -> PeripheralEvent? {
        for service in services {
            service.isPublished = isRegistered
            if isRegistered { service.didPublish() } else { service.didUnpublish() }
        }
        return isRegistered ? .published(service) : .unpublished(service)
    }

    override func failure(_ error: BluetoothError) -> PeripheralEvent? { .publishingFailed(service, error) }

    override func unexport(from connection: Connection) {
        for path in connection.exportedPaths where self.path.contains(path) { connection.unexport(path) }
        connection.unexport(path)
    }

    /// Forgets handles, subscriptions and sockets.
    ///
    /// - Parameter error: the error with which indications and values end that wait.
    override func unbind(_ error: BluetoothError) {
        for service in services {
            service.isPublished = false
            service.handle = nil
            for attribute in service.attributes { attribute.unbind(error) }
        }
    }

    /// Releases the services, so that they can be published again.
    ///
    /// - Parameter error: the error with which indications and values end that wait.
    override func release(_ error: BluetoothError) {
        unbind(error)
        for service in services {
            service.manager = nil
            for attribute in service.attributes { attribute.manager = nil }
        }
    }
}

extension BluetoothError {
    /// The error of values that wait when their service goes.
    static var serviceUnpublished: BluetoothError {
        BluetoothError(.attributeGone, "The service is no longer published")
    }
}
