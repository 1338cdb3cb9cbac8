import DBus

extension Peripheral {
    /// Finds the services of the connected peripheral and binds the declared ones.
    ///
    /// - Parameters:
    ///   - uuids: which services the completion shall get; nil means all. bluetoothd always finds all.
    ///   - completion: gets the services by handle, or why they could not be found.
    public func discoverServices(
        _ uuids: [BluetoothUUID]? = nil,
        completion: @escaping @BluetoothActor ([Service]?, BluetoothError?) -> Void
    ) {
        startDiscoveringServices(uuids) { result in
            switch result {
            case .success(let services): completion(services, nil)
            case .failure(let error): completion(nil, error)
            }
        }
    }

    @discardableResult
    func startDiscoveringServices(
        _ uuids: [BluetoothUUID]?,
        _ completion: @escaping @BluetoothActor (Result<[Service], BluetoothError>) -> Void
    ) -> Operation<[Service]> {
        let operation: Operation<[Service]> = begin(
            "Discovering the services", needsConnection: true,
            deadline: central?.client.limits.services ?? Deadline.services, completion
        )
        BluetoothActor.later { [weak self] in
            guard let self else { return }
            guard self.properties != nil else { return operation.fail(self.goneError) }
            guard self.isConnected else {
                return operation.fail(BluetoothError(.notConnected, "\(operation.title): connect first"))
            }
            self.waitUntilResolved(operation, uuids)
        }
        return operation
    }

    private func waitUntilResolved(_ operation: Operation<[Service]>, _ uuids: [BluetoothUUID]?) {
        guard operation.isPending else { return }
        if properties?.areServicesResolved == true { return collect(operation, uuids) }
        linkWaiters.append { [weak self] _ in self?.waitUntilResolved(operation, uuids) }
    }

    /// `ServicesResolved` is signalled before the services' objects are, so the objects are taken by a call, once.
    private func collect(_ operation: Operation<[Service]>, _ uuids: [BluetoothUUID]?) {
        guard let client = central?.client else { return operation.fail(goneError) }
        if properties?.areServicesComplete == true { return finish(operation, uuids) }
        client.refresh { [weak self] error in
            guard let self, operation.isPending else { return }
            if let error { return operation.fail(error) }
            guard self.properties?.areServicesResolved == true else { return self.waitUntilResolved(operation, uuids) }
            self.finish(operation, uuids)
        }
    }

    private func finish(_ operation: Operation<[Service]>, _ uuids: [BluetoothUUID]?) {
        hasDiscoveredServices = true
        bind()
        let bound = services.filter { $0.path != nil }.sorted { $0.handle < $1.handle }
        guard !bound.isEmpty else {
            return operation.fail(
                BluetoothError(.discoveryFailed, "\(operation.title): BlueZ found none; disconnect and connect again")
            )
        }
        operation.succeed(bound.filter { uuids?.contains($0.uuid) ?? true })
    }

    /// Binds each declared service to the first of its UUID, keeps the objects of others that are still there, and
    /// makes objects for new ones.
    private func bind() {
        guard let mirror = central?.client.mirror else { return }
        let paths = mirror.attributes(below: path, in: mirror.services)
        var free = paths
        let take = { (uuid: BluetoothUUID, path: ObjectPath?) -> ObjectPath? in
            let index = free.firstIndex { $0 == path } ?? free.firstIndex { mirror.services[$0]?.uuid == uuid }
            return index.map { free.remove(at: $0) }
        }
        for service in declaredServices { service.bind(to: take(service.uuid, nil)) }
        var others: [Service] = []
        for service in services.dropFirst(declaredServices.count) {
            guard let path = take(service.uuid, service.path) else {
                service.bind(to: nil)
                continue
            }
            service.bind(to: path)
            others.append(service)
        }
        for path in free {
            guard let uuid = mirror.services[path]?.uuid else { continue }
            let service = Service(uuid: uuid)
            service.peripheral = self
            service.bind(to: path)
            others.append(service)
        }
        services = declaredServices + others.sorted { $0.handle < $1.handle }
    }

    /// Nothing is bound any more: the objects are gone.
    func unbind() {
        hasDiscoveredServices = false
        for service in services { service.bind(to: nil) }
    }

    func attributeWasRemoved(_ attribute: ObjectPath) {
        for service in services {
            if service.path == attribute { service.bind(to: nil) } else { service.attributeWasRemoved(attribute) }
        }
        servicesWereModified()
    }

    /// Tells of changed services once for all signals of a change, and not before they are resolved again.
    func servicesWereModified() {
        guard hasDiscoveredServices, isConnected else { return }
        areChangedServicesUnreported = true
        BluetoothActor.later { [weak self] in self?.reportChangedServices() }
    }

    func reportChangedServices() {
        guard areChangedServicesUnreported, properties?.areServicesResolved == true else { return }
        areChangedServicesUnreported = false
        didModifyServices()
    }
}
