import BlueZClient

extension Service {
    /// Finds the characteristics of the service and binds the declared ones.
    ///
    /// - Parameters:
    ///   - uuids: the characteristics to pass to the completion; nil means all.
    ///   - completion: gets the characteristics by handle, or the error.
    public func discoverCharacteristics(
        _ uuids: [BluetoothUUID]? = nil,
        completion: @escaping @BluetoothActor ([Characteristic]?, BluetoothError?) -> Void
    ) {
        startDiscovering(uuids) { $0.split(completion) }
    }

    /// Finds the characteristics; the async form of `discoverCharacteristics(_:completion:)`.
    @discardableResult
    public func discoverCharacteristics(
        _ uuids: [BluetoothUUID]? = nil
    ) async throws(BluetoothError) -> [Characteristic] {
        try await AsyncBridge.wait { startDiscovering(uuids, $0) }
    }

    /// bluetoothd has found them together with the services: no request is needed.
    @discardableResult
    func startDiscovering(
        _ uuids: [BluetoothUUID]?,
        _ completion: @escaping @BluetoothActor (Result<[Characteristic], BluetoothError>) -> Void
    ) -> Operation<[Characteristic]> {
        let operation = Operation<[Characteristic]>(
            "Discovering the characteristics of \(name)", on: path ?? peripheral?.path, needsConnection: true,
            limit: nil, in: peripheral?.central?.operations ?? OperationRegistry(), completion: completion
        )
        BluetoothActor.later { [self] in
            guard peripheral?.isConnected == true else {
                return operation.fail(BluetoothError(.notConnected, "\(operation.title): connect first"))
            }
            guard let path = self.path else { return operation.fail(unboundError(operation.title)) }
            self.bind(to: path)
            let bound = self.characteristics.filter(\.isDiscovered).sorted { $0.handle < $1.handle }
            operation.succeed(bound.filter { uuids?.contains($0.uuid) ?? true })
        }
        return operation
    }

    /// The error of a request below a service that is not discovered.
    func unboundError(_ title: String) -> BluetoothError {
        let device = peripheral?.displayName ?? "the peripheral"
        let reason = absence ?? "\(device) does not have it, or its services are not discovered"
        return BluetoothError(.notDiscovered, "\(title): \(reason)")
    }
}
