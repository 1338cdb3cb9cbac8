import DBus

extension BlueZClient {
    /// Calls a method of one of bluetoothd's objects. The limit is a backstop: operations have their own, shorter one.
    ///
    /// - Parameter operation: what the call is for; if that has ended when the call finds its place among those in flight,
    ///   the call is not sent, and `reply` does not run. nil sends it in any case.
    func call(
        _ path: ObjectPath,
        _ interface: String,
        _ member: String,
        in lane: CallGate.Lane = .control,
        limit: Duration,
        for operation: (any AnyOperation)? = nil,
        write: (inout MessageWriter) throws(DBusError) -> Void = { (_) throws(DBusError) in },
        reply: @escaping @BluetoothActor (Result<Message, DBusError>) -> Void
    ) {
        do throws(DBusError) {
            let message = try BlueZ.call(path, interface, member)
            try message.write(write)
            let isNeeded = operation == nil
            send(message, in: lane, limit: limit) { [weak operation] in
                isNeeded || operation?.isPending == true
            } reply: {
                reply($0)
            }
        } catch {
            BluetoothActor.later { reply(.failure(error)) }
        }
    }

    /// Ends a device's link. The link may be there still when bluetoothd answers.
    ///
    /// - Parameter reply: gets nil, also where there was no link.
    func disconnect(_ device: ObjectPath, reply: @escaping @BluetoothActor (DBusError?) -> Void) {
        mirror.setLinkEnding(true, of: device)
        call(device, BlueZ.device, "Disconnect", limit: Deadline.disconnect * 2) { [weak self] result in
            guard let error = result.failure, error.name != "org.bluez.Error.NotConnected" else { return reply(nil) }
            self?.mirror.setLinkEnding(false, of: device)
            reply(error)
        }
    }

    /// Sends a call that is complete, at once or when there is a place for it.
    ///
    /// - Returns: whether it was sent at once, or was not wanted.
    @discardableResult
    func send(
        _ message: Message,
        in lane: CallGate.Lane,
        limit: Duration,
        isWanted: @escaping @BluetoothActor () -> Bool,
        reply: @escaping @BluetoothActor (Result<Message, DBusError>) -> Void
    ) -> Bool {
        gate.enter(lane) { [weak self] in
            guard isWanted() else { return false }
            guard let self, let connection = self.connection else {
                BluetoothActor.later { reply(.failure(.disconnected())) }
                return false
            }
            // The place is this gate's: a connection that was lost has taken its own with it.
            let gate = self.gate
            connection.call(message, deadline: limit) { result in
                reply(result)
                gate.leave(lane)
            }
            return true
        }
    }

    /// Takes all of bluetoothd's objects: once in each of its lives, for there may be tens of thousands. They are taken over
    /// in turns, between which the thread does other things; the connection's next messages wait for the last.
    func refresh(_ completion: @escaping @BluetoothActor (BluetoothError?) -> Void) {
        call(BlueZ.root, BlueZ.objectManager, "GetManagedObjects", limit: limits.snapshot) { [weak self] result in
            guard let self else { return }
            do throws(DBusError) {
                let snapshot = try Mirror.Snapshot(try result.get())
                self.connection?.suspend()
                self.take(snapshot, self.connection, completion)
            } catch {
                completion(BluetoothError(error, in: .other, "bluetoothd"))
            }
        }
    }

    private func take(
        _ snapshot: Mirror.Snapshot, _ source: Connection?,
        _ completion: @escaping @BluetoothActor (BluetoothError?) -> Void
    ) {
        guard let connection, connection === source else {
            return completion(BluetoothError(.busUnavailable, BluetoothError.busLostAdvice))
        }
        do throws(DBusError) {
            publish(try mirror.apply(snapshot))
            if !snapshot.isDone {
                return BluetoothActor.later { [weak self] in self?.take(snapshot, source, completion) }
            }
            connection.resume()
            completion(nil)
        } catch {
            connection.resume()
            completion(BluetoothError(error, in: .other, "bluetoothd"))
        }
    }

    /// Runs `completion` when the objects of a connected device's services are all in the mirror. bluetoothd reports that
    /// the services are resolved before it announces their objects, and it announces what is pending before every reply
    /// (gdbus/object.c: g_dbus_send_message): any answer is a barrier.
    ///
    /// The mirror says whether they still are resolved, and complete: signals may have overtaken.
    func completeServices(of device: ObjectPath, _ completion: @escaping @BluetoothActor (BluetoothError?) -> Void) {
        guard servicesWaiters[device] == nil else { return servicesWaiters[device, default: []].append(completion) }
        servicesWaiters[device] = [completion]
        call(device, BlueZ.properties, "Get", limit: limits.services) { (writer) throws(DBusError) in
            try writer.append(BlueZ.device)
            try writer.append("ServicesResolved")
        } reply: { [weak self] result in
            if case .failure(let error) = result {
                self?.servicesAreComplete(of: device, BluetoothError(error, in: .other, "Discovering the services"))
            } else {
                self?.readMTU(of: device)
            }
        }
    }

    /// bluetoothd keeps the objects of a device over its links, and announces the MTU of a new one by signals that nobody
    /// listens to while nothing is subscribed. It is the same for all characteristics.
    private func readMTU(of device: ObjectPath) {
        guard let path = mirror.characteristicWithoutMTU(below: device) else {
            return servicesAreComplete(of: device, nil)
        }
        call(path, BlueZ.properties, "Get", limit: limits.services) { (writer) throws(DBusError) in
            try writer.append(BlueZ.gattCharacteristic)
            try writer.append("MTU")
        } reply: { [weak self] result in
            // Before 5.62 there is no such property.
            if var reader = try? result.get().reader,
                let mtu = try? reader.readVariant({ (value) throws(DBusError) in try value.readUInt16() })
            {
                self?.mirror.setMTU(Int(mtu), below: device)
            }
            self?.servicesAreComplete(of: device, nil)
        }
    }

    private func servicesAreComplete(of device: ObjectPath, _ error: BluetoothError?) {
        guard let waiters = servicesWaiters.removeValue(forKey: device) else { return }
        if error == nil { mirror.completeServices(of: device) }
        for waiter in waiters { waiter(error) }
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
            Complaints.shared.warn(
                "A signal makes no sense", of: message.member ?? "", from: sender,
                ["path": "\(message.path?.string ?? "")", "error": "\(error)"])
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
        let observers = presentObservers
        for observer in observers { observer.mirrorDidChange(changes) }
        for device in mirror.takeModifiedDevices() {
            for observer in observers { observer.servicesWereModified(of: device) }
        }
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
            channels.remove(below: change.path)
        case .deviceChanged(let what) where what.contains(.connected):
            guard mirror.devices[change.path]?.isConnected == false else { return }
            channels.disconnect(below: change.path)
        default: break
        }
    }
}
