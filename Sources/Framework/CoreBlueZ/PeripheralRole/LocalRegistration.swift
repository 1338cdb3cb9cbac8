import BlueZClient
import BlueZDBus

/// Something that this program registers with an adapter, and again whenever bluetoothd or the adapter was gone: an
/// application with services, or an advertisement.
@BluetoothActor class LocalRegistration {
    enum State {
        case absent
        case registering(ObjectPath)
        case registered(ObjectPath)
    }

    let title: String
    private(set) weak var client: BlueZClient?
    private(set) var state = State.absent
    /// The operation that waits for the first registration.
    weak var operation: AnyOperation?
    /// Distinguishes the present attempt from earlier ones, whose replies no longer matter.
    private var attempt = 0

    init(_ title: String, _ client: BlueZClient) {
        self.title = title
        self.client = client
    }

    /// The manager's interface on the adapter, and the methods that register and unregister.
    class var methods: (interface: String, register: String, unregister: String) { ("", "", "") }
    /// The path to register.
    var root: ObjectPath { .root }
    /// Exports the objects.
    func export(on connection: Connection) throws(DBusError) {}
    /// Removes the objects.
    func unexport(from connection: Connection) {}
    /// Whether it ends instead of being registered again.
    var isOver: Bool { false }
    /// Checks what is to be registered for the first time. Fails the operation, or calls `done`.
    func prepare(_ operation: AnyOperation, _ done: @escaping @BluetoothActor () -> Void) { done() }
    /// Whether centrals can use or hear it while it is registered.
    var isInEffect: Bool { true }
    /// Forgets what was valid for the registration that has ended, such as subscriptions.
    func unbind(_ error: BluetoothError) {}
    /// Releases its public objects, so that they can be registered again.
    func release(_ error: BluetoothError) {}
    /// Notes in the public objects that it is registered, or no longer; returns the event.
    func changed(isRegistered: Bool) -> PeripheralEvent? { nil }
    /// The event for a failure to register it again.
    func failure(_ error: BluetoothError) -> PeripheralEvent? { nil }

    private var isAbsent: Bool { if case .absent = state { true } else { false } }

    /// The adapter with which it is registered.
    var adapter: ObjectPath? {
        if case .registered(let adapter) = state { adapter } else { nil }
    }

    /// Registers with an adapter.
    ///
    /// - Parameter completion: gets the result, unless something else ends the registration first.
    func register(with adapter: ObjectPath, _ completion: @escaping @BluetoothActor (BluetoothError?) -> Void) {
        attempt += 1
        let attempt = attempt
        state = .registering(adapter)
        do throws(DBusError) {
            guard let client, let connection = client.connection else { throw .disconnected() }
            try export(on: connection)
            let methods = Self.methods
            client.call(adapter, methods.interface, methods.register, limit: client.timeouts.registration) {
                (writer) throws(DBusError) in
                try writer.append(root)
                try writer.append(.properties([:]))
            } reply: { [self] result in
                let hasTimedOut = result.failure?.name == DBusError.Name.timeout
                guard attempt == self.attempt, case .registering = state else {
                    // It was withdrawn in the meantime, perhaps with its manager, so only this call still refers to it.
                    if result.isSuccess || hasTimedOut && isAbsent { callUnregister(from: adapter) }
                    return
                }
                // bluetoothd may still do what it has not replied to.
                if hasTimedOut { callUnregister(from: adapter) }
                state = result.isSuccess ? .registered(adapter) : .absent
                completion(result.failure.map { translate($0) })
            }
        } catch {
            state = .absent
            let error = translate(error)
            BluetoothActor.perform { completion(error) }
        }
    }

    /// Translates bluetoothd's error.
    func translate(_ error: DBusError) -> BluetoothError {
        let meaning: (BluetoothError.Code, String)? =
            switch error.name {
            case DBusError.Name.unknownMethod, DBusError.Name.unknownInterface:
                (.notSupported, "the adapter does not support this")
            case DBusError.Name.unknownObject: (.adapterGone, "the adapter is gone")
            case BlueZErrorName.notPermitted.rawValue:
                (.busy, "the adapter has no room for another advertisement; stop one, or end other programs")
            case BlueZErrorName.alreadyExists.rawValue: (.busy, "it is already registered; try again")
            case BlueZErrorName.invalidArguments.rawValue, BlueZErrorName.invalidLength.rawValue:
                (.invalidArguments, "bluetoothd refuses it as invalid")
            case BlueZErrorName.failed.rawValue: (.failed, "bluetoothd refuses it; its log has the reason")
            default: nil
            }
        guard let (code, suggestion) = meaning else { return BluetoothError(error, in: .other, title) }
        return BluetoothError(code, "\(title): \(suggestion)", from: error)
    }

    /// Withdraws the registration and its objects.
    ///
    /// - Parameter completion: called after bluetoothd's reply, or soon if it has nothing to withdraw.
    func unregister(_ completion: @escaping @BluetoothActor () -> Void = {}) {
        let adapter = adapter
        attempt += 1
        state = .absent
        if let connection = client?.connection { unexport(from: connection) }
        guard let adapter else { return BluetoothActor.perform(completion) }
        callUnregister(from: adapter, completion)
    }

    private func callUnregister(from adapter: ObjectPath, _ completion: @escaping @BluetoothActor () -> Void = {}) {
        guard let client, client.owner != nil else { return BluetoothActor.perform(completion) }
        let methods = Self.methods
        client.call(adapter, methods.interface, methods.unregister, limit: client.timeouts.registration) {
            (writer) throws(DBusError) in
            try writer.append(root)
        } reply: { _ in
            completion()
        }
    }

    /// Handles the loss of bluetoothd, of the adapter, or of the registration.
    ///
    /// - Returns: whether it was registered.
    func wasLost(_ error: BluetoothError) -> Bool {
        let wasRegistered = adapter != nil
        attempt += 1
        state = .absent
        if let connection = client?.connection { unexport(from: connection) }
        operation?.fail(error)
        return wasRegistered
    }
}
