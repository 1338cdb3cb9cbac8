import BlueZValues

extension LocalDatabase {
    /// Adds a client configuration to a service's last characteristic. `changed` gets each new value. From 5.64 on, the
    /// database must have the characteristic's value, which gets only one (gatt_db_service_add_ccc).
    func addConfiguration(
        to service: DatabaseService, permissions: AttributePermissions,
        changed: (@BlueZServerActor (UInt16, LocalRequest?) -> ATTError?)? = nil
    ) -> LocalAttribute? {
        let all: AttributePermissions = [.read, .write]
        let value = service.lastValue.flatMap { attribute($0.handle) }
        if settings?.version ?? .v5_66 >= .v5_64, value?.hasConfiguration != false { return nil }
        guard let descriptor = service.addDescriptor(.clientConfiguration, permissions: permissions.union(all)) else {
            return nil
        }
        value?.hasConfiguration = true
        let handle = descriptor.handle
        descriptor.fixedLength = 2
        descriptor.reader = { [weak self] request in
            let value = self?.state(of: request.server.identity).configurations[handle] ?? 0
            request.finish(.success(Array(value.attributeBytes.dropFirst(Int(request.offset)))))
        }
        descriptor.writer = { [weak self] request in self?.write(request, to: handle) }
        configurationHandlers[handle] = changed
        return descriptor
    }

    /// gatt_ccc_write_cb()
    private func write(_ request: LocalRequest, to handle: UInt16) {
        // bluetoothd asks for the permission of a prepared write without its value, and so refuses it here.
        guard request.kind != .prepare, let first = request.value.first else {
            return request.finish(.failure(.invalidAttributeValueLength))
        }
        let value = UInt16(first) | UInt16(request.value.count > 1 ? request.value[1] : 0) << 8
        let state = state(of: request.server.identity)
        if value != state.configurations[handle] ?? 0 {
            if let error = configurationHandlers[handle]?(value, request) { return request.finish(.failure(error)) }
            state.configurations[handle] = value
        }
        request.finish(.success([]))
    }

    /// send_notification_to_devices(): to each central that has configured it, or to one.
    ///
    /// - Parameters:
    ///   - isIndicated: whether the characteristic can indicate. bluetoothd 5.55 then never notifies.
    ///   - confirmed: called when a central has confirmed an indication.
    func notify(
        _ value: [UInt8], from attribute: LocalAttribute, _ configuration: LocalAttribute,
        only identity: DeviceIdentity? = nil, isIndicated: Bool = false,
        confirmed: @escaping @BlueZServerActor () -> Void = {}
    ) {
        let value = Array(value.prefix(512))
        for (central, state) in states where identity == nil || central == identity {
            guard let bits = state.configurations[configuration.handle], bits & 3 != 0 else { continue }
            if isIndicated, bits & 2 == 0, settings?.version ?? .v5_66 < .v5_66 { continue }
            guard let server = server(of: central) else {
                if adapter?.device(at: central.address)?.isBonded != true { forget(central) }
                continue
            }
            if bits & 2 == 0 {
                server.notify(value, from: attribute.handle)
            } else {
                server.indicate(value, from: attribute.handle, confirmed: confirmed)
            }
        }
    }

    /// send_service_changed(). Bonded centrals that are away get it when they are back.
    func sendServiceChanged(_ range: ClosedRange<UInt16>, only identity: DeviceIdentity? = nil) {
        guard let serviceChanged else { return }
        for (central, state) in states where server(of: central) == nil {
            guard state.configurations[serviceChanged.configuration.handle] ?? 0 != 0 else { continue }
            let old = state.missedChange ?? range
            state.missedChange =
                min(old.lowerBound, range.lowerBound)...max(old.upperBound, range.upperBound)
        }
        notify(
            range.lowerBound.attributeBytes + range.upperBound.attributeBytes, from: serviceChanged.value,
            serviceChanged.configuration, only: identity)
    }
}
