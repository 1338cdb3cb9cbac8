import BlueZClient
import BlueZDBus

extension Peripheral {
    /// Finds the services of the connected peripheral, and binds the declared ones. bluetoothd discovers them when the
    /// link comes up. This operation waits for that.
    ///
    /// It fails with these codes, in addition to those of every operation (see ``Peripheral``):
    /// - `notConnected` or `disconnected` if there is no link, or the link ends.
    /// - `discoveryFailed` if bluetoothd found no services.
    /// - `timedOut` if bluetoothd does not finish within 60 s.
    ///
    /// - Parameters:
    ///   - uuids: the services to pass to the completion; nil, the default, means all. bluetoothd always discovers all.
    ///   - completion: gets the services, ordered by handle, or the error.
    public func discoverServices(
        _ uuids: [BluetoothUUID]? = nil,
        completion: @escaping @BluetoothActor ([Service]?, BluetoothError?) -> Void
    ) {
        startDiscoveringServices(uuids) { $0.split(completion) }
    }

    /// Finds the services of the connected peripheral; the async form of `discoverServices(_:completion:)`.
    @discardableResult
    public func discoverServices(_ uuids: [BluetoothUUID]? = nil) async throws(BluetoothError) -> [Service] {
        try await AsyncBridge.wait { startDiscoveringServices(uuids, $0) }
    }

    /// - Parameter withDescriptors: whether to bind the descriptors of the services that the completion gets.
    @discardableResult
    func startDiscoveringServices(
        _ uuids: [BluetoothUUID]?,
        withDescriptors: Bool = false,
        _ completion: @escaping @BluetoothActor (Result<[Service], BluetoothError>) -> Void
    ) -> Operation<[Service]> {
        let operation: Operation<[Service]> = begin(
            "Discovering the services of", needsConnection: true,
            limit: central?.client.timeouts.services ?? Timeouts.services
        ) { result in
            if withDescriptors, case .success(let services) = result {
                for characteristic in services.flatMap(\.characteristics) { characteristic.bindDescriptors() }
            }
            completion(result)
        }
        BluetoothActor.perform { [self] in
            guard properties != nil else { return operation.fail(goneError) }
            guard isConnected else {
                return operation.fail(BluetoothError(.notConnected, "\(operation.title): connect first"))
            }
            collect(operation, uuids)
            link.observe(during: operation) { [weak self] _ in self?.collect(operation, uuids) }
        }
        return operation
    }

    /// Binds everything when it is in the mirror. bluetoothd signals `ServicesResolved` before the services' objects.
    /// They are complete after its next reply.
    private func collect(_ operation: Operation<[Service]>, _ uuids: [BluetoothUUID]?) {
        guard operation.isPending, let properties, properties.areServicesResolved else { return }
        guard properties.areServicesComplete else {
            central?.client.completeServices(of: path) { [weak self] error in
                if let error { operation.fail(error) } else { self?.collect(operation, uuids) }
            }
            return
        }
        hasDiscoveredServices = true
        bind()
        let bound = services.filter(\.isDiscovered).sorted { $0.handle < $1.handle }
        guard !bound.isEmpty else {
            return operation.fail(
                BluetoothError(.discoveryFailed, "\(operation.title): BlueZ found none; disconnect and connect again")
            )
        }
        operation.succeed(bound.filter { uuids?.contains($0.uuid) ?? true })
    }

    /// Binds each declared service to the first one with its UUID, keeps the objects of other services that still
    /// exist, and creates objects for new ones.
    private func bind() {
        guard let mirror = central?.client.mirror else { return }
        var free = mirror.attributes(below: path, in: mirror.services)
        let take = { (uuid: BluetoothUUID, path: ObjectPath?) -> ObjectPath? in
            let index = free.firstIndex { $0 == path } ?? free.firstIndex { mirror.services[$0]?.uuid == uuid }
            return index.map { free.remove(at: $0) }
        }
        for service in declaredServices { service.bind(to: take(service.uuid, nil)) }
        var others = Array(services.dropFirst(declaredServices.count))
        for service in others { service.bind(to: take(service.uuid, service.path)) }
        others.removeAll { !$0.isDiscovered }
        for path in free {
            guard let uuid = mirror.services[path]?.uuid else { continue }
            let service = Service(uuid: uuid)
            service.peripheral = self
            service.bind(to: path)
            others.append(service)
        }
        services = declaredServices + others.sorted { $0.handle < $1.handle }
    }

    /// Unbinds everything, because the objects are gone.
    func unbind() {
        hasDiscoveredServices = false
        for service in services { service.bind(to: nil) }
        feed.noteChange()
    }

    func attributeWasRemoved(_ attribute: ObjectPath) {
        for service in services {
            if service.path == attribute { service.bind(to: nil) } else { service.attributeWasRemoved(attribute) }
        }
        feed.noteChange()
    }

    /// Reports changed services, once for all signals of a change: when the services are resolved again and bluetoothd
    /// has sent the last signal.
    func servicesWereModified() {
        guard isConnected, !areChangedServicesUnreported else { return }
        areChangedServicesUnreported = true
        reportChangedServices()
    }

    func reportChangedServices() {
        guard properties?.areServicesResolved == true else { return }
        central?.client.completeServices(of: path) { [weak self] error in
            guard let self, error == nil, self.areChangedServicesUnreported else { return }
            guard let properties = self.properties, properties.areServicesResolved else { return }
            guard properties.areServicesComplete else { return self.reportChangedServices() }
            self.areChangedServicesUnreported = false
            if self.hasDiscoveredServices { self.didModifyServices() }
            self.central?.tell(.servicesChanged(self))
        }
    }
}

extension Peripheral {
    /// The UUIDs of the services, declared or discovered.
    public var serviceUUIDs: [BluetoothUUID] { services.map(\.uuid) }

    /// Returns the UUIDs of the services with these names, in the same order, for `discoverServices`. Unknown names are
    /// left out.
    public func serviceUUIDs(named names: [String]) -> [BluetoothUUID] {
        names.compactMap { name in services.first { $0.name == name }?.uuid }
    }
}
