import DBus

extension BlueZClient {
    /// Calls a method of one of bluetoothd's objects. The deadline is a backstop: operations have their own, shorter
    /// one.
    func call(
        _ path: ObjectPath,
        _ interface: String,
        _ member: String,
        deadline: Duration,
        write: (inout MessageWriter) throws(DBusError) -> Void = { (_) throws(DBusError) in },
        reply: @escaping CallReply
    ) {
        do throws(DBusError) {
            let message = try Message.methodCall(
                to: BlueZ.service, path: path, interface: interface, member: member
            )
            message.forbidAutoStart()
            try message.write(write)
            send(message, deadline: deadline, reply: reply)
        } catch {
            BluetoothActor.later { reply(.failure(error)) }
        }
    }

    /// Sends a call that is complete.
    func send(_ message: Message, deadline: Duration, reply: @escaping CallReply) {
        guard let connection else {
            BluetoothActor.later { reply(.failure(.disconnected())) }
            return
        }
        connection.call(message, deadline: deadline, reply: reply)
    }

    /// Takes all of bluetoothd's objects anew. Pending signals are sent before every reply, so this is also a barrier:
    /// what bluetoothd announced before is in the mirror when the completion runs (gdbus/object.c:
    /// g_dbus_send_message).
    func refresh(_ completion: @escaping @BluetoothActor (BluetoothError?) -> Void) {
        call(BlueZ.root, BlueZ.objectManager, "GetManagedObjects", deadline: limits.snapshot) { [weak self] result in
            guard let self else { return }
            do throws(DBusError) {
                var reader = try result.get().reader
                let changes = try self.mirror.apply(managedObjects: &reader)
                self.publish(changes)
                completion(nil)
            } catch {
                completion(BluetoothError(error, in: .other, "bluetoothd"))
            }
        }
    }

    /// Takes a signal. What is malformed or of unknown objects is passed over.
    func receive(_ message: Message) {
        guard let sender = message.sender else { return }
        do throws(DBusError) {
            if sender == BlueZ.bus {
                try receiveFromBus(message)
            } else if sender == owner {
                try receiveFromDaemon(message)
            }
        } catch {
            log.warning(
                "A signal makes no sense",
                metadata: [
                    "member": "\(message.member ?? "")", "path": "\(message.path?.string ?? "")", "error": "\(error)",
                ])
        }
    }

    private func receiveFromBus(_ message: Message) throws(DBusError) {
        guard message.isSignal(BlueZ.bus, "NameOwnerChanged") else { return }
        var reader = message.reader
        guard try reader.readString() == BlueZ.service else { return }
        reader.skip()
        let newOwner = try reader.readString()
        ownerIs(newOwner.isEmpty ? nil : newOwner)
    }

    private func receiveFromDaemon(_ message: Message) throws(DBusError) {
        var reader = message.reader
        if message.isSignal(BlueZ.properties, "PropertiesChanged") {
            guard let path = message.path else { return }
            let interface = try reader.readString()
            if interface == BlueZ.gattCharacteristic {
                try channels.receive(path, &reader)
            } else {
                let change = try mirror.change(path, interface, &reader)
                mirror.invalidate(path, interface, try reader.readStrings())
                if let change { publish([change]) }
            }
        } else if message.isSignal(BlueZ.device, "Disconnected") {
            guard let path = message.path else { return }
            let name = try reader.readString()
            mirror.setDisconnection(of: path, DBusError(name: name, message: try reader.readString()))
        } else if message.isSignal(BlueZ.objectManager, "InterfacesAdded") {
            let path = try reader.readObjectPath()
            publish(try mirror.add(path, &reader))
        } else if message.isSignal(BlueZ.objectManager, "InterfacesRemoved") {
            let path = try reader.readObjectPath()
            let interfaces = try reader.readStrings()
            if interfaces.contains(BlueZ.battery) { mirror.removeBattery(path) }
            guard removesObject(interfaces) else { return }
            publish(mirror.remove(path))
        }
    }

    /// A device may lose its battery and stay a device.
    private func removesObject(_ interfaces: [String]) -> Bool {
        let own = [
            BlueZ.adapter, BlueZ.device, BlueZ.gattService, BlueZ.gattCharacteristic, BlueZ.gattDescriptor,
        ]
        return interfaces.contains { own.contains($0) }
    }

    /// The mirror is up to date; now whoever is concerned is told.
    private func publish(_ changes: [Mirror.Change]) {
        guard !changes.isEmpty else { return }
        for change in changes { settle(change) }
        for manager in managers { manager.mirrorDidChange(changes) }
    }

    /// What the client itself keeps for objects that went or links that broke.
    private func settle(_ change: Mirror.Change) {
        switch change.kind {
        case .adapterRemoved:
            endDiscovery(on: change.path, BluetoothError(.adapterGone, "The adapter was unplugged"))
        case .adapterChanged(let wasPowered) where wasPowered && mirror.adapters[change.path]?.isPowered == false:
            // bluetoothd deletes discovery sessions and filters with the power (src/adapter.c).
            endDiscovery(on: change.path, BluetoothError(.adapterOff, "The adapter was switched off"))
        case .deviceRemoved, .attributeRemoved:
            disconnecting.remove(change.path)
            channels.remove(below: change.path)
        case .deviceChanged(let what) where what.contains(.connected):
            guard mirror.devices[change.path]?.isConnected == false else { return }
            disconnecting.remove(change.path)
            channels.disconnect(below: change.path)
        default: break
        }
    }
}
