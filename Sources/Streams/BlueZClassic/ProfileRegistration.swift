import BlueZClient
import BlueZDBus
import CoreBlueZ

/// A profile of this process in bluetoothd, and the object that gets its connections (doc/org.bluez.Profile.rst).
@BluetoothActor final class ProfileRegistration {
    typealias Completion = @BluetoothActor (BluetoothError?) -> Void

    private enum State {
        case none, registering, registered
    }

    private struct WeakChannel {
        weak var channel: RFCOMMChannel?
    }

    private(set) var profile: RFCOMMProfile
    private let path: ObjectPath
    private weak var client: BlueZClient?
    private var exportedOn: ObjectIdentifier?
    private var state = State.none
    private var waiters: [Completion] = []
    /// The pending attempts to open a channel, by device.
    private var openings: [ObjectPath: RFCOMMOpening] = [:]
    private var channels: [ObjectPath: WeakChannel] = [:]
    /// The manager that registered the profile, which gets channels that were not requested.
    private weak var manager: CentralManager?
    private var owner: ObjectIdentifier?
    private var handler: (@BluetoothActor (RFCOMMChannel) -> Void)?

    private static let profileManager = BlueZ.profileManager
    private static let managerPath = "/org/bluez"
    private static let interface = BlueZ.profile

    init(_ profile: RFCOMMProfile, at path: ObjectPath, _ client: BlueZClient) {
        self.profile = profile
        self.path = path
        self.client = client
    }

    // MARK: Use

    /// Whether no program, opening or channel needs the profile.
    var isUnused: Bool { owner == nil && openings.isEmpty && channels.values.allSatisfy { $0.channel?.isOpen != true } }

    func isOwned(by identifier: ObjectIdentifier) -> Bool { owner == identifier }

    func own(by manager: CentralManager, _ handler: @escaping @BluetoothActor (RFCOMMChannel) -> Void) {
        self.manager = manager
        owner = ObjectIdentifier(manager)
        self.handler = handler
    }

    /// Whether there is a channel to the device, or one is being opened.
    func isBusy(with device: ObjectPath) -> Bool {
        openings[device] != nil || channels[device]?.channel?.isOpen == true
    }

    func begin(_ opening: RFCOMMOpening, to device: ObjectPath) { openings[device] = opening }

    func end(_ opening: RFCOMMOpening, to device: ObjectPath) {
        if openings[device] === opening { openings[device] = nil }
        client?.profiles.release(self)
    }

    // MARK: bluetoothd's list of profiles

    /// Registers the profile, unless it is registered.
    func ensure(_ completion: @escaping Completion) {
        guard state != .registered else { return BluetoothActor.perform { completion(nil) } }
        waiters.append(completion)
        guard state == .none else { return }
        state = .registering
        register { [weak self] error in
            guard let self, self.state == .registering else { return }
            self.state = error == nil ? .registered : .none
            self.endWaiting(error)
        }
    }

    private func endWaiting(_ error: BluetoothError?) {
        let waiters = waiters
        self.waiters = []
        for waiter in waiters { waiter(error) }
    }

    private func register(_ completion: @escaping Completion) {
        guard let client, let connection = client.connection, let manager = try? ObjectPath(Self.managerPath) else {
            let error = BluetoothError(DBusError.disconnected(), in: .other, title)
            return BluetoothActor.perform { completion(error) }
        }
        if exportedOn != ObjectIdentifier(connection) {
            exportedOn = ObjectIdentifier(connection)
            connection.export(ExportedInterface(Self.interface, methods: methods), at: path)
        }
        client.call(manager, Self.profileManager, "RegisterProfile", limit: Timeouts.discovery) {
            [path, profile] (writer) throws(DBusError) in
            try writer.append(.objectPath(path))
            try writer.append(.string(profile.uuid.fullString))
            try writer.append(.properties(profile.options))
        } reply: { [title] result in
            completion(result.failure.map { Self.error($0, title) })
        }
    }

