import BlueZClient
import BlueZDBus
import FoundationEssentials

/// A characteristic, with operations to read, write and subscribe to its value.
///
/// The operations of one characteristic run one after another, in the order in which you start them. An operation of
/// another characteristic may overtake them. If the order matters, start the second operation in the completion of the
/// first.
@BluetoothActor public final class Characteristic {
    /// The name that `Service.addCharacteristic` declared, or the text of the UUID.
    public let name: String

    /// The UUID that identifies the kind of characteristic. A service can have several characteristics with the same
    /// one.
    public let uuid: BluetoothUUID

    /// The service of the characteristic; nil if the service was released.
    public internal(set) var service: Service? {
        get { owner }
        set { owner = newValue }
    }

    /// The value that was last read or notified; nil before that.
    public var value: Data? { lastValue }

    /// Whether notifications are on at this object's request. Requests of other programs do not count.
    public internal(set) var isNotifying = false

    /// The descriptors; empty until `discoverDescriptors` or `connectAndDiscover` has found them.
    public private(set) var descriptors: [Descriptor] = []

    /// A description of the missing characteristic that this object represents.
    struct Placeholder {
        /// A strong reference, because it may be the only one.
        let service: Service
        let absence: String
    }

    /// Whether the service's class declared the characteristic with `addCharacteristic`; false if it was only
    /// discovered.
    public var isDeclared: Bool { isNamed && placeholder == nil }

    private let isNamed: Bool
    // Stored separately from the public property, like `Service.owner`.
    private weak var owner: Service?
    package var lastValue: Data?
    var placeholder: Placeholder?
    private(set) var path: ObjectPath?
    private var readTemplate: Message?
    private var writeTemplate: Message?
    /// The closure that was passed to `startNotifying`.
    var valueHandler: ValueHandler? { didSet { valueHandlerChanges += 1 } }
    private(set) var valueHandlerChanges = 0
    /// Whether `setNotifyValue` switched notifications on. They then stay on when the sequences end.
    var areNotificationsWanted = false
    /// The number of pending requests for notifications.
    var pendingSubscriptions = 0
    private var sequences: [EventSequence<Data>.Buffer] = []
    /// The requests whose responses this characteristic notifies, the current one first.
    var controlPointRequests: [ControlPointRequest] = []

    init(name: String?, uuid: BluetoothUUID, service: Service) {
        self.name = name ?? uuid.description
        isNamed = name != nil
        self.uuid = uuid
        owner = service
    }

    var client: BlueZClient? { service?.peripheral?.central?.client }

    private var mirrored: AttributeProperties? {
        guard let path else { return nil }
        return client?.mirror.characteristics[path]
    }

    /// Whether discovery has found the characteristic on the peripheral.
    public var isDiscovered: Bool { path != nil }

    /// The operations that the characteristic supports; empty until it is discovered.
    public var properties: CharacteristicProperties { mirrored?.flags ?? [] }

    /// The handle of the characteristic's declaration; 0 until it is discovered.
    public var handle: UInt16 { mirrored?.handle ?? 0 }

    /// The link's ATT MTU, which is the greatest length of a packet in bytes, including 3 bytes of header. Nil until
    /// the characteristic is discovered, and if bluetoothd does not report it (before 5.62).
    public var mtu: Int? { mirrored?.mtu }

    /// Returns how many bytes a single write can take. With a response it is 512, the greatest length of a value.
    /// Without response it is the link's MTU minus 3, or 20 if bluetoothd does not report the MTU (before 5.62).
    public func maximumWriteValueLength(for type: CharacteristicWriteType) -> Int {
        switch type {
        case .withResponse, .reliable: 512
        case .withoutResponse: max(20, min(512, (mirrored?.mtu ?? 23) - 3))
        }
    }

    // MARK: Binding

    func bind(to newPath: ObjectPath?) {
        guard newPath != path else { return }
        if newPath == nil {
            endNotifications(BluetoothError(.attributeGone, "The characteristic \(name) is gone; discover again"))
        }
        path = newPath
        readTemplate = nil
        writeTemplate = nil
        descriptors = []
    }

    func attributeWasRemoved(_ attribute: ObjectPath) {
        descriptors.removeAll { $0.path == attribute }
    }

    func linkDidEnd(_ error: BluetoothError) {
        lastValue = nil
        var error = error
        error.message = "The link ended, and the notifications of \(name) with it"
        endNotifications(error)
    }

    /// Ends the subscription, and notifies its handlers, when the manager releases the peripheral.
    func leave(_ client: BlueZClient, _ error: BluetoothError) {
        if let path, client.channels.unsubscribe(ObjectIdentifier(self), at: path) { client.channels.stopNotify(path) }
        endNotifications(error)
    }

    @discardableResult
    func bindDescriptors() -> [Descriptor] {
        guard let path, let mirror = client?.mirror else { return [] }
        let paths = mirror.attributes(below: path, in: mirror.descriptors)
        descriptors = paths.compactMap { path in
            if let known = descriptors.first(where: { $0.path == path }) { return known }
            return mirror.descriptors[path]?.uuid.map { Descriptor(uuid: $0, path: path, characteristic: self) }
        }
        return descriptors
    }

    // MARK: Values

    /// Receives the value of a notification.
    package func receive(_ value: Data) {
        lastValue = value
        valueHandler?(value, nil)
        for buffer in sequences { buffer.append(value) }
        controlPointRequests.first?.receive(value)
        service?.notificationHandler(self, error: nil)
    }

    package func endNotifications(_ error: BluetoothError) {
        guard isNotifying else { return }
        isNotifying = false
        areNotificationsWanted = false
        finishSequences(error)
        valueHandler?(nil, error)
        service?.notificationHandler(self, error: error)
    }

    func finishSequences(_ error: BluetoothError?) {
        let ending = sequences
        sequences = []
        for buffer in ending { buffer.finish(error) }
    }

    func add(_ buffer: EventSequence<Data>.Buffer) {
        guard !buffer.isFinished else { return }
        sequences = sequences + [buffer]
    }

    /// Returns whether the buffer existed.
    @discardableResult
    func removeBuffer(_ identifier: ObjectIdentifier) -> Bool {
        let others = sequences.filter { ObjectIdentifier($0) != identifier }
        defer { sequences = others }
        return others.count < sequences.count
    }

    /// Whether something takes values, or is about to.
    var needsNotifications: Bool { areNotificationsWanted || !sequences.isEmpty || pendingSubscriptions > 0 }

    /// Returns the call that reads the value, which is built once.
    package func readCall(_ path: ObjectPath) throws(DBusError) -> Message {
        if let readTemplate, self.path == path { return readTemplate }
        let message = try BlueZ.call(path, BlueZ.gattCharacteristic, "ReadValue")
        try message.write { (writer) throws(DBusError) in try writer.append(.properties([:])) }
        try message.makeTemplate()
        if self.path == path { readTemplate = message }
        return message
    }

    /// Returns a copy of the call that writes the value, without its arguments.
    func writeCall(_ path: ObjectPath) throws(DBusError) -> Message {
        if let writeTemplate, self.path == path { return try writeTemplate.copy() }
        let message = try BlueZ.call(path, BlueZ.gattCharacteristic, "WriteValue")
        if self.path == path { writeTemplate = message }
        return try message.copy()
    }
}

extension Characteristic: Hashable, Identifiable {
    /// Returns whether both are the same object.
    public nonisolated static func == (left: Characteristic, right: Characteristic) -> Bool { left === right }

    /// Hashes the object's identity.
    public nonisolated func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
