import BlueZClient
import BlueZDBus
import FoundationEssentials

/// A characteristic of a ``LocalService``.
///
/// Without handlers, reads return `value`, and writes replace it; see ``LocalAttribute``.
@BluetoothActor open class LocalCharacteristic: LocalAttribute {
    static let interface = BlueZ.gattCharacteristic

    /// The service of the characteristic; nil if it was released.
    public internal(set) weak var service: LocalService?

    /// The operations that the characteristic supports.
    public nonisolated let properties: CharacteristicProperties

    /// The descriptors, in the order of their handles.
    public let descriptors: [LocalDescriptor]

    /// Whether writes come by a socket instead of the message bus, for many writes without response per second. Such
    /// writes are acknowledged before the program gets them, and have no offset. Before BlueZ 5.69, all centrals share
    /// one socket, so their requests have no `central`. False by default. Set it before the service is published.
    public var acquiresWrites = false

    /// Called when somebody subscribes or unsubscribes; the same as overriding `didSubscribe` and `didUnsubscribe`.
    public var subscriptionHandler: (@BluetoothActor (LocalCharacteristic, SubscriptionChange) -> Void)?

    let subscriptions = LocalSubscriptions()
    /// The centrals whose subscription was reported, and not its end yet.
    var reported: [ObjectPath: Central] = [:]
    var sockets: [ObjectIdentifier: WriteSocket] = [:]
    /// The indications that wait for their confirmation, the one that was sent first.
    var indications: [(value: Data, operation: Operation<Void>)] = []
    /// Whether a confirmation is being checked.
    var isConfirming = false
    let notifyTitle: String
    private var valueChange: BytesChange?

    /// Creates a characteristic.
    ///
    /// - Parameters:
    ///   - uuid: the kind of characteristic.
    ///   - properties: the operations that it supports. Their defaults are those of ``LocalAttribute``.
    ///   - permissions: how secure the central's link must be; by default, any link will do.
    ///   - value: the value that reads return if there is no handler.
    ///   - descriptors: the descriptors.
    public init(
        _ uuid: BluetoothUUID, properties: CharacteristicProperties, permissions: AttributePermissions = [],
        value: Data = Data(), descriptors: [LocalDescriptor] = []
    ) {
        self.properties = properties
        self.descriptors = descriptors
        notifyTitle = "Notifying \(uuid)"
        super.init(uuid, permissions: permissions, value: value)
        for descriptor in descriptors where descriptor.characteristic == nil { descriptor.characteristic = self }
    }

    // MARK: Hooks

    /// Called when a central subscribes. Override it, or set `subscriptionHandler`.
    ///
    /// - Parameter central: the central, or nil if BlueZ does not say which one (before 5.71). Then only the first
    ///   subscription and the end of the last one are reported.
    open func didSubscribe(_ central: Central?) { subscriptionHandler?(self, .subscribed(central)) }

    /// Called when a central unsubscribes, or its link ends. Override it, or set `subscriptionHandler`.
    ///
    /// - Parameter central: the central, or nil; see `didSubscribe`. A bonded central's subscription outlasts its link.
    ///   If BlueZ does not say which central has subscribed, its end is then not reported.
    open func didUnsubscribe(_ central: Central?) { subscriptionHandler?(self, .unsubscribed(central)) }

    /// Whether anybody has subscribed.
    public var isNotifying: Bool { subscriptions.isActive }

    /// The centrals that have subscribed and are connected; nil if BlueZ does not say which ones (before 5.71).
    public var subscribers: [Central]? {
        guard subscriptions.areNamed else { return subscriptions.isActive ? nil : [] }
        return subscriptions.centrals.compactMap { manager?.centralsByPath[$0] }
    }

    // MARK: bluetoothd's calls

    func exported(below service: ObjectPath) -> ExportedInterface {
        ExportedInterface(
            Self.interface,
            methods: requestMethods + notifyMethods + acquireMethods,
            properties: [
                .init("UUID", "s", get: { [uuid] in .string(uuid.fullString) }),
                .init("Service", "o", get: { .objectPath(service) }),
                .init("Flags", "as", get: { [permissions, properties] in .strings(permissions.flags(properties)) }),
                // bluetoothd acquires sockets if these properties exist (src/gatt-database.c: ccc_write_cb,
                // chrc_write_cb).
                .init("NotifyAcquired", "b", get: { [weak self] in self?.notifyAcquired }),
                .init("WriteAcquired", "b", get: { [weak self] in self?.writeAcquired }),
                handleProperty,
            ]
        )
    }

    private var notifyAcquired: Value? {
        guard canNotify, manager?.namesSubscribers == true else { return nil }
        return .boolean(subscriptions.isActive)
    }

    /// The signal with which a value is sent to bluetoothd.
    func change(at path: ObjectPath, for owner: String) throws(DBusError) -> BytesChange {
        if let valueChange, valueChange.path == path, valueChange.destination == owner { return valueChange }
        let change = try BytesChange(of: "Value", Self.interface, at: path, destination: owner)
        valueChange = change
        return change
    }

    private var writeAcquired: Value? { acquiresWrites ? .boolean(!sockets.isEmpty) : nil }

    /// Whether centrals can subscribe.
    var canNotify: Bool { properties.contains(.notify) || properties.contains(.indicate) }

    private var notifyMethods: [ExportedInterface.Method] {
        [
            .init("StartNotify") { [weak self] call in
                self?.ifFromDaemon(call) { [weak self] _, call in
                    call.reply()
                    self?.subscriptionsBegin()
                }
            },
            .init("StopNotify") { [weak self] call in
                self?.ifFromDaemon(call) { [weak self] _, call in
                    call.reply()
                    self?.subscriptionsEnd()
                }
            },
            .init("Confirm") { [weak self] call in
                self?.ifFromDaemon(call) { [weak self] _, call in
                    call.reply()
                    self?.confirmed()
                }
            },
        ]
    }

    private var acquireMethods: [ExportedInterface.Method] {
        [
            .init("AcquireNotify", input: "a{sv}", output: "hq") { [weak self] call in
                self?.ifFromDaemon(call) { [weak self] _, call in self?.acquireNotify(call) }
            },
            .init("AcquireWrite", input: "a{sv}", output: "hq") { [weak self] call in
                self?.ifFromDaemon(call) { [weak self] _, call in self?.acquireWrite(call) }
            },
        ]
    }

    override func linkDidEnd(_ central: Central) {
        super.linkDidEnd(central)
        if subscriptions.linkDidEnd(central.path, isBonded: central.isBonded) { report(.unsubscribed(central)) }
    }

    override func unbind(_ error: BluetoothError) {
        super.unbind(error)
        let (isStarted, centrals) = (subscriptions.isStarted, reported.values.sorted { $0.path < $1.path })
        subscriptions.removeAll(error)
        failIndications(error)
        if isStarted { report(.unsubscribed(nil)) }
        // Not those of the manager, which may be gone already.
        for central in centrals { report(.unsubscribed(central)) }
        for socket in sockets.values { socket.close() }
        sockets = [:]
    }
}

/// A change of the subscriptions to a ``LocalCharacteristic``.
public enum SubscriptionChange: Sendable {
    /// A central has subscribed; nil if BlueZ does not say which one.
    case subscribed(Central?)
    /// A central has unsubscribed, or its link has ended; nil if BlueZ does not say which one.
    case unsubscribed(Central?)
}
