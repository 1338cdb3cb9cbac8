import BlueZClient
import BlueZDBus
import FoundationEssentials

/// An advertisement that is being sent: `PeripheralManager.startAdvertising` returns it.
///
/// It is sent until `stop`, its timeout, or the end of the manager. If bluetoothd or the
/// adapter is gone in the meantime, it is sent again when they are back.
@BluetoothActor public final class AdvertisingInstance {
    /// The content.
    public internal(set) var advertisement: LocalAdvertisement

    /// Whether bluetoothd advertises it now. False while bluetoothd or the adapter is gone, and after the end.
    public internal(set) var isAdvertising = false

    /// The properties that are set but that this bluetoothd ignores.
    public internal(set) var ignored: LocalAdvertisement.Ignored = []

    /// The transmit power in dBm that the controller has chosen; nil if bluetoothd does not report it.
    public internal(set) var selectedTxPower: Int?

    var capabilities = AdvertisingCapabilities()
    weak var registration: AdvertisementRegistration?
    weak var manager: PeripheralManager?
    /// The time at which the advertisement ends.
    var deadline: SuspendingClock.Instant?

    init(_ advertisement: LocalAdvertisement) {
        self.advertisement = advertisement
    }

    /// Changes what is sent. Changing whether it is connectable, its interval, transmit power, timeout or secondary
    /// channel needs another instance.
    ///
    /// The operation fails with `valueTooLong` or `invalidArguments` if the advertisement cannot be sent, and with
    /// `notSupported` if it changes what cannot be changed. It is then unchanged.
    ///
    /// - Parameters:
    ///   - advertisement: the new content.
    ///   - completion: gets nil when the change is on its way to bluetoothd, or the error.
    public func update(
        _ advertisement: LocalAdvertisement, completion: @escaping @BluetoothActor (BluetoothError?) -> Void
    ) {
        let error = change(to: advertisement)
        BluetoothActor.later { completion(error) }
    }

    /// Changes what is sent; the async form of `update(_:completion:)`.
    public func update(_ advertisement: LocalAdvertisement) async throws(BluetoothError) {
        if let error = change(to: advertisement) { throw error }
    }

    /// Ends the advertisement. Links that came from it stay. Does nothing if it has ended.
    ///
    /// - Parameter completion: called when bluetoothd no longer advertises it.
    public func stop(completion: @escaping @BluetoothActor () -> Void) {
        guard let manager else { return BluetoothActor.later(completion) }
        manager.end(self, completion: completion)
    }

    /// Ends the advertisement; the async form of `stop(completion:)`.
    public func stop() async {
        await withCheckedContinuation { continuation in stop { continuation.resume() } }
    }

    /// The time until the advertisement ends; nil if it does not end by itself.
    var remaining: Duration? {
        guard let timeout = advertisement.timeout else { return nil }
        guard let deadline else { return timeout }
        return max(.seconds(1), deadline - SuspendingClock.now)
    }

    /// Whether its time is over. bluetoothd counts whole seconds.
    var isOver: Bool { deadline.map { SuspendingClock.now + .seconds(1) >= $0 } ?? false }

    private func change(to new: LocalAdvertisement) -> BluetoothError? {
        if let problem = new.problem(capabilities) { return problem }
        let old = advertisement
        guard new.isConnectable == old.isConnectable, new.interval == old.interval, new.txPower == old.txPower,
            new.secondaryChannel == old.secondaryChannel, new.timeout == old.timeout
        else {
            let what = "Whether it is connectable, its interval, power, timeout and secondary channel"
            return BluetoothError(.notSupported, "\(what) cannot be changed; start another advertisement")
        }
        advertisement = new
        registration?.contentChanged(from: old)
        return nil
    }
}

extension AdvertisingInstance: Hashable {
    /// Returns whether both are the same object.
    public nonisolated static func == (left: AdvertisingInstance, right: AdvertisingInstance) -> Bool { left === right }

    /// Hashes the object's identity.
    public nonisolated func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// The object that bluetoothd reads for an advertisement (doc/org.bluez.LEAdvertisement.rst).
@BluetoothActor final class AdvertisementRegistration: LocalRegistration {
    private static var lastNumber = 0
    private static let interface = "org.bluez.LEAdvertisement1"

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
