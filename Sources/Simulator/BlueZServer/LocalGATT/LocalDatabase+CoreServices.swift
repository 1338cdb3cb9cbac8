import BlueZValues

extension LocalDatabase {
    /// register_core_services(): Generic Access, Generic Attribute, and device information, in this order.
    ///
    /// As if the kernel could not calculate it (gatt_db_hash_support), there is no Database Hash. Its handles stay
    /// free, as bluetoothd always reserves them.
    func addCoreServices() {
        addGenericAccess()
        addGenericAttribute()
        addDeviceInformation()
    }

    /// populate_gap_service(). Central Address Resolution is there from 5.66 on; from 5.87 on if the kernel has it.
    private func addGenericAccess() {
        let hasAddressResolution = settings?.version ?? .v5_66 >= .v5_66
        let count: UInt16 = hasAddressResolution ? 7 : 5
        guard let service = addService(.genericAccess, isPrimary: true, count: count) else { return }
        let name = service.addCharacteristic(.deviceName, .read, permissions: .read)
        name?.reader = { [weak self] request in
            let name = Array((self?.adapter?.shownAlias ?? "").utf8)
            guard request.offset <= name.count else { return request.finish(.failure(.invalidOffset)) }
            request.finish(.success(Array(name.dropFirst(Int(request.offset)))))
        }
        let appearance = service.addCharacteristic(.appearance, .read, permissions: .read)
        appearance?.fixedLength = 2
        appearance?.value = [0, 0]
        if hasAddressResolution {
            let resolution = service.addCharacteristic(.centralAddressResolution, .read, permissions: .read)
            resolution?.fixedLength = 1
            resolution?.value = [1]
        }
        service.isActive = true
    }

    /// populate_gatt_service()
    private func addGenericAttribute() {
        guard let service = addService(.genericAttribute, isPrimary: true, count: 10) else { return }
        if let value = service.addCharacteristic(.serviceChanged, .indicate, permissions: []),
            let configuration = addConfiguration(to: service, permissions: [])
        {
            serviceChanged = (value, configuration)
        }
        let features = service.addCharacteristic(
            .clientSupportedFeatures, [.read, .write], permissions: [.read, .write])
        features?.fixedLength = 1
        features?.reader = { [weak self] request in
            let value = self?.state(of: request.server.identity).features ?? 0
            request.finish(.success(request.offset == 0 ? [value] : []))
        }
        features?.writer = { [weak self] request in self?.writeFeatures(request) }
        service.isActive = true
    }

    /// cli_feat_write_cb(): a bit cannot be cleared. Robust Caching has no effect here.
    private func writeFeatures(_ request: LocalRequest) {
        guard let value = request.value.first else { return request.finish(.failure(.invalidAttributeValueLength)) }
        let state = state(of: request.server.identity)
        guard state.features & ~value == 0 else { return request.finish(.failure(ATTError(rawValue: 0x13))) }
        state.features |= value & 0x07
        request.finish(.success([]))
    }

    /// populate_devinfo_service(): the source, vendor, product and version of `Modalias`.
    private func addDeviceInformation() {
        guard let service = addService(.deviceInformation, isPrimary: true, count: 3) else { return }
        let identifier = service.addCharacteristic(.pnpIdentifier, .read, permissions: .read)
        identifier?.fixedLength = 7
        identifier?.value = [0x02, 0x6B, 0x1D, 0x46, 0x02, 0x42, 0x05]
        service.isActive = true
    }
}
