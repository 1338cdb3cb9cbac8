import BlueZClient
import DBus
import FoundationEssentials

/// A characteristic, with operations to read, write and subscribe to its value.
///
/// The operations of one characteristic run one after another, in the order in which they were requested. While one of
/// them waits, an operation of another characteristic may overtake it: if their order matters, start the second in the
/// first one's completion.
@BluetoothActor public final class Characteristic {
    /// The characteristic's name within its service; the text of its UUID if it was not declared.
    public let name: String

    /// The characteristic's UUID.
    public let uuid: BluetoothUUID

    /// The service that has the characteristic.
    public internal(set) var service: Service? {
        get { owner }
        set { owner = newValue }
    }

    /// The value that was last read or notified; nil before the first.
    public var value: Data? { lastValue }

    /// Whether notifications are on at this object's request.
    public internal(set) var isNotifying = false

    /// The descriptors, once they have been discovered.
    public private(set) var descriptors: [Descriptor] = []

    /// Describes the missing characteristic that this object is a placeholder for.
    struct Placeholder {
        /// A strong reference: it may be the only one.
        let service: Service
        let absence: String
    }

    /// Whether the service's class declared the characteristic with `addCharacteristic`; false if it was only
    /// discovered.
    public var isDeclared: Bool { isNamed && placeholder == nil }

    private let isNamed: Bool
    // Behind public properties, like `Service.owner`.
    private weak var owner: Service?
    package var lastValue: Data?
    var placeholder: Placeholder?
    private(set) var path: ObjectPath?
    private var readTemplate: Message?
    private var writeTemplate: Message?
    /// The closure that `startNotifying` was given.
    var valueHandler: ValueHandler? { didSet { valueHandlerChanges += 1 } }
    private(set) var valueHandlerChanges = 0
    /// Whether `setNotifyValue` switched notifications on: then they outlast the sequences of their values.
    var areNotificationsWanted = false
    /// How many requests for notifications have not ended yet.
    var pendingSubscriptions = 0
    private var sequences: [EventSequence<Data>.Buffer] = []
    /// The requests whose response it gives, the current one first.
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

    /// The operations that it supports; empty until it is discovered.
    public var properties: CharacteristicProperties { mirrored?.flags ?? [] }

    /// The handle of the characteristic's declaration; 0 while it is not discovered.
    public var handle: UInt16 { mirrored?.handle ?? 0 }

    /// The ATT MTU of the link in bytes: the longest packet, including 3 bytes of header. Nil before discovery, and if
    /// bluetoothd does not report it (before 5.62).
    public var mtu: Int? { mirrored?.mtu }

    /// How many bytes a single write takes: with a response 512, the greatest length of a value; without one the link's
    /// MTU minus 3 bytes, or 20 if bluetoothd does not report the MTU (before 5.62).
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

    /// The manager releases the peripheral: the subscription ends, and its handlers are notified.
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

    /// Whether values are still taken, or about to be.
    var needsNotifications: Bool { areNotificationsWanted || !sequences.isEmpty || pendingSubscriptions > 0 }

    /// The call to read, built once for all reads.
    package func readCall(_ path: ObjectPath) throws(DBusError) -> Message {
        if let readTemplate, self.path == path { return readTemplate }
        let message = try BlueZ.call(path, BlueZ.gattCharacteristic, "ReadValue")
        try message.write { (writer) throws(DBusError) in try writer.append(.properties([:])) }
        try message.makeTemplate()
        if self.path == path { readTemplate = message }
        return message
    }

    /// The call to write, without its arguments, which are added to a copy.
    func writeCall(_ path: ObjectPath) throws(DBusError) -> Message {
        if let writeTemplate, self.path == path { return try writeTemplate.copy() }
        let message = try BlueZ.call(path, BlueZ.gattCharacteristic, "WriteValue")
        if self.path == path { writeTemplate = message }
        return try message.copy()
    }
}

extension Characteristic: Hashable, Identifiable {
    /// Whether both are the same object.
    public nonisolated static func == (left: Characteristic, right: Characteristic) -> Bool { left === right }

    /// Hashes the object's identity.
    public nonisolated func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
