import CoreBlueZ
import DBus
import GatewayProtocol

extension Gateway {
    /// Responds to `connect`: grants a lease, stores it in the file, and only then connects.
    func connect(
        _ device: BluetoothAddress, lease milliseconds: Int, timeout: Int, _ request: AdmittedRequest
    ) {
        let refusal: GatewayFailure?
        let now = BootInstant.now
        lastLink += 1
        let reference = LinkReference(device: device, link: lastLink)
        let duration = Self.lease(milliseconds)
        // While the attempt lasts, the client cannot renew.
        let attempt = max(request.notAfter - now, .zero)
        if !allows(device) {
            refusal = GatewayFailure(.notAllowed, text: "This gateway does not connect to \(device)")
        } else if let peripheral = peripheral(at: device) {
            switch leases.grant(
                device, to: request.client, link: reference.link, duration: attempt + duration,
                slots: configuration.slots, at: now)
            {
            case .granted where saveLeases():
                return connect(peripheral, reference, duration, timeout: timeout, request)
            case .granted:
                // It may have replaced one with a link, which must not outlive its lease.
                leases.end(device)
                endLink(to: device, .disconnected)
                peripheral.disconnect { _ in }
                refusal = GatewayFailure(.busy, text: "The gateway cannot write its state file")
            case .leased:
                refusal = GatewayFailure(.leased, text: "Another client uses \(device)")
            case .full:
                refusal = GatewayFailure(.busy, text: "All \(configuration.slots) links are in use")
            }
        } else {
            refusal = GatewayFailure(
                .bluez, name: "org.freedesktop.DBus.Error.UnknownObject",
                text: "bluetoothd does not know \(device); wait until it is heard")
        }
        if let refusal { respond(request, Result<ConnectResult, GatewayFailure>.failure(refusal)) }
    }

    private func allows(_ device: BluetoothAddress) -> Bool {
        guard let allowed = configuration.allowed else { return true }
        return allowed.contains(device)
    }

    private func connect(
        _ peripheral: Peripheral, _ reference: LinkReference, _ duration: Duration, timeout: Int,
        _ request: AdmittedRequest
    ) {
        awaitExpiry()
        statusDidChange()
        if let earlier = links[reference.device] { retire(earlier) }
        let link = GatewayLink(reference, request.client, peripheral)
        links[reference.device] = link
        // No retries: the client gets bluetoothd's error and decides.
        let options = ConnectOptions(timeout: .milliseconds(timeout), retries: 0)
        perform(request) { [weak self] () async -> Result<ConnectResult, GatewayFailure> in
            do throws(BluetoothError) {
                try await peripheral.connect(options: options)
            } catch {
                self?.forget(link)
                return .failure(GatewayFailure(error, mayHaveChanged: false))
            }
            guard let self else { return .failure(.gone) }
            return self.didConnect(link, duration)
        }
    }

    /// The link is up: the lease begins.
    private func didConnect(_ link: GatewayLink, _ duration: Duration) -> Result<ConnectResult, GatewayFailure> {
        let reference = link.reference
        let now = BootInstant.now
        guard links[reference.device] === link, let lease = leases[reference.device], lease.link == reference.link,
            !isEnding
        else {
            // A later request of the same client has taken over the link; otherwise it has no owner.
            if leases[reference.device] == nil { link.peripheral.disconnect { _ in } }
            return .failure(GatewayFailure(.notConnected, text: "The lease on \(reference.device) has ended meanwhile"))
        }
        guard link.peripheral.isConnected else {
            forget(link)
            return .failure(
                GatewayFailure(.bluez, name: "org.bluez.Error.Failed", text: "le-connection-abort-by-local"))
        }
        _ = leases.renew([reference], of: link.client, duration: duration, at: now)
        saveLeases()
        awaitExpiry()
        link.isUp = true
        link.state = link.currentState
        watch(link)
        let result = ConnectResult(
            link: reference.link, lease: Int(duration.wholeMilliseconds), state: link.state)
        return .success(result)
    }

    private func watch(_ link: GatewayLink) {
        let peripheral = link.peripheral
        peripheral.disconnectHandler = { [weak self, weak link] _, _ in
            guard let self, let link, link.isUp else { return }
            log.debug("A link has ended", metadata: ["device": "\(link.reference.device)"])
            // The end of the link has ended the requests. As with bluetoothd, their responses come first.
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
        perform(request) { [weak self] () async -> Result<EmptyResult, GatewayFailure> in
            let outcome: Result<EmptyResult, GatewayFailure>
            do throws(BluetoothError) {
                try await link.peripheral.disconnect()
                outcome = .success(EmptyResult())
            } catch {
                outcome = .failure(GatewayFailure(error, mayHaveChanged: true))
            }
            // The lease lasts until then: another client's attempt must not meet the end of this link.
            if self?.leases[link.reference.device]?.link == link.reference.link {
                self?.leases.end(link.reference.device)
                self?.leasesDidChange()
            }
            return outcome
        }
    }

    /// Responds to `unpair`.
    func unpair(_ device: BluetoothAddress, _ request: AdmittedRequest) {
        let lease = leases[device]
        let refusal: GatewayFailure?
        if !allows(device) {
            refusal = GatewayFailure(.notAllowed, text: "This gateway does not use \(device)")
        } else if lease.map({ $0.client != request.client }) ?? false {
            refusal = GatewayFailure(.leased, text: "Another client uses \(device)")
        } else if peripheral(at: device) == nil {
            refusal = GatewayFailure(.bluez, name: "org.bluez.Error.DoesNotExist", text: "Does Not Exist")
        } else {
            refusal = nil
        }
        guard refusal == nil, let peripheral = peripheral(at: device) else {
            return respond(request, Result<EmptyResult, GatewayFailure>.failure(refusal ?? .gone))
        }
        endLink(to: device, .disconnected)
        perform(request) { [weak self, central] () async -> Result<EmptyResult, GatewayFailure> in
            let outcome: Result<EmptyResult, GatewayFailure>
            do throws(BluetoothError) {
                try await central.forgetPeripheral(peripheral)
                outcome = .success(EmptyResult())
            } catch {
                outcome = .failure(GatewayFailure(error, mayHaveChanged: true))
            }
            if let lease, self?.leases[device]?.link == lease.link {
                self?.leases.end(device)
                self?.leasesDidChange()
            }
            return outcome
        }
    }

    /// The client's link ends, as far as the gateway is concerned; its last event says so.
    func endLink(to device: BluetoothAddress, _ event: GatewayEvent.Content) {
        guard let link = links.removeValue(forKey: device) else { return }
        let wasUp = link.isUp
        retire(link)
        if wasUp { publish(event, of: link) }
    }

    /// A link number is no longer valid: no more events for it reach the client.
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

    /// An attempt has failed: the lease ends, unless a later attempt has it.
    private func forget(_ link: GatewayLink) {
        let device = link.reference.device
        if links[device] === link { links[device] = nil }
        guard leases[device]?.link == link.reference.link else { return }
        leases.end(device)
        leasesDidChange()
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
