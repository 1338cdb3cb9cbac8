import BlueZClient
import BlueZDBus
import FoundationEssentials

/// The object that bluetoothd reads for an advertisement (doc/org.bluez.LEAdvertisement.rst).
@BluetoothActor final class AdvertisementRegistration: LocalRegistration {
    private static var lastNumber = 0
    private static let interface = BlueZ.advertisement

    let instance: AdvertisingInstance
    /// Called when bluetoothd has ended the advertisement.
    var released: (@BluetoothActor () -> Void)?
    private let path: ObjectPath

    init(_ instance: AdvertisingInstance, _ client: BlueZClient) throws(DBusError) {
        self.instance = instance
        Self.lastNumber += 1
        path = try ObjectPath("/org/corebluez/advertisements/\(Self.lastNumber)")
        super.init("Advertising", client)
        instance.registration = self
    }

    override class var methods: (interface: String, register: String, unregister: String) {
        (PeripheralManager.advertisingManager, "RegisterAdvertisement", "UnregisterAdvertisement")
    }

    override var root: ObjectPath { path }

    override func export(on connection: Connection) throws(DBusError) {
        let properties = Self.properties.map { property in
            ExportedInterface.Property(property.name, property.signature) { [weak instance] in
                instance.flatMap { property.value($0.advertisement) }
            }
        }
        let power = ExportedInterface.Property(
            "TxPower", "n", get: { [weak instance] in instance?.advertisement.txPower.map { .int16(Int16($0)) } },
            set: { [weak self] value, call in
                guard let self, call.sender == self.client?.owner, case .int16(let power) = value else {
                    return call.fail(DBusError.Name.accessDenied, "Only bluetoothd may set this property")
                }
                self.instance.selectedTxPower = Int(power)
                call.reply()
            })
        let timeout = ExportedInterface.Property("Timeout", "q") { [weak instance] in
            Self.seconds(instance?.remaining)
        }
        connection.export(
            ExportedInterface(
                Self.interface,
                methods: [
                    .init("Release") { [weak self] call in
                        guard let self, call.sender == self.client?.owner else {
                            return call.fail(DBusError.Name.accessDenied, "Only bluetoothd may call this object")
                        }
                        call.reply()
                        self.released?()
                    }
                ],
                properties: properties + [power, timeout]
            ),
            at: path
        )
    }

    override var isOver: Bool { instance.isOver }
    override var isInEffect: Bool { instance.isAdvertising }

    override func prepare(_ operation: AnyOperation, _ done: @escaping @BluetoothActor () -> Void) {
        guard let manager = instance.manager else { return done() }
        manager.readCapabilities(operation) { [instance] result in
            switch result {
            case .failure(let error): operation.fail(error)
            case .success(let capabilities):
                if let problem = instance.advertisement.problem(capabilities) { return operation.fail(problem) }
                instance.capabilities = capabilities
                instance.ignored = instance.advertisement.ignored(by: capabilities)
                if !instance.ignored.isEmpty {
                    log.notice(
                        "bluetoothd ignores the interval and the power of advertisements before 5.77 without --experimental"
                    )
                }
                done()
            }
        }
    }

    override func changed(isRegistered: Bool) -> PeripheralEvent? {
        instance.isAdvertising = isRegistered
        if isRegistered, instance.deadline == nil, let timeout = instance.remaining {
            instance.deadline = MonotonicInstant.now.advanced(by: timeout)
        }
        return isRegistered ? .advertisingBegan(instance) : .advertisingEnded(instance)
    }

    override func failure(_ error: BluetoothError) -> PeripheralEvent? { .advertisingFailed(instance, error) }

    override func unexport(from connection: Connection) { connection.unexport(path) }

    /// Registers with an adapter. bluetoothd reads the content at some time before its reply, and hears of no change
    /// until then, so the changes since the call follow the reply.
    override func register(
        with adapter: ObjectPath, _ completion: @escaping @BluetoothActor (BluetoothError?) -> Void
    ) {
        let old = instance.advertisement
        super.register(with: adapter) { [self] error in
            if error == nil { contentChanged(from: old) }
            completion(error)
        }
    }

