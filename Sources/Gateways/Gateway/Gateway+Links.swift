import BlueZDBus
import CoreBlueZ
import GatewayProtocol

extension Gateway {
    /// Responds to `connect`: grants a lease, stores it in the file, and only then connects.
    func connect(
        _ device: BluetoothAddress, lease milliseconds: Int, timeout: Int, _ request: AdmittedRequest
    ) {
        let now = BootInstant.now
        lastLink += 1
        let reference = LinkReference(device: device, link: lastLink)
        let duration = Self.lease(milliseconds)
        // The client cannot renew the lease during the attempt.
        let attempt = max(request.notAfter - now, .zero)
        guard allows(device) else {
            return refuse(request, GatewayFailure(.notAllowed, text: "This gateway does not connect to \(device)"))
        }
        guard let peripheral = peripheral(at: device) else {
            let text = "bluetoothd does not know \(device); wait until it is heard"
            return refuse(
                request, GatewayFailure(.bluez, name: "org.freedesktop.DBus.Error.UnknownObject", text: text))
        }
        switch leases.grant(
            device, to: request.client, link: reference.link, duration: attempt + duration, slots: configuration.slots,
            at: now)
        {
        case .granted where saveLeases(): connect(peripheral, reference, duration, timeout: timeout, request)
        case .granted:
            // The new lease may have replaced one with a link, which must not outlive its lease.
            leases.end(device)
            endLink(to: device, .disconnected)
            peripheral.disconnect { _ in }
            refuse(request, GatewayFailure(.busy, text: "The gateway cannot write its state file"))
        case .leased: refuse(request, GatewayFailure(.leased, text: "Another client uses \(device)"))
        case .full: refuse(request, GatewayFailure(.busy, text: "All \(configuration.slots) links are in use"))
        }
    }

    func allows(_ device: BluetoothAddress) -> Bool { configuration.allowed?.contains(device) ?? true }

    private func connect(
        _ peripheral: Peripheral, _ reference: LinkReference, _ duration: Duration, timeout: Int,
        _ request: AdmittedRequest
    ) {
        awaitExpiry()
        statusDidChange()
        if let earlier = links[reference.device] { retire(earlier) }
        let link = GatewayLink(reference, request.client, peripheral)
        links[reference.device] = link
        // Without retries: the client gets bluetoothd's error, and decides.
        let options = ConnectOptions(timeout: .milliseconds(timeout), retries: 0)
        perform(request, mayChange: false) { [weak self] in
            do throws(BluetoothError) {
                try await peripheral.connect(options: options)
            } catch {
                self?.forget(link)
                throw error
            }
            guard let self else { throw GatewayFailure.gone }
            return try self.didConnect(link, duration)
        }
    }

    /// Begins the lease when the link is up.
    private func didConnect(_ link: GatewayLink, _ duration: Duration) throws(GatewayFailure) -> ConnectResult {
        let reference = link.reference
        let now = BootInstant.now
        guard links[reference.device] === link, let lease = leases[reference.device], lease.link == reference.link,
            !isEnding
        else {
            // If no later request of the same client has taken over the link, it has no owner.
            if leases[reference.device] == nil { link.peripheral.disconnect { _ in } }
            throw GatewayFailure(.notConnected, text: "The lease on \(reference.device) has ended meanwhile")
        }
        guard link.peripheral.isConnected else {
            forget(link)
            throw GatewayFailure.bluez(.failed, "le-connection-abort-by-local")
        }
        _ = leases.renew([reference], of: link.client, duration: duration, at: now)
        saveLeases()
        awaitExpiry()
        link.isUp = true
        link.state = link.currentState
        watch(link)
        return ConnectResult(link: reference.link, lease: Int(duration.wholeMilliseconds), state: link.state)
    }