    private static func error(_ error: DBusError, _ title: String) -> BluetoothError {
        guard error.bluezName == .notPermitted else {
            return BluetoothError(error, in: .other, title)
        }
        return BluetoothError(
            .busy, "\(title): another program, or bluetoothd itself, has the profile; stop it first", from: error)
    }

    private var title: String { "Registering the profile \(profile.uuid)" }

    func unregister(_ completion: Completion?) {
        let wasRegistered = state != .none
        state = .none
        handler = nil
        owner = nil
        for each in channels.values { each.channel?.close() }
        for opening in openings.values { opening.fail(.cancelled("The profile \(profile.uuid)")) }
        endWaiting(.cancelled(title))
        if let connection = client?.connection, exportedOn == ObjectIdentifier(connection) { connection.unexport(path) }
        guard wasRegistered, let client, let manager = try? ObjectPath(Self.managerPath) else {
            BluetoothActor.perform { completion?(nil) }
            return
        }
        client.call(manager, Self.profileManager, "UnregisterProfile", limit: Timeouts.discovery) {
            [path] (writer) throws(DBusError) in
            try writer.append(.objectPath(path))
        } reply: { result in
            completion?(result.failure.map { BluetoothError($0, in: .other, "Unregistering a profile") })
        }
    }

    func daemonEnded() {
        state = .none
        endWaiting(BluetoothError(.daemonUnavailable, BluetoothError.daemonStoppedSuggestion))
    }

    func daemonStarted() {
        guard owner != nil else { return }
        ensure { error in
            guard let error else { return }
            log.warning("A profile is not registered", metadata: ["error": "\(error)"])
        }
    }

    // MARK: Calls from bluetoothd

    private var methods: [ExportedInterface.Method] {
        [
            .init("Release", handler: fromDaemon { $0.release($1) }),
            .init("NewConnection", input: "oha{sv}", handler: fromDaemon { $0.newConnection($1) }),
            .init("RequestDisconnection", input: "o", handler: fromDaemon { $0.requestDisconnection($1) }),
        ]
    }

    /// Rejects calls that do not come from bluetoothd, since every program on the bus can call.
    private func fromDaemon(
        _ body: @escaping @BluetoothActor (ProfileRegistration, IncomingCall) -> Void
    ) -> @BluetoothActor (IncomingCall) -> Void {
        { [weak self] call in
            guard let self, let owner = self.client?.owner, call.sender == owner else {
                return call.fail(.rejected, "Only bluetoothd may call this")
            }
            body(self, call)
        }
    }

    private func newConnection(_ call: IncomingCall) {
        var reader = call.reader
        guard let device = try? reader.readObjectPath(), let descriptor = try? reader.readFileDescriptor(),
            let peripheral = openings[device]?.peripheral ?? expectedPeripheral(device)
        else { return call.fail(.rejected, "Nobody waits for this connection") }
        let channel = RFCOMMChannel(descriptor, profile.uuid, peripheral)
        channel.closeHandler = { [weak self] in
            guard let self else { return }
            self.client?.profiles.release(self)
        }
        channels = channels.filter { $0.value.channel != nil }
        channels[device] = WeakChannel(channel: channel)
        call.reply()
        if let opening = openings[device] { opening.receive(channel) } else { handler?(channel) }
    }

    /// Returns the object of a device that connects to a registered profile.
    private func expectedPeripheral(_ device: ObjectPath) -> Peripheral? {
        guard handler != nil, client?.mirror.devices[device] != nil else { return nil }
        return manager?.peripheral(at: device)
    }

    private func requestDisconnection(_ call: IncomingCall) {
        var reader = call.reader
        if let device = try? reader.readObjectPath() { channels[device]?.channel?.close() }
        call.reply()
    }

    /// Called when bluetoothd releases the profile because it stops.
    private func release(_ call: IncomingCall) {
        state = .none
        call.reply()
    }
}