    /// Reports the changed properties, whose advertisement bluetoothd then sends (src/advertising.c:
    /// properties_changed).
    func contentChanged(from old: LocalAdvertisement) {
        guard adapter != nil else { return }
        let new = instance.advertisement
        var changed: [(key: String, value: Value)] = []
        var invalidated: [String] = []
        for property in Self.properties where property.value(old) != property.value(new) {
            if let value = property.value(new) {
                changed.append((property.name, value))
            } else {
                invalidated.append(property.name)
            }
        }
        guard !changed.isEmpty || !invalidated.isEmpty else { return }
        emit(changed, invalidated)
    }

    /// Makes bluetoothd send the advertisement again. After a link, the kernel advertises without accepting links if
    /// the advertisement of that link was unregistered in the meantime (seen with Linux 6.1).
    func refresh() {
        guard adapter != nil, let type = Self.properties.first, let value = type.value(instance.advertisement) else {
            return
        }
        emit([(type.name, value)], [])
    }

    private func emit(_ changed: [(key: String, value: Value)], _ invalidated: [String]) {
        guard let connection = client?.connection else { return }
        do throws(DBusError) {
            try connection.emitPropertiesChanged(Self.interface, at: path, changed: changed, invalidated: invalidated)
        } catch {
            log.warning("An advertisement cannot be changed", metadata: ["error": "\(error)"])
        }
    }

    private typealias Property = (name: String, signature: String, value: (LocalAdvertisement) -> Value?)

    private static let properties: [Property] = [
        ("Type", "s", { .string($0.isConnectable ? "peripheral" : "broadcast") }),
        ("ServiceUUIDs", "as", { uuids($0.serviceUUIDs) }),
        ("SolicitUUIDs", "as", { uuids($0.solicitedServiceUUIDs) }),
        (
            "ManufacturerData", "a{qv}",
            { bytes(by: "q", $0.manufacturerData) { .uint16($0) } }
        ),
        ("ServiceData", "a{sv}", { bytes(by: "s", $0.serviceData) { .string($0.fullString) } }),
        ("Data", "a{yv}", { bytes(by: "y", $0.structures) { .byte($0) } }),
        ("Includes", "as", { $0.includesTxPower ? .strings(["tx-power"]) : nil }),
        ("LocalName", "s", { $0.localName.map(Value.string) }),
        ("Appearance", "q", { $0.appearance.map(Value.uint16) }),
        ("Duration", "q", { seconds($0.rotationDuration) }),
        ("Discoverable", "b", { $0.isDiscoverable && $0.isConnectable ? .boolean(true) : nil }),
        ("DiscoverableTimeout", "q", { seconds($0.discoverableTimeout) }),
        ("SecondaryChannel", "s", { $0.secondaryChannel.map { .string($0.rawValue) } }),
        ("MinInterval", "u", { milliseconds($0.interval?.lowerBound) }),
        ("MaxInterval", "u", { milliseconds($0.interval?.upperBound) }),
    ]

    private static func uuids(_ uuids: [BluetoothUUID]) -> Value? {
        uuids.isEmpty ? nil : .strings(uuids.map(\.fullString))
    }

    private static func bytes<Key>(by signature: String, _ data: [Key: Data], _ key: (Key) -> Value) -> Value? {
        guard !data.isEmpty else { return nil }
        var entries: [Value: Value] = [:]
        for (each, content) in data { entries[key(each)] = .variant(.bytes([UInt8](content))) }
        return .dictionary(key: signature, value: "v", entries)
    }

    private static func seconds(_ duration: Duration?) -> Value? {
        duration.map { .uint16(UInt16(clamping: Int64(($0 / .seconds(1)).rounded(.up)))) }
    }

    private static func milliseconds(_ duration: Duration?) -> Value? {
        duration.map { .uint32(UInt32(clamping: Int64($0 / .milliseconds(1)))) }
    }
}
