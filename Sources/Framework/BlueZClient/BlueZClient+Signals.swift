import BlueZDBus

/// Receives the signals of bluetoothd and the bus. Each signal has a handler of the same form, which reads the signal,
/// applies it to the mirror, and passes it on.
extension BlueZClient {
    /// Receives all signals, in the order in which they were sent. Malformed ones and those about unknown objects are
    /// skipped.
    func receive(_ message: Message) {
        guard let sender = message.senderText else { return }
        do throws(DBusError) {
            if let owner, sender == owner {
                try dispatch(message)
            } else if sender == BlueZ.Interface.bus, message.isSignal(BlueZ.Interface.bus, "NameOwnerChanged") {
                try nameOwnerChanged(message)
            }
        } catch {
            malformed.warn(
                "A signal is invalid", kind: ["what": message.member ?? "", "sender": sender.string],
                details: ["path": message.path?.string ?? "", "error": "\(error)"])
        }
    }

    private func dispatch(_ message: Message) throws(DBusError) {
        if message.isSignal(BlueZ.Interface.properties, "PropertiesChanged") {
            try propertiesChanged(message)
        } else if message.isSignal(BlueZ.Interface.objectManager, "InterfacesAdded") {
            try interfacesAdded(message)
        } else if message.isSignal(BlueZ.Interface.objectManager, "InterfacesRemoved") {
            try interfacesRemoved(message)
        } else if message.isSignal(BlueZInterface.device, "Disconnected") {
            try disconnected(message)
        }
    }

    /// bluetoothd started or stopped. -> `ownerIs` (BlueZClient+Daemon) -> `ClientObserver.clientWasLost`,
    /// `updateState`
    private func nameOwnerChanged(_ message: Message) throws(DBusError) {
        var reader = message.reader
        guard try reader.readString() == BlueZ.service else { return }
        reader.skip()
        let newOwner = try reader.readString()
        ownerIs(newOwner.isEmpty ? nil : newOwner)
    }

    /// A characteristic's value -> `ValueSubscriber.receive`: the characteristic -> its service's handler.
    /// Anything else of an adapter or a device -> the mirror -> `publish`
    private func propertiesChanged(_ message: Message) throws(DBusError) {
        var reader = message.reader
        let interface = try reader.readText()
        if interface == BlueZInterface.gattCharacteristic {
            guard let delivery = try channels.handle(message, &reader) else { return }
            for subscriber in delivery.subscribers { subscriber.object?.receive(delivery.value) }
        } else {
            guard let path = message.path else { return }
            let change = try mirror.change(path, interface, &reader)
            try mirror.invalidate(path, interface, &reader)
            if let change { publish(CollectionOfOne(change)) }
        }
    }

    /// An adapter, a device or an attribute appeared -> the mirror -> `publish`
    private func interfacesAdded(_ message: Message) throws(DBusError) {
        var reader = message.reader
        let path = try reader.readObjectPath()
        var changes: [Mirror.Change] = []
        try mirror.add(path, &reader, &changes)
        publish(changes)
    }

    /// It is gone, or one of its interfaces is -> the mirror -> `publish`
    private func interfacesRemoved(_ message: Message) throws(DBusError) {
        var reader = message.reader
        let path = try reader.readObjectPath()
        let interfaces = try reader.readStrings()
        if interfaces.contains(BlueZ.battery) { mirror.removeBattery(path) }
        // A device can lose its battery interface, and remain a device.
        let own = [BlueZ.adapter, BlueZ.device, BlueZ.gattService, BlueZ.gattCharacteristic, BlueZ.gattDescriptor]
        guard interfaces.contains(where: own.contains) else { return }
        publish(mirror.remove(path))
    }

    /// The reason why a link ends. The end itself follows as a changed property. -> the mirror, for the error of the
    /// loss
    private func disconnected(_ message: Message) throws(DBusError) {
        guard let path = message.path else { return }
        var reader = message.reader
        let name = try reader.readString()
        mirror.setDisconnection(of: path, DBusError(name: name, message: try reader.readString()))
    }

    // MARK: Handing on

    /// Notifies the observers, when the mirror is up to date.
    func publish(_ changes: some Collection<Mirror.Change>) {
        guard !changes.isEmpty else { return }
        for change in changes { cleanUp(after: change) }
        let areAdaptersConcerned = changes.contains(where: \.isOfAdapter)
        for entry in observers {
            guard let observer = entry.observer else { continue }
            for change in changes { observer.mirrorDidChange(change) }
            if areAdaptersConcerned { observer.updateState() }
        }
        for device in mirror.takeModifiedDevices() {
            for observer in presentObservers { observer.servicesWereModified(of: device) }
        }
    }

    /// Cleans up the client's own state for objects that are gone and links that have ended.
    private func cleanUp(after change: Mirror.Change) {
        switch change.kind {
        case .adapterRemoved:
            endDiscovery(on: change.path, BluetoothError(.adapterGone, "The adapter was unplugged"))
        case .adapterChanged(let wasPowered) where wasPowered && mirror.adapters[change.path]?.isPowered == false:
            // bluetoothd deletes discovery sessions and filters with the power (src/adapter.c).
            endDiscovery(on: change.path, BluetoothError(.adapterOff, "The adapter was switched off"))
        case .deviceRemoved, .attributeRemoved:
            channels.remove(below: change.path)
            endLinkCalls(at: change.path)
        case .deviceChanged(let device, let what) where what.contains(.connected) && !device.isConnected:
            channels.disconnect(below: change.path)
            endLinkCalls(at: change.path)
        case .deviceChanged(let device, let what)
        where what.contains(.servicesResolved) && device.areServicesResolved && !device.isConnected:
            findUnsignalledLink(of: change.path)
        default: break
        }
    }
}
