import BlueZClient
import BlueZDBus

/// Calls `RemoveDevice` until the device's object is gone.
@BluetoothActor final class DeviceRemoval {
    private let path: ObjectPath
    private let adapter: ObjectPath
    private let client: BlueZClient
    private let operation: Operation<Void>
    private var hasGone = false
    private var isAgain = false

    /// - Parameter operation: has no subject, because the removal of the device must not end it.
    init(_ path: ObjectPath, on adapter: ObjectPath, _ central: CentralManager, _ operation: Operation<Void>) {
        self.path = path
        self.adapter = adapter
        client = central.client
        self.operation = operation
        // This operation ends with the device's object, even if the device is found again immediately, and with the
        // adapter.
        let object = Operation<Void>(
            operation.title, on: path, needsConnection: false, limit: nil, in: central.operations
        ) { [weak self, weak operation] result in
            guard let error = result.failure else { return }
            if error.code == .peripheralGone { self?.hasGone = true } else { operation?.fail(error) }
        }
        operation.whenEnded { _ in object.succeed(()) }
    }

    func begin() {
        client.call(adapter, BlueZ.adapter, "RemoveDevice", limit: Timeouts.disconnect * 2) {
            [path] (writer) throws(DBusError) in
            try writer.append(.objectPath(path))
        } reply: { [self] result in
            guard operation.isPending else { return }
            switch result {
            case .success: awaitSignals()
            case .failure where isAgain && isGone: operation.succeed(())
            case .failure(let error): operation.fail(BluetoothError(error, in: .other, operation.title))
            }
        }
    }

    /// Waits for the signals of the removal. bluetoothd replies before it removes a device that was connected
    /// (src/device.c: device_remove_connection), but its next reply comes after the signals.
    private func awaitSignals() {
        client.call(adapter, BlueZ.properties, "Get", limit: Timeouts.disconnect) { (writer) throws(DBusError) in
            try writer.append(.string(BlueZ.adapter))
            try writer.append(.string("Powered"))
        } reply: { [self] _ in
            finish()
        }
    }

    private var isGone: Bool { hasGone || client.mirror.devices[path] == nil }

    /// Calls a second time if the device is still there. 5.55 ends the link of a connected device, but keeps its object
    /// and its pairing for 30 s (src/adapter.c: remove_device), or permanently if services were being discovered
    /// (src/device.c: register_gatt_services). A second call, without a link, removes it.
    private func finish() {
        guard operation.isPending else { return }
        guard !isGone else { return operation.succeed(()) }
        guard !isAgain else {
            return operation.fail(
                BluetoothError(
                    .failed, "\(operation.title): bluetoothd reports success but still has the device; try again"))
        }
        isAgain = true
        begin()
    }
}

extension CentralManager {
    /// Makes bluetoothd forget a device. Its link ends, and its pairing and everything else that is known about it are
    /// deleted.
    ///
    /// The operation fails with:
    /// - `peripheralGone` if bluetoothd does not know the device.
    /// - `timedOut` if the device is not removed within 15 s, and `failed` if bluetoothd does not remove it.
    /// - `adapterOff`, `adapterGone`, `daemonUnavailable`, `busUnavailable` or `accessDenied` if Bluetooth cannot be
    ///   used.
    /// - `cancelled` if the manager is released.
    public func forgetPeripheral(
        _ peripheral: Peripheral,
        completion: @escaping @BluetoothActor (BluetoothError?) -> Void
    ) {
        startRemoving(peripheral) { completion($0.failure) }
    }

    /// Makes bluetoothd forget a device; the async form of `forgetPeripheral(_:completion:)`.
    public func forgetPeripheral(_ peripheral: Peripheral) async throws(BluetoothError) {
        try await AsyncBridge.wait { startRemoving(peripheral, $0) }
    }

    @discardableResult
    private func startRemoving(
        _ peripheral: Peripheral,
        _ completion: @escaping @BluetoothActor (Result<Void, BluetoothError>) -> Void
    ) -> Operation<Void> {
        let path = peripheral.path
        peripheral.cancelReconnection()
        let operation = Operation<Void>(
            "Removing \(peripheral.displayName)", on: nil, needsConnection: false, limit: Timeouts.disconnect,
            in: operations, completion: completion
        )
        guard peripheral.client(for: operation) != nil else { return operation }
        peripheral.link.isRemovalWanted = true
        operation.whenEnded { [link = peripheral.link] _ in link.isRemovalWanted = false }
        DeviceRemoval(path, on: path.parent ?? .root, self, operation).begin()
        return operation
    }
}
