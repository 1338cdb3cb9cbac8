import DBus
import FoundationEssentials

/// The subscriptions of this process, and how values reach them from bluetoothd.
@BluetoothActor package final class ValueChannels {
    /// An object: as a part of a structure, a weak reference is dear to copy.
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

    /// What owns it.
    weak var client: BlueZClient?
    private var channels: [ObjectPath: Channel] = [:]
    /// Whether there are any: beside them, because each read asks.
    private(set) var hasChannels = false
    /// Where the last value came from: the next one mostly comes from there too.
    private var recent: Channel?
    private var hasRule = false

    /// Takes values for a characteristic from now on: values may precede the answer to StartNotify. Returns whether
    /// StartNotify must be called, which happens once for all subscribers.
    package func subscribe(_ subscriber: any ValueSubscriber, at path: ObjectPath) -> Bool {
        let channel = channels[path] ?? Channel(path)
        set(channel, at: path)
        let added = Subscriber(subscriber)
        channel.subscribers = channel.subscribers.filter { $0.key != added.key } + [added]
        updateRule()
        defer { channel.hasSession = true }
        return !channel.hasSession
    }

    /// Takes no more values for a characteristic. Returns whether StopNotify must be called: nobody else is subscribed.
    @discardableResult
    package func unsubscribe(_ subscriber: ObjectIdentifier, at path: ObjectPath) -> Bool {
        guard let channel = channels[path] else { return false }
        channel.subscribers = channel.subscribers.filter { $0.key != subscriber }
        guard channel.subscribers.isEmpty else { return false }
        set(nil, at: path)
        updateRule()
        return channel.hasSession
    }

    /// BlueZ keeps a session across a disconnection and would deliver values after the next connection, which nobody
    /// asked for by then (src/gatt-client.c: notify_io and register_notify). StopNotify succeeds offline.
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

    /// A value that was held back for a read without a reply was a notification's: the reply follows its value at once.
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

    /// No value would ever arrive: the subscribers must know.
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

    /// A value, and who receives it.
    struct Delivery {
        let value: Data
        let subscribers: [Subscriber]
    }

    /// Takes the changed properties of the characteristic that the message is about. Only values of subscribed ones matter: BlueZ broadcasts them
    /// to everybody once somebody, perhaps another program, is subscribed.
    ///
    /// - Returns: what to deliver now.
    func take(_ message: Message, _ reader: inout MessageReader) throws(DBusError) -> Delivery? {
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
        // A read emits its value before its reply. The newest value is held back until the reply shows which it was.
        defer { channel.held = value }
        return channel.held.map { Delivery(value: $0, subscribers: channel.subscribers) }
    }

    private func channel(of message: Message) -> Channel? {
        if let recent, let text = message.pathText, text == recent.path.string { return recent }
        // No closure: each run of one would ask whether it is on the actor.
        guard let path = message.path else { return nil }
        recent = channels[path]
        return recent
    }

    func readBegins(_ path: ObjectPath) {
        channels[path]?.ownReads += 1
    }

    /// The last value before the reply to a read belongs to the read; after an error there was none.
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