    private func watch(_ link: GatewayLink) {
        let peripheral = link.peripheral
        peripheral.disconnectHandler = { [weak self, weak link] _, _ in
            guard let self, let link, link.isUp else { return }
            log.debug("The link to \(link.reference.device) has ended")
            // The end of the link has ended the requests. As with bluetoothd, their responses are sent first.
            link.afterPendingRequests { [weak self] in
                guard let self, self.links[link.reference.device] === link else { return }
                self.endLink(to: link.reference.device, .disconnected)
                self.leases.end(link.reference.device)
                self.leasesDidChange()
            }
        }
        peripheral.servicesChangedHandler = { [weak self, weak link] _ in
            if let self, let link { self.publish(.services, of: link) }
        }
        link.observation = peripheral.observe { [weak self, weak link] _ in
            guard let self, let link, link.isUp else { return }
            let state = link.currentState
            guard state != link.state else { return }
            link.state = state
            self.publish(.changed(state), of: link)
        }
    }

    /// Responds to `disconnect`.
    func disconnect(_ link: GatewayLink, _ request: AdmittedRequest) {
        endLink(to: link.reference.device, .disconnected)
        perform(request) { [weak self] in
            // The lease lasts until then, so that the end of this link does not affect another client's attempt.
            defer { self?.endLease(on: link.reference.device, link.reference.link) }
            try await link.peripheral.disconnect()
            return EmptyResult()
        }
    }

    /// Responds to `unpair`.
    func unpair(_ device: BluetoothAddress, _ request: AdmittedRequest) {
        let lease = leases[device]
        guard allows(device) else {
            return refuse(request, GatewayFailure(.notAllowed, text: "This gateway does not use \(device)"))
        }
        guard lease == nil || lease?.client == request.client else {
            return refuse(request, GatewayFailure(.leased, text: "Another client uses \(device)"))
        }
        guard let peripheral = peripheral(at: device) else {
            return refuse(request, .bluez(.doesNotExist, "Does Not Exist"))
        }
        endLink(to: device, .disconnected)
        perform(request) { [weak self, central] in
            defer { if let lease { self?.endLease(on: device, lease.link) } }
            try await central.forgetPeripheral(peripheral)
            return EmptyResult()
        }
    }

    /// Ends the lease on a device, unless it now belongs to another link.
    private func endLease(on device: BluetoothAddress, _ link: UInt64?) {
        guard let lease = leases[device], lease.link == link else { return }
        leases.end(device)
        leasesDidChange()
    }

    /// Ends the client's link from the gateway's point of view. Its last event reports this.
    func endLink(to device: BluetoothAddress, _ event: GatewayEvent.Content) {
        guard let link = links.removeValue(forKey: device) else { return }
        let wasUp = link.isUp
        retire(link)
        if wasUp { publish(event, of: link) }
    }

    /// Invalidates a link number. The client gets no more events for it.
    private func retire(_ link: GatewayLink) {
        link.isUp = false
        link.observation?.cancel()
        link.observation = nil
        link.peripheral.disconnectHandler = nil
        link.peripheral.servicesChangedHandler = nil
        for characteristic in link.characteristics.values where characteristic.isNotifying {
            characteristic.setNotifyValue(false) { _ in }
        }
        link.characteristics = [:]
        link.descriptors = [:]
    }

    /// Ends the lease after a failed attempt, unless a later attempt uses it.
    private func forget(_ link: GatewayLink) {
        let device = link.reference.device
        if links[device] === link { links[device] = nil }
        endLease(on: device, link.reference.link)
    }

    /// Publishes a link's event under the next number.
    func publish(_ content: GatewayEvent.Content, of link: GatewayLink) {
        link.sequence += 1
        guard isConnected, isOnline else { return }
        let event = GatewayEvent(
            instance: instance, device: link.reference.device, link: link.reference.link, sequence: link.sequence,
            content: content)
        guard let payload = try? event.payload() else { return warnings.dropped("events that are too large") }
        broker.publish(BrokerMessage(topic: topics.events(name, to: link.client), payload: payload))
    }
}
