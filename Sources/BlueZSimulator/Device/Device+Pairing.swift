import DBus

/// A call of `Pair` that is under way.
@SimulatorActor final class Pairing {
    private var call: IncomingCall?
    private let server: ObjectServer
    private(set) var isWaitingForServices = false

    init(_ call: IncomingCall, server: ObjectServer) {
        self.call = call
        self.server = server
    }

    func succeed() {
        guard let call else { return }
        self.call = nil
        server.reply(to: call)
    }

    func refuse(_ error: DBusError) {
        guard let call else { return }
        self.call = nil
        server.refuse(call, error)
    }

    func waitForServices() { isWaitingForServices = true }

    func servicesResolved() {
        if isWaitingForServices { succeed() }
    }
}

extension Device {
    /// pair_device(): Just Works. As on real bluetoothd, somebody must have registered an agent.
    func pair(_ call: IncomingCall) {
        setTemporary(false)
        guard pairing == nil else { return server.refuse(call, BlueZError.inProgress) }
        guard !isBonded else { return server.refuse(call, BlueZError.alreadyExists) }
        guard adapter?.isPowered == true else { return server.refuse(call, BlueZError.failed("Input/output error")) }
        let pairing = Pairing(call, server: server)
        self.pairing = pairing
        if isConnected { return startPairing(pairing) }
        guard attempt == nil else {
            self.pairing = nil
            return pairing.refuse(BlueZError.failed("Operation already in progress"))
        }
        startAttempt()
    }

    func startPairing(_ pairing: Pairing) {
        guard adapter?.hasAgent == true else {
            self.pairing = nil
            setTemporary(!isTrusted)
            return pairing.refuse(BlueZError.authenticationFailed)
        }
        bond()
        guard !areServicesKnown else {
            self.pairing = nil
            return pairing.succeed()
        }
        pairing.waitForServices()
    }

    /// An attribute wants more security: pairs where somebody has registered an agent.
    ///
    /// - Returns: whether the link is encrypted now.
    func pairForSecurity() -> Bool {
        guard adapter?.hasAgent == true else {
            setTemporary(true)
            return false
        }
        bond()
        return true
    }

    private func bond() {
        isBonded = true
        changed("Bonded")
        isPaired = true
        changed("Paired")
    }

    func cancelPairing(_ call: IncomingCall) {
        guard let pairing else { return server.refuse(call, BlueZError.doesNotExist) }
        self.pairing = nil
        pairing.refuse(BlueZError.authenticationCanceled)
        server.reply(to: call)
    }
}
