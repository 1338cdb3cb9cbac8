import BlueZDBus
import FoundationEssentials

/// This process's subscriptions, and the delivery of values to them.
@BluetoothActor package final class ValueChannels {
    /// A reference to a subscriber. It is an object because a weak reference within a structure is expensive to copy.
    final class Subscriber {
        let key: ObjectIdentifier
        private(set) weak var object: (any ValueSubscriber)?

        init(_ object: any ValueSubscriber) {
            key = ObjectIdentifier(object)
            self.object = object
        }
    }

    fileprivate final class Channel {
        let path: ObjectPath
        var subscribers: [Subscriber] = []
        var hasSession = false
        var ownReads = 0
        var held: Data?

        init(_ path: ObjectPath) {
            self.path = path
        }
    }

    /// The client that owns this object.
    weak var client: BlueZClient?
    private var channels: [ObjectPath: Channel] = [:]
    /// Whether there are channels. It is stored separately because each read checks it.
    private(set) var hasChannels = false
    /// The source of the last value, which is usually that of the next one too.
    private var recent: Channel?
    private var hasRule = false

    /// Passes values of a characteristic to a subscriber from now on. Values may precede the reply to StartNotify.
    /// Returns whether StartNotify must be called, which happens once for all subscribers.
    package func subscribe(_ subscriber: any ValueSubscriber, at path: ObjectPath) -> Bool {
        let channel = channels[path] ?? Channel(path)
        set(channel, at: path)
        let added = Subscriber(subscriber)
        channel.subscribers = channel.subscribers.filter { $0.key != added.key } + [added]
        updateRule()
        defer { channel.hasSession = true }
        return !channel.hasSession
    }

    /// Stops passing values of a characteristic to a subscriber. Returns whether StopNotify must be called, because
    /// there is no other subscriber.
    @discardableResult
    package func unsubscribe(_ subscriber: ObjectIdentifier, at path: ObjectPath) -> Bool {
        guard let channel = channels[path] else { return false }
        channel.subscribers = channel.subscribers.filter { $0.key != subscriber }
        guard channel.subscribers.isEmpty else { return false }
        set(nil, at: path)
        updateRule()
        return channel.hasSession
    }

    /// Ends the subscriptions of a device. BlueZ keeps a session across a disconnection, and would deliver values after
    /// the next connection, when they are no longer wanted (src/gatt-client.c: notify_io and register_notify).
    /// StopNotify succeeds offline.
    func disconnect(below device: ObjectPath) {
        for (path, channel) in channels where device.contains(path) {
            if channel.hasSession { stopNotify(path) }
            close(channel)
        }
        updateRule()
    }

    package func stopNotify(_ path: ObjectPath) {
        client?.call(path, BlueZ.gattCharacteristic, "StopNotify", limit: Timeouts.attribute) { result in
            guard case .failure(let error) = result else { return }
            log.debug("StopNotify failed", metadata: ["path": "\(path)", "error": "\(error)"])
        }
    }

    func remove(below path: ObjectPath) {
        for (other, channel) in channels where path.contains(other) { close(channel) }
        updateRule()
    }

    /// Closes a channel. A value that was held back for a read without a reply was a notification, because a reply
    /// would have followed immediately.
    private func close(_ channel: Channel) {
        set(nil, at: channel.path)
        if let held = channel.held { deliver(held, channel) }
    }

    func removeAll() {
        removeChannels()
        if client?.connection == nil { hasRule = false } else { updateRule() }
    }

    private func set(_ channel: Channel?, at path: ObjectPath) {
        channels[path] = channel
        recent = nil
        hasChannels = !channels.isEmpty
    }

    private func removeChannels() {
        channels = [:]
        recent = nil
        hasChannels = false
    }

    /// Restores the rule after a new connection to the bus.
    func restoreRule() {
        hasRule = false
        updateRule()
    }

    private func updateRule() {
        guard hasRule == channels.isEmpty, let client, let connection = client.connection else { return }
        hasRule.toggle()
        if hasRule {
            connection.addMatch(BlueZ.valueRule, timeout: client.timeouts.bus) { [weak self] error in
                guard let error, error.name != DBusError.Name.disconnected else { return }
                self?.ruleWasRefused(error)
            }
        } else {
            connection.removeMatch(BlueZ.valueRule, timeout: client.timeouts.bus) { error in
                guard let error else { return }
                log.debug("The rule for values cannot be removed", metadata: ["error": "\(error)"])
            }
        }
    }

    /// Notifies the subscribers that the rule was refused, since no value would ever arrive.
    private func ruleWasRefused(_ error: DBusError) {
        let ending = channels
        removeChannels()
        hasRule = false
        let reason = BluetoothError(
            .busUnavailable, "Notifications ended: \(BluetoothError.rulesSuggestion)", from: error)
        for (path, channel) in ending {
            if channel.hasSession { stopNotify(path) }
            for subscriber in channel.subscribers { subscriber.object?.endNotifications(reason) }
        }
    }

    // MARK: Values

    /// A value and its receivers.
    struct Delivery {
        let value: Data
        let subscribers: [Subscriber]
    }

    /// Reads the changed properties of the message's characteristic. Only values of subscribed ones matter. BlueZ
    /// broadcasts values to every program if any program has subscribed.
    ///
    /// - Returns: a value to deliver now.
    func handle(_ message: Message, _ reader: inout MessageReader) throws(DBusError) -> Delivery? {
        let channel = channel(of: message)
        var value: Data?
        try reader.readVariants { (name, property) throws(DBusError) in
            if name == "Value" {
                if channel != nil { value = try property.readData() }
            } else if name == "MTU" {
                let mtu = Int(try property.readUInt16())
                if let path = message.path { client?.mirror.setMTU(mtu, of: path) }
            }
        }
        guard let value, let channel else { return nil }
        guard channel.ownReads > 0 else { return Delivery(value: value, subscribers: channel.subscribers) }
        // A read emits its value before its reply. The latest value is held back until the reply shows what it was.
        defer { channel.held = value }
        return channel.held.map { Delivery(value: $0, subscribers: channel.subscribers) }
    }

    private func channel(of message: Message) -> Channel? {
        if let recent, let text = message.pathText, text == recent.path.string { return recent }
        // Not in a closure, each call of which would check whether it is on the actor.
        guard let path = message.path else { return nil }
        recent = channels[path]
        return recent
    }

    func readBegins(_ path: ObjectPath) {
        channels[path]?.ownReads += 1
    }

    /// Ends a read. The last value before its reply belongs to the read, unless it failed.
    func readEnds(_ path: ObjectPath, isSuccess: Bool) {
        guard let channel = channels[path], channel.ownReads > 0 else { return }
        channel.ownReads -= 1
        guard let held = channel.held else { return }
        channel.held = nil
        if !isSuccess { deliver(held, channel) }
    }

    private func deliver(_ value: Data, _ channel: Channel) {
        for subscriber in channel.subscribers { subscriber.object?.receive(value) }
    }
}
