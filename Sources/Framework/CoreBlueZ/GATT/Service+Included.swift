import BlueZClient
import BlueZDBus

extension Service {
    /// The services that this one includes, ordered by handle; empty until `discoverIncludedServices` has found them.
    public var includedServices: [Service] {
        let services = peripheral?.services ?? []
        return includedPaths.compactMap { path in services.first { $0.path == path } }.sorted { $0.handle < $1.handle }
    }

    /// Finds the services that this one includes (Core Specification, volume 3, part G, 3.2). Discover the peripheral's
    /// services first, and again after a change: an included service that is not among them is left out.
    ///
    /// The operation fails with these codes, in addition to those of every operation (see ``Peripheral``):
    /// - `notConnected` or `disconnected` if there is no link, or the link ends.
    /// - `notDiscovered` or `attributeGone` if the service is not discovered, or is gone.
    /// - `timedOut` if bluetoothd does not reply within 10 s.
    ///
    /// - Parameters:
    ///   - uuids: the services to pass to the completion; nil, the default, means all.
    ///   - completion: gets the services, ordered by handle, or the error.
    public func discoverIncludedServices(
        _ uuids: [BluetoothUUID]? = nil,
        completion: @escaping @BluetoothActor ([Service]?, BluetoothError?) -> Void
    ) {
        startDiscoveringIncluded(uuids) { $0.split(completion) }
    }

    /// Finds the services that this one includes; the async form of `discoverIncludedServices(_:completion:)`.
    @discardableResult
    public func discoverIncludedServices(_ uuids: [BluetoothUUID]? = nil) async throws(BluetoothError) -> [Service] {
        try await AsyncBridge.wait { startDiscoveringIncluded(uuids, $0) }
    }

    /// Reads the included services from bluetoothd. The mirror does not keep them, because few programs need them and
    /// bluetoothd reports their changes separately.
    @discardableResult
    private func startDiscoveringIncluded(
        _ uuids: [BluetoothUUID]?,
        _ completion: @escaping @BluetoothActor (Result<[Service], BluetoothError>) -> Void
    ) -> Operation<[Service]> {
        let title = "Discovering the services that \(name) includes"
        let operation = Operation<[Service]>(
            title, on: path ?? peripheral?.path, needsConnection: true, limit: Timeouts.discovery,
            in: peripheral?.central?.operations ?? OperationRegistry(), completion: completion
        )
        BluetoothActor.perform { [self] in
            guard operation.isPending else { return }
            guard let peripheral, peripheral.isConnected, let client = peripheral.central?.client else {
                return operation.fail(BluetoothError(.notConnected, "\(title): connect first"))
            }
            guard let path else { return operation.fail(unboundError(title)) }
            client.call(path, BlueZ.properties, "Get", limit: Timeouts.discovery * 2, for: operation) {
                (writer) throws(DBusError) in
                try writer.append(BlueZ.gattService)
                try writer.append("Includes")
            } reply: { [self] result in
                do throws(DBusError) {
                    let paths = try Self.paths(try result.get())
                    if path == self.path { includedPaths = paths }
                    operation.succeed(includedServices.filter { uuids?.contains($0.uuid) ?? true })
                } catch {
                    operation.fail(BluetoothError(error, in: .read, title))
                }
            }
        }
        return operation
    }

    /// Reads `v` of `ao`.
    private static func paths(_ reply: Message) throws(DBusError) -> [ObjectPath] {
        var reader = reply.reader
        return try reader.readVariant { (value) throws(DBusError) in
            var paths: [ObjectPath] = []
            try value.readArray { (element) throws(DBusError) in paths.append(try element.readObjectPath()) }
            return paths
        }
    }
}
