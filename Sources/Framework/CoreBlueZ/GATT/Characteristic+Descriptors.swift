import BlueZClient

extension Characteristic {
    /// Finds the descriptors of the characteristic. bluetoothd has already found them together with the services, so no
    /// request is sent.
    ///
    /// The operation fails with `notConnected` if there is no link, and with `notDiscovered` if the characteristic is
    /// not discovered.
    ///
    /// - Parameter completion: gets the descriptors, ordered by handle, or the error.
    public func discoverDescriptors(completion: @escaping @BluetoothActor ([Descriptor]?, BluetoothError?) -> Void) {
        startDiscoveringDescriptors { $0.split(completion) }
    }

    /// Finds the descriptors of the characteristic; the async form of `discoverDescriptors(completion:)`.
    @discardableResult
    public func discoverDescriptors() async throws(BluetoothError) -> [Descriptor] {
        try await AsyncBridge.wait { startDiscoveringDescriptors($0) }
    }

    @discardableResult
    func startDiscoveringDescriptors(
        _ completion: @escaping @BluetoothActor (Result<[Descriptor], BluetoothError>) -> Void
    ) -> Operation<[Descriptor]> {
        let title = "Discovering the descriptors of \(name)"
        let operation = Operation<[Descriptor]>(
            title, on: path ?? peripheral?.path, needsConnection: true, limit: nil,
            in: peripheral?.central?.operations ?? OperationRegistry(), completion: completion
        )
        BluetoothActor.perform { [self] in
            guard peripheral?.isConnected == true else {
                return operation.fail(BluetoothError(.notConnected, "\(title): connect first"))
            }
            if isDiscovered { operation.succeed(bindDescriptors()) } else { operation.fail(unboundError(title)) }
        }
        return operation
    }
}
