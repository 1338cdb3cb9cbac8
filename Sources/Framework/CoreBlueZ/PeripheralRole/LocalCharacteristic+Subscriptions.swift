import BlueZClient
import BlueZDBus

extension LocalCharacteristic {
    // MARK: Without names

    func subscriptionsBegin() {
        guard !subscriptions.isStarted else { return }
        subscriptions.start()
        report(.subscribed(nil))
    }

    func subscriptionsEnd() {
        let wasStarted = subscriptions.isStarted
        let ended = subscriptions.stop()
        if wasStarted { report(.unsubscribed(nil)) }
        guard let manager else { return }
        for path in ended { report(.unsubscribed(manager.central(at: path, mtu: nil))) }
    }

    // MARK: With names

    func acquireNotify(_ call: IncomingCall) {
        let options = RequestOptions(call.reader)
        guard canNotify, let manager, let device = options.device, manager.namesSubscribers else {
            return call.fail(.notSupported, "Notifications of this object need StartNotify")
        }
        guard let packets = pass(to: call, options.mtu) else { return }
        let socket = SubscriberSocket(packets, mayIndicate: properties.contains(.indicate))
        let central = manager.central(at: device, mtu: options.mtu)
        socket.ended = { [weak self, weak socket] in
            if let self, let socket { self.socketEnded(socket, device) }
        }
        if subscriptions.add(socket, of: device) { report(.subscribed(central)) }
    }

    private func socketEnded(_ socket: SubscriberSocket, _ device: ObjectPath) {
        guard let manager else { return }
        let central = manager.central(at: device, mtu: nil)
        subscriptions.closed(socket, of: device, isConnected: central.isConnected) { [weak self] in
            self?.report(.unsubscribed(central))
        }
    }

    /// Handles a link to a central, whose earlier subscription may be in force again.
    func linkDidBegin(_ central: Central) {
        if subscriptions.linkDidBegin(central.path, isBonded: central.isBonded) { report(.subscribed(central)) }
    }

    /// Reports a change. Each subscription is followed by its end before the same central's next one.
    /// Both have the same object.
    func report(_ change: SubscriptionChange) {
        var change = change
        switch change {
        case .subscribed(let central):
            if let central { reported[central.path] = central }
            didSubscribe(central)
        case .unsubscribed(let central):
            let central = central.map { reported.removeValue(forKey: $0.path) ?? $0 }
            change = .unsubscribed(central)
            didUnsubscribe(central)
        }
        manager?.send(.subscriptionChanged(self, change))
        if !subscriptions.isActive { failIndications() }
    }

    // MARK: Writes

    func acquireWrite(_ call: IncomingCall) {
        guard acquiresWrites else {
            return call.fail(.notSupported, "Writes to this object need WriteValue")
        }
        let namesCentrals = manager?.namesSubscribers == true
        let options = RequestOptions(call.reader)
        guard let packets = pass(to: call, options.mtu) else { return }
        let socket = WriteSocket(packets) { [weak self] value in
            guard let self else { return }
            let request = WriteRequest(self, nil, namesCentrals ? options : RequestOptions(), value)
            didReceiveWrite(request)
        }
        let key = ObjectIdentifier(socket)
        sockets[key] = socket
        socket.ended = { [weak self] in self?.sockets[key] = nil }
    }

    /// Creates a pair of sockets, and passes one to bluetoothd.
    private func pass(to call: IncomingCall, _ mtu: Int?) -> PacketSocket? {
        do throws(DBusError) {
            let (own, other) = try PacketSocket.pair()
            call.reply { (writer) throws(DBusError) in
                try writer.append(other.descriptor)
                try writer.append(UInt16(clamping: mtu ?? 23))
            }
            return own
        } catch {
            call.fail(error)
            return nil
        }
    }
}
