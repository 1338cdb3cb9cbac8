import BlueZDBus
import BlueZValues

/// The `GattManager1` interface of an adapter.
@BlueZServerActor package final class GATTManager {
    static let interface = BlueZInterface.gattManager.description

    private weak var adapter: Adapter?
    package let database: LocalDatabase
    private let server: ObjectServer
    private var applications: [GATTApplication] = []

    init(adapter: Adapter) {
        self.adapter = adapter
        server = adapter.server
        database = LocalDatabase(adapter: adapter)
    }

    /// Whether a client has registered an application.
    package var hasApplications: Bool { !applications.isEmpty }

    func export(at path: ObjectPath) {
        database.reset()
        server.register(
            ExportedInterface(
                Self.interface,
                methods: [
                    .init("RegisterApplication", input: "oa{sv}") { [weak self] call in self?.register(call) },
                    .init("UnregisterApplication", input: "o") { [weak self] call in self?.unregister(call) },
                ]
            ),
            at: path)
    }

    /// Forgets everything, as at bluetoothd's end, or if the adapter is unplugged.
    func lose() {
        let lost = applications
        applications.removeAll()
        for application in lost { application.withdraw() }
        database.reset()
    }

    /// manager_register_app(): replies when the client has listed its objects.
    private func register(_ call: IncomingCall) {
        var reader = call.reader
        guard let root = try? reader.readObjectPath() else { return call.fail(BlueZError.invalidArguments) }
        guard application(call.sender, root) == nil else { return call.fail(BlueZError.alreadyExists) }
        let application = GATTApplication(owner: call.sender, root: root, database: database, server: server)
        applications.append(application)
        for rule in application.rules { server.connection?.addMatch(rule, timeout: .seconds(60)) { _ in } }
        let manager = ClientObject(
            owner: call.sender, path: root, interface: StandardInterface.objectManager, server: server)
        manager.call("GetManagedObjects", [], timeout: .seconds(300)) { [weak self] result in
            guard let self, self.applications.contains(where: { $0 === application }) else { return call.abandon() }
            if let error = application.publish(try? result.get()) {
                self.forget(application)
                return call.fail(error)
            }
            call.reply()
            self.adapter?.radio.acceptanceChanged()
        }
    }

    /// manager_unregister_app()
    private func unregister(_ call: IncomingCall) {
        var reader = call.reader
        guard let root = try? reader.readObjectPath() else { return call.fail(BlueZError.invalidArguments) }
        guard let application = application(call.sender, root) else { return call.fail(BlueZError.doesNotExist) }
        forget(application)
        call.reply()
    }

    private func application(_ owner: String, _ root: ObjectPath) -> GATTApplication? {
        applications.first { $0.owner == owner && $0.root == root }
    }

    private func forget(_ application: GATTApplication) {
        applications.removeAll { $0 === application }
        for rule in application.rules { server.connection?.removeMatch(rule, timeout: .seconds(60)) { _ in } }
        application.withdraw()
        adapter?.radio.acceptanceChanged()
    }

    func senderVanished(_ name: String) {
        for application in applications where application.owner == name { forget(application) }
    }

    /// Handles a signal of a client.
    func receive(_ message: Message) {
        guard let sender = message.sender else { return }
        for application in applications where application.owner == sender { application.receive(message) }
    }
}
