import BlueZDBus

extension Device {
    /// pair_device()
    func pair(_ call: IncomingCall) {
        setTemporary(false)
        guard pairing == nil else { return call.fail(BlueZError.inProgress) }
        guard !excludesCalls || connectCall == nil && profileCall == nil else {
            return call.fail(BlueZError.inProgress)
        }
        guard !isBonded else { return call.fail(BlueZError.alreadyExists) }
        guard adapter?.isPowered == true else { return call.fail(BlueZError.failed("Input/output error")) }
        let pairing = Pairing(call, agent: adapter?.agents.agent(of: call.sender))
        self.pairing = pairing
        if isConnected { return startPairing(pairing) }
        guard attempt == nil else {
            self.pairing = nil
            return pairing.refuse(BlueZError.failed("Operation already in progress"))
        }
        pairing.hasMadeLink = true
        startAttempt(for: .client(call.sender, isPairing: true))
    }

    func startPairing(_ pairing: Pairing) {
        guard let link, procedure == nil else {
            self.pairing = nil
            return pairing.refuse(BlueZError.inProgress)
        }
        let dialogue = PairingDialogue(agent: pairing.agent, path: path)
        run(
            link.pair(PairingRequest(dialogue: dialogue, isWanted: true, needsAuthentication: false)) {
                [weak self] end in
                guard let self, self.pairing === pairing else { return }
                self.procedure = nil
                self.pairingEnded(pairing, end)
                self.answerSecurityRequests()
            })
    }

    private func run(_ procedure: any RadioPairing) {
        self.procedure = procedure
        procedure.start()
    }

    /// device_bonding_complete(): replies to the caller first. Then the link ends if the peripheral refused, and stays
    /// up if this side did (seen with bluetoothd 5.66).
    private func pairingEnded(_ pairing: Pairing, _ end: PairingEnd) {
        switch end {
        case .paired(let isAuthenticated, let isBonded): bond(isAuthenticated: isAuthenticated, isBonded: isBonded)
        case .failed(let error): return refuse(pairing, error)
        case .refusedHere: return refuse(pairing, BlueZError.authenticationFailed)
        case .refusedThere, .timedOut:
            refuse(
                pairing, end == .timedOut ? BlueZError.authenticationCanceled : BlueZError.authenticationFailed)
            return linkLost(end == .timedOut ? .local : .authentication)
        }
        guard !areServicesKnown else {
            self.pairing = nil
            return pairing.succeed()
        }
        pairing.waitForServices()
    }

    private func refuse(_ pairing: Pairing, _ error: DBusError) {
        self.pairing = nil
        pairingFailed()
        pairing.refuse(error)
    }

    /// device_bonding_complete(): makes the device temporary, so that it is removed later, and its link with it.
    private func pairingFailed() {
        if forgetsConnected || link == nil { setTemporary(!isPaired && !isTrusted) }
    }

    /// Pairs, with the default agent, because an attribute or the peripheral requires more security. During a pairing,
    /// waits for its end (net/bluetooth/smp.c: smp_conn_security ignores the request, and the socket is suspended).
    ///
    /// - Parameter completion: gets whether the link is secure now; not called if the link ends.
    package func secure(needsAuthentication: Bool, _ completion: @escaping @BlueZServerActor (Bool) -> Void) {
        guard let link else { return }
        guard procedure == nil else { return securityRequests.append((needsAuthentication, completion)) }
        let request = PairingRequest(
            dialogue: PairingDialogue(agent: adapter?.agents.agent(of: nil), path: path),
            isWanted: pairing != nil, needsAuthentication: needsAuthentication)
        run(
            link.pair(request) { [weak self] end in
                guard let self else { return }
                self.procedure = nil
                if case .paired(let isAuthenticated, let isBonded) = end {
                    self.bond(isAuthenticated: isAuthenticated, isBonded: isBonded)
                    completion(true)
                } else {
                    self.pairingFailed()
                    if end == .timedOut { self.linkLost(.local) } else { completion(false) }
                }
                self.answerSecurityRequests()
            })
    }

    private func answerSecurityRequests() {
        let requests = securityRequests
        securityRequests = []
        guard link != nil else { return }
        for request in requests { request.completion(isPaired && (isAuthenticated || !request.needsAuthentication)) }
    }

    package func dialogue() -> PairingDialogue? {
        guard let adapter else { return nil }
        return PairingDialogue(agent: adapter.agents.agent(of: nil), path: path)
    }

    package func paired(isAuthenticated: Bool) { bond(isAuthenticated: isAuthenticated, isBonded: true) }

    private func bond(isAuthenticated: Bool, isBonded: Bool) {
        self.isAuthenticated = isAuthenticated
        if isBonded { set("Bonded", \.isBonded, true) }
        set("Paired", \.isPaired, true)
    }

    /// cancel_pairing(): notifies the agent, then replies to the caller of Pair, then to the caller of CancelPairing.
    func cancelPairing(_ call: IncomingCall) {
        guard let pairing else { return call.fail(BlueZError.doesNotExist) }
        endPairing(BlueZError.authenticationCanceled, "unspecified-reason")
        call.reply()
        if pairing.hasMadeLink { linkLost(.local) }
    }

    /// Ends the pairing, because its link is gone.
    func endPairing(_ error: DBusError, _ reason: String? = nil) {
        procedure?.cancel(reason)
        procedure = nil
        defer { answerSecurityRequests() }
        guard let pairing = self.pairing.take() else { return }
        pairing.refuse(error)
    }
}

/// A call of `Pair` in progress.
@BlueZServerActor final class Pairing {
    /// The caller's agent, or otherwise the default one.
    let agent: Agent?
    /// Whether the link was made for the pairing.
    var hasMadeLink = false
    private var call: IncomingCall?
    /// The caller; nil when it has a reply.
    var client: String? { call?.sender }
    private(set) var isWaitingForServices = false

    init(_ call: IncomingCall, agent: Agent?) {
        self.call = call
        self.agent = agent
    }

    func succeed() {
        call?.reply()
        call = nil
    }

    func refuse(_ error: DBusError) {
        call?.fail(error)
        call = nil
    }

    func waitForServices() { isWaitingForServices = true }

    func servicesResolved() {
        if isWaitingForServices { succeed() }
    }
}
