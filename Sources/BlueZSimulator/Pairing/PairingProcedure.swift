import DBus

/// One run of the Security Manager on a link: what the agent and the peripheral's user are asked, and how it ends.
@SimulatorActor final class PairingProcedure {
    enum End: Hashable, Sendable {
        case paired(PairingKeys)
        /// This side refused or cancelled.
        case refusedHere
        /// The peripheral refused, or found a number other than its own.
        case refusedThere
        /// Nobody did anything for too long; the link is dropped.
        case timedOut
    }

    private let peripheral: SimulatedPeripheral
    private let path: ObjectPath
    private let agent: Agent?
    /// Whether bluetoothd was asked to pair: then it accepts by itself if there is nothing to compare.
    private let isWanted: Bool
    private let needsAuthentication: Bool
    private var completion: (@SimulatorActor (End) -> Void)?
    private var timer: ScheduledCall?
    private var method = PairingMethod.justWorks
    private var passkey: UInt32 = 0
    private var typedHere: UInt32?
    private var typedThere: UInt32?

    init(
        of device: Device,
        with peripheral: SimulatedPeripheral,
        agent: Agent?,
        isWanted: Bool,
        needsAuthentication: Bool = false,
        completion: @escaping @SimulatorActor (End) -> Void
    ) {
        self.peripheral = peripheral
        path = device.path
        self.agent = agent
        self.isWanted = isWanted
        self.needsAuthentication = needsAuthentication
        self.completion = completion
        timer = SimulatorActor.schedule(after: device.timing.pairing) { [weak self] in self?.end(.timedOut) }
    }

    private var behaviour: PairingBehaviour { peripheral.pairing }

    func start() {
        peripheral.pairingRecord = PairingRecord()
        peripheral.procedure = self
        guard behaviour.answers else { return }
        guard behaviour.accepts else { return refuseThere("pairing-not-supported") }
        method = PairingMethod(capability: agent?.capability ?? "NoInputNoOutput", behaviour)
        if method == .justWorks, needsAuthentication { return refuseHere("authentication-requirements") }
        passkey = behaviour.passkey ?? UInt32.random(in: 0...999_999)
        switch method {
        case .justWorks: confirmUnseen()
        case .numericComparison: compare()
        case .passkeyTypedHere:
            peripheral.pairingRecord.shown = passkey
            askHere()
        case .passkeyTypedThere:
            peripheral.pairingRecord.isAsked = true
            display(digits: 0)
            if behaviour.typesShownPasskey { enter(passkey) }
        case .passkeyTypedOnBoth:
            peripheral.pairingRecord.isAsked = true
            askHere()
        }
    }

    /// The link or the wish to pair is gone: the agent's question is withdrawn, and the end is not reported.
    func cancel(_ reason: String? = nil) {
        completion = nil
        finish()
        if let reason { peripheral.pairingRecord.failure = reason }
        agent?.cancel()
    }

    // MARK: Questions

    private func confirmUnseen() {
        guard let agent else { return refuseHere("numeric-comparison-failed") }
        guard !isWanted else { return succeed() }
        agent.ask("RequestAuthorization", [.objectPath(path)]) { [weak self] result in
            if case .success = result { self?.succeed() } else { self?.refuseHere("numeric-comparison-failed") }
        }
    }

    private func compare() {
        guard let agent else { return refuseHere("numeric-comparison-failed") }
        peripheral.pairingRecord.compared = passkey
        agent.ask("RequestConfirmation", [.objectPath(path), .uint32(passkey)]) { [weak self] result in
            if case .success = result { self?.succeed() } else { self?.refuseHere("numeric-comparison-failed") }
        }
        if !behaviour.confirms { refuseThere("confirm-value-failed") }
    }

    private func askHere() {
        guard let agent else { return refuseHere("passkey-entry-failed") }
        agent.ask("RequestPasskey", [.objectPath(path)]) { [weak self] result in
            guard let self else { return }
            guard let message = try? result.get() else { return self.refuseHere("passkey-entry-failed") }
            var reader = message.reader
            self.typedHere = (try? reader.readUInt32()) ?? .max
            self.match()
        }
    }

    /// Shows the passkey, and how many of its digits the peripheral's user has typed.
    func display(digits: UInt16) {
        guard let agent else { return refuseHere("passkey-entry-failed") }
        guard method == .passkeyTypedThere else { return }
        agent.tell("DisplayPasskey", [.objectPath(path), .uint32(passkey), .uint16(digits)])
    }

    /// The peripheral's user types; nil cancels.
    func enter(_ passkey: UInt32?) {
        guard let passkey else { return refuseThere("passkey-entry-failed") }
        typedThere = passkey
        match()
    }

    private func match() {
        let isRight: Bool
        switch (method, typedHere, typedThere) {
        case (.passkeyTypedHere, let number?, _), (.passkeyTypedThere, _, let number?): isRight = number == passkey
        case (.passkeyTypedOnBoth, let here?, let there?): isRight = here == there
        default: return
        }
        if isRight { succeed() } else { refuseThere("confirm-value-failed") }
    }

    // MARK: The end

    private func succeed() {
        let keys = PairingKeys(
            areSecureConnections: behaviour.hasSecureConnections, areAuthenticated: method != .justWorks)
        if behaviour.bonds { peripheral.keys = keys }
        end(.paired(keys))
    }

    private func refuseHere(_ reason: String) {
        peripheral.pairingRecord.failure = reason
        end(.refusedHere)
    }

    private func refuseThere(_ reason: String) {
        peripheral.pairingRecord.failure = reason
        end(.refusedThere)
    }

    private func end(_ end: End) {
        guard let completion else { return }
        self.completion = nil
        finish()
        agent?.cancel()
        completion(end)
    }

    private func finish() {
        timer?.cancel()
        timer = nil
        if peripheral.procedure === self { peripheral.procedure = nil }
    }
}
