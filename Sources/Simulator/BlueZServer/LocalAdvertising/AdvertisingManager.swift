import BlueZDBus
import BlueZValues

/// The `LEAdvertisingManager1` interface of an adapter, modelled on src/advertising.c.
///
/// It differs in two cases. An advertisement whose client leaves the bus before it is registered is removed, not kept
/// until the adapter is removed. If the kernel refuses a change, the advertisement stays as it was, as from 5.74 on:
/// before, bluetoothd removes it and replies to a call that does not exist.
@BlueZServerActor final class AdvertisingManager: BusObject {
    static let interface = BlueZInterface.advertisingManager.description
    static let includes: [(name: String, flag: AdvertisingFlags)] = [
        ("tx-power", .txPower), ("appearance", .appearance), ("local-name", .localName),
    ]
    static let secondaryChannels: [(name: String, flag: AdvertisingFlags)] = [
        ("1M", .on1M), ("2M", .on2M), ("Coded", .onCoded),
    ]
    static let features: [(name: String, flag: AdvertisingFlags)] = [
        ("CanSetTxPower", .canSetTxPower), ("HardwareOffload", .hardwareOffload),
    ]

    unowned let adapter: Adapter
    let server: ObjectServer
    let kernel: AdvertisingKernel
    private(set) var advertisements: [LocalAdvertisement] = []

    init(_ adapter: Adapter) {
        self.adapter = adapter
        server = adapter.server
        kernel = AdvertisingKernel(adapter)
    }

    var path: ObjectPath { adapter.path }
    /// The minor number of bluetoothd's version.
    var version: Int { adapter.settings.version.minor }

    /// Adds the interface. Advertisements that an earlier bluetoothd left behind end (read_adv_features_callback).
    func export() {
        kernel.removeAll()
        register(
            methods: [
                method("RegisterAdvertisement", input: "oa{sv}") { $0.register($1) },
                method("UnregisterAdvertisement", input: "o") { $0.unregister($1) },
            ],
            properties: properties)
    }

    /// btd_adv_manager_destroy(): the adapter is removed.
    func destroy() {
        server.unregister(Self.interface, at: path)
        releaseAll()
        kernel.removeAll()
    }

    /// Releases all advertisements, as bluetoothd does when it ends in an orderly way.
    func releaseAll() {
        let released = advertisements
        forgetAll()
        for advertisement in released {
            advertisement.object.tell("Release")
            advertisement.end()
            server.connection?.removeMatch(advertisement.rule, timeout: .seconds(60)) { _ in }
        }
    }

    /// Forgets the advertisements silently, as when bluetoothd is killed. The kernel still sends them.
    func forgetAll() {
        for advertisement in advertisements {
            advertisement.timer = nil
            advertisement.discoverableTimer = nil
        }
        advertisements.removeAll()
    }

    /// register_advertisement(): replies when the kernel has accepted the advertisement.
    private func register(_ call: IncomingCall) {
        var reader = call.reader
        guard let path = try? reader.readObjectPath() else { return call.fail(BlueZError.invalidArguments) }
        guard advertisement(of: call.sender, at: path) == nil else { return call.fail(BlueZError.alreadyExists) }
        let used = Set(advertisements.map(\.instance))
        let numbers = 1...UInt8(max(1, kernel.capabilities.instances))
        guard kernel.capabilities.instances > 0, let instance = numbers.first(where: { !used.contains($0) }) else {
            return call.fail(BlueZError.notPermitted("Maximum advertisements reached"))
        }
        let object = ClientObject(
            owner: call.sender, path: path, interface: LocalAdvertisement.interface, server: server)
        let advertisement = LocalAdvertisement(object, instance: instance, manager: self, call: call)
        advertisements.append(advertisement)
        server.connection?.addMatch(advertisement.rule, timeout: .seconds(60)) { _ in }
        read(advertisement)
    }

    /// Reads the client's object as gdbus/client.c does: GetManagedObjects at its path first, then GetAll. If both
    /// fail, the object has no properties.
    private func read(_ advertisement: LocalAdvertisement) {
        ask(advertisement, StandardInterface.objectManager, "GetManagedObjects", []) { [weak self] reply in
            if let values = reply.flatMap({ advertisement.managedProperties(in: $0) }) {
                self?.add(advertisement, values)
                return
            }
            self?.ask(
                advertisement, StandardInterface.properties, "GetAll", [.string(LocalAdvertisement.interface)]
            ) { reply in
                var values: [String: MessageReader] = [:]
                var reader = reply?.reader
                try? reader?.readProperties { (name, value) in values[name] = value }
                self?.add(advertisement, values)
            }
        }
    }

