import DBus

/// The pending operations of one central manager.
@BluetoothActor final class OperationRegistry {
    private var operations: [ObjectIdentifier: any AnyOperation] = [:]
    private var order: [ObjectIdentifier: UInt64] = [:]
    private var next: UInt64 = 0

    func add(_ operation: any AnyOperation) {
        let key = ObjectIdentifier(operation)
        operations[key] = operation
        order[key] = next
        next += 1
    }

    func remove(_ operation: any AnyOperation) {
        let key = ObjectIdentifier(operation)
        operations[key] = nil
        order[key] = nil
    }

    var count: Int { operations.count }

    /// Ends all operations for which the closure returns an error, in the order in which they began. Operations that
    /// completions start are not affected.
    func fail(_ error: (any AnyOperation) -> BluetoothError?) {
        let pending = operations.sorted { (order[$0.key] ?? 0) < (order[$1.key] ?? 0) }
        let failures = pending.compactMap { (_, operation) in error(operation).map { (operation, $0) } }
        for (operation, error) in failures { operation.fail(error) }
    }

    func failAll(_ error: BluetoothError) {
        fail { _ in error }
    }

    /// Ends the operations that need the link of a device.
    func failConnected(below device: ObjectPath, _ error: BluetoothError) {
        fail { operation in
            guard operation.needsConnection, let subject = operation.subject, device.contains(subject) else {
                return nil
            }
            return error
        }
    }

    /// Ends the operations on an object or one below it.
    func failAll(below path: ObjectPath, _ error: BluetoothError) {
        fail { operation in
            guard let subject = operation.subject, path.contains(subject) else { return nil }
            return error
        }
    }

    /// Ends the operations on an object or one below it, unless a more specific reason ends them first: bluetoothd
    /// removes the attributes of a device before the device, and a device before its adapter.
    func failUnlessExplained(below path: ObjectPath, _ error: BluetoothError) {
        let concerned = operations.values.filter { $0.subject.map(path.contains) ?? false }
        guard !concerned.isEmpty else { return }
        _ = BluetoothActor.after(.milliseconds(100)) {
            for operation in concerned { operation.fail(error) }
        }
    }
}
