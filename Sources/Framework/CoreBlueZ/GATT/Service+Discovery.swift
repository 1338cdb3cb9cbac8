import BlueZClient

extension Service {
    /// Finds the characteristics of the service, and binds the declared ones. bluetoothd has already found them
    /// together with the services, so no request is sent.
    ///
    /// The operation fails with `notConnected` if there is no link, and with `notDiscovered` if the service is not
    /// discovered, or the peripheral does not have it.
    ///
    /// - Parameters:
    ///   - uuids: the characteristics to pass to the completion; nil, the default, means all.
    ///   - completion: gets the characteristics, ordered by handle, or the error.
    public func discoverCharacteristics(
        _ uuids: [BluetoothUUID]? = nil,
        completion: @escaping @BluetoothActor ([Characteristic]?, BluetoothError?) -> Void
    ) {
        startDiscovering(uuids) { $0.split(completion) }
    }

    /// Finds the characteristics of the service; the async form of `discoverCharacteristics(_:completion:)`.
    @discardableResult
    public func discoverCharacteristics(
        _ uuids: [BluetoothUUID]? = nil
    ) async throws(BluetoothError) -> [Characteristic] {
        try await AsyncBridge.wait { startDiscovering(uuids, $0) }
    }

    /// Binds the characteristics, without a request to bluetoothd.
    @discardableResult
    func startDiscovering(
        _ uuids: [BluetoothUUID]?,
        _ completion: @escaping @BluetoothActor (Result<[Characteristic], BluetoothError>) -> Void
    ) -> Operation<[Characteristic]> {
        let operation = Operation<[Characteristic]>(
            "Discovering the characteristics of \(name)", on: path ?? peripheral?.path, needsConnection: true,
            limit: nil, in: peripheral?.central?.operations ?? OperationRegistry(), completion: completion
        )
        BluetoothActor.perform { [self] in
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

    /// Returns the error of a request to a service that is not discovered, or below it.
    func unboundError(_ title: String) -> BluetoothError {
        let device = peripheral?.displayName ?? "the peripheral"
        let reason = absence ?? "\(device) does not have it, or its services are not discovered"
        return BluetoothError(.notDiscovered, "\(title): \(reason)")
    }
}