    private func ask(
        _ advertisement: LocalAdvertisement, _ interface: String, _ member: String, _ arguments: [Value],
        _ completion: @escaping @BlueZServerActor (Message?) -> Void
    ) {
        let object = ClientObject(
            owner: advertisement.object.owner, path: advertisement.object.path, interface: interface, server: server)
        object.call(member, arguments) { [weak self] result in
            guard let self, self.advertisements.contains(where: { $0 === advertisement }) else { return }
            completion(try? result.get())
        }
    }

    /// client_proxy_added()
    private func add(_ advertisement: LocalAdvertisement, _ values: [String: MessageReader]) {
        guard let call = advertisement.call else { return }
        let result = advertisement.parse(values) ? advertisement.refresh() : .notSent
        advertisement.call = nil
        guard case .sent = result else {
            drop(advertisement)
            return call.fail(
                BlueZError.failed(
                    result == .refused ? "Failed to register advertisement" : "Failed to parse advertisement."))
        }
        changed("SupportedInstances", "ActiveInstances")
        if version >= 87, values["Instance"] != nil { advertisement.set("Instance", .byte(advertisement.instance)) }
        call.reply()
    }

    private func unregister(_ call: IncomingCall) {
        var reader = call.reader
        guard let path = try? reader.readObjectPath() else { return call.fail(BlueZError.invalidArguments) }
        guard let advertisement = advertisement(of: call.sender, at: path) else {
            return call.fail(BlueZError.doesNotExist)
        }
        remove(advertisement)
        call.reply()
        advertisement.end()
    }

    private func advertisement(of owner: String, at path: ObjectPath) -> LocalAdvertisement? {
        advertisements.first { $0.object.owner == owner && $0.object.path == path }
    }

    /// client_remove()
    private func remove(_ advertisement: LocalAdvertisement) {
        kernel.remove(advertisement.instance)
        drop(advertisement)
        changed("SupportedInstances", "ActiveInstances")
    }

    private func drop(_ advertisement: LocalAdvertisement) {
        advertisements.removeAll { $0 === advertisement }
        advertisement.timer = nil
        advertisement.discoverableTimer = nil
        server.connection?.removeMatch(advertisement.rule, timeout: .seconds(60)) { _ in }
    }

    /// client_timeout()
    func timedOut(_ advertisement: LocalAdvertisement) {
        advertisement.object.tell("Release")
        remove(advertisement)
        advertisement.end()
    }

    func senderVanished(_ name: String) {
        for advertisement in advertisements where advertisement.object.owner == name {
            remove(advertisement)
            advertisement.call?.abandon()
            advertisement.call = nil
        }
    }

    /// btd_adv_manager_refresh(): the adapter is discoverable, or no longer.
    func refreshAll() {
        for advertisement in advertisements where advertisement.call == nil { _ = advertisement.refresh() }
    }

    /// properties_changed() for a client's object: each property that changes has the advertisement sent again.
    func receive(_ message: Message) {
        guard message.isSignal("org.freedesktop.DBus.Properties", "PropertiesChanged"), let sender = message.sender,
            let path = message.path, let advertisement = advertisement(of: sender, at: path),
            advertisement.call == nil
        else { return }
        var reader = message.reader
        guard (try? reader.readString()) == LocalAdvertisement.interface else { return }
        try? reader.readProperties { (name, value) in
            if advertisement.parse(name, value) { _ = advertisement.refresh() }
        }
        for name in (try? reader.readStrings()) ?? [] where advertisement.parse(name, nil) {
            _ = advertisement.refresh()
        }
    }
}

extension LocalAdvertisement {
    /// Returns the properties in a reply to GetManagedObjects; nil if the object is not in it.
    fileprivate func managedProperties(in reply: Message) -> [String: MessageReader]? {
        var values: [String: MessageReader]?
        var reader = reply.reader
        try? reader.readDictionary { (object) throws(DBusError) in
            let isOwn = try object.readObjectPath() == self.object.path
            try object.readDictionary { (interface) throws(DBusError) in
                guard try interface.readString() == Self.interface, isOwn else { return }
                var found: [String: MessageReader] = [:]
                try interface.readProperties { (name, value) in found[name] = value }
                values = found
            }
        }
        return values
    }
}
