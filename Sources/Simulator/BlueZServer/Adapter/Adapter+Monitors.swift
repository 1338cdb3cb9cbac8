import BlueZDBus
import BlueZValues

extension Adapter {
    static let monitorManager = BlueZInterface.monitorManager.description

    /// The number of active monitors of clients.
    package var activeMonitorCount: Int {
        applications.reduce(0) { $0 + $1.monitors.values.count(where: \.isActive) }
    }

    /// Releases all monitors, as bluetoothd does if the kernel removes them.
    package func releaseMonitors() {
        for application in applications {
            let paths = application.monitors.keys.sorted()
            application.monitors.removeAll()
            for path in paths { tell("Release", application, path) }
        }
        listeningChanged()
    }

    /// Handles a controller's report that a device is no longer heard.
    package func monitorsLost(_ address: String) {
        guard let device = device(at: address) else { return }
        for application in applications {
            for (path, monitor) in application.monitors where monitor.isActive {
                tell("DeviceLost", application, path, device.path)
            }
        }
    }

    var monitorInterface: ExportedInterface {
        let types = description.supportsMonitors ? ["or_patterns"] : []
        return ExportedInterface(
            Self.monitorManager,
            methods: [
                method("RegisterMonitor", input: "o") { $0.registerMonitor($1) },
                method("UnregisterMonitor", input: "o") { $0.unregisterMonitor($1) },
            ],
            properties: [
                .init("SupportedMonitorTypes", "as") { .strings(types) },
                .init("SupportedFeatures", "as") { .strings([]) },
            ]
        )
    }

    /// register_monitor(): replies when the client has listed its objects.
    private func registerMonitor(_ call: IncomingCall) {
        var reader = call.reader
        guard let root = try? reader.readObjectPath() else { return call.fail(BlueZError.invalidArguments) }
        guard application(call.sender, root) == nil else { return call.fail(BlueZError.alreadyExists) }
        let application = MonitorApplication(owner: call.sender, root: root)
        applications.append(application)
        for rule in application.rules { server.connection?.addMatch(rule, timeout: .seconds(60)) { _ in } }
        guard
            let message = try? Message.methodCall(
                to: call.sender, path: root, interface: StandardInterface.objectManager, member: "GetManagedObjects")
        else { return call.abandon() }
        server.connection?.call(message, timeout: .seconds(60)) { [weak self] result in
            guard let self, case .success(let reply) = result, self.application(call.sender, root) === application
            else { return call.abandon() }
            var reader = reply.reader
            if case .dictionary(_, _, let objects)? = try? reader.readValue() {
                for case (.objectPath(let path), let interfaces) in objects { self.add(path, interfaces, application) }
            }
            call.reply()
        }
    }

    private func unregisterMonitor(_ call: IncomingCall) {
        var reader = call.reader
        guard let root = try? reader.readObjectPath() else { return call.fail(BlueZError.invalidArguments) }
        guard let application = application(call.sender, root) else {
            return call.fail(BlueZError.doesNotExist)
        }
        forget(application)
        call.reply()
    }

    private func application(_ owner: String, _ root: ObjectPath) -> MonitorApplication? {
        applications.first { $0.owner == owner && $0.root == root }
    }

    private func forget(_ application: MonitorApplication) {
        applications.removeAll { $0 === application }
        for rule in application.rules { server.connection?.removeMatch(rule, timeout: .seconds(60)) { _ in } }
        listeningChanged()
    }

    func forgetMonitors(of owner: String) {
        for application in applications where application.owner == owner { forget(application) }
    }

    /// `InterfacesAdded` and `InterfacesRemoved` of clients.
    func receive(_ message: Message) {
        gatt.receive(message)
        guard let sender = message.sender, let root = message.path,
            let application = application(sender, root),
            message.interface == StandardInterface.objectManager
        else { return }
        var reader = message.reader
        guard let path = try? reader.readObjectPath() else { return }
        if message.isSignal("org.freedesktop.DBus.ObjectManager", "InterfacesAdded") {
            guard let interfaces = try? reader.readValue() else { return }
            add(path, interfaces, application)
        } else if let names = try? reader.readStrings(), names.contains(AdvertisementMonitor.interface) {
            application.monitors[path] = nil
            listeningChanged()
        }
    }

    /// monitor_proxy_added_cb(): a monitor is accepted, or released without a further message.
    private func add(_ path: ObjectPath, _ interfaces: Value, _ application: MonitorApplication) {
        guard case .dictionary(_, _, let entries) = interfaces,
            let properties = entries[.string(AdvertisementMonitor.interface)]
        else { return }
        guard var monitor = AdvertisementMonitor(properties), description.supportsMonitors, !refusesMonitors else {
            return tell("Release", application, path)
        }
        monitor.isActive = true
        application.monitors[path] = monitor
        tell("Activate", application, path)
        listeningChanged()
    }

    /// btd_adv_monitor_notify_monitors(): without signal strength thresholds, each matching advertisement is reported.
    func notifyMonitors(of device: Device, _ report: AdvertisingReport) {
        for application in applications {
            for (path, monitor) in application.monitors where monitor.isActive && monitor.matches(report) {
                tell("DeviceFound", application, path, device.path)
            }
        }
    }

    func monitorsMatch(_ report: AdvertisingReport) -> Bool {
        applications.contains { $0.monitors.values.contains { $0.isActive && $0.matches(report) } }
    }

    private func tell(
        _ member: String, _ application: MonitorApplication, _ path: ObjectPath, _ device: ObjectPath? = nil
    ) {
        let monitor = ClientObject(
            owner: application.owner, path: path, interface: AdvertisementMonitor.interface, server: server)
        monitor.tell(member, device.map { [.objectPath($0)] } ?? [])
    }
}
