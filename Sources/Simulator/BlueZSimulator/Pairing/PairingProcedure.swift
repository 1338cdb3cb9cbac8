import BlueZServer

/// One pairing on a link: the questions to the agent and to the user of the peripheral or central, and the result.
@SimulatorActor final class PairingProcedure: RadioPairing {
    private let peripheral: any PairingPeer
    var completion: (@SimulatorActor (PairingEnd) -> Void)?
    private var timer: SimulatorActor.ScheduledCall?
    private let startedThere: Bool
    private let request: PairingRequest
    private var method = PairingMethod.justWorks
    private var passkey: UInt32 = 0
    private var typedHere: UInt32?
    private var typedThere: UInt32?

    init(
        with peripheral: any PairingPeer,
        _ request: PairingRequest,
        startedThere: Bool = false,
        timeout: Duration,
        completion: @escaping @SimulatorActor (PairingEnd) -> Void
    ) {
        self.peripheral = peripheral
        self.request = request
        self.startedThere = startedThere
        self.completion = completion
        timer = SimulatorActor.schedule(after: timeout) { [weak self] in self?.end(.timedOut) }
    }

    private var dialogue: PairingDialogue { request.dialogue }
    private var behaviour: PairingBehaviour { peripheral.pairing }

    func start() {
        peripheral.pairingRecord = PairingRecord()
        peripheral.procedure = self
        guard behaviour.responds else { return }
        guard behaviour.accepts else { return refuseThere("pairing-not-supported") }
        method = PairingMethod(
            capability: dialogue.capability ?? "NoInputNoOutput", behaviour, startedThere: startedThere)
        if method == .justWorks, request.needsAuthentication { return refuseHere("authentication-requirements") }
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

    func withdraw(_ reason: String?) {
        timer?.cancel()
        if peripheral.procedure === self { peripheral.procedure = nil }
        if let reason { peripheral.pairingRecord.failure = reason }
        dialogue.cancel()
    }

    // MARK: Questions

    private func confirmUnseen() {
        guard dialogue.capability != nil else { return refuseHere("numeric-comparison-failed") }
        guard !request.isWanted else { return succeed() }
        dialogue.authorize { [weak self] isAllowed in
            if isAllowed { self?.succeed() } else { self?.refuseHere("numeric-comparison-failed") }
        }
    }

    private func compare() {
        guard dialogue.capability != nil else { return refuseHere("numeric-comparison-failed") }
        peripheral.pairingRecord.compared = passkey
        dialogue.confirm(passkey) { [weak self] isSame in
            if isSame { self?.succeed() } else { self?.refuseHere("numeric-comparison-failed") }
        }
        if !behaviour.confirms { refuseThere("confirm-value-failed") }
    }

    private func askHere() {
        guard dialogue.capability != nil else { return refuseHere("passkey-entry-failed") }
        dialogue.requestPasskey { [weak self] passkey in
            guard let self else { return }
            guard let passkey else { return self.refuseHere("passkey-entry-failed") }
            self.typedHere = passkey
            self.match()
        }
    }

    /// Shows the passkey, and how many of its digits the peripheral's user has typed.
    func display(digits: UInt16) {
        guard dialogue.capability != nil else { return refuseHere("passkey-entry-failed") }
        guard method == .passkeyTypedThere else { return }
        dialogue.display(passkey, digits: digits)
    }

    /// Enters the passkey that the peripheral's user types; nil cancels.
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
        end(.paired(isAuthenticated: keys.areAuthenticated, isBonded: behaviour.bonds))
    }

    private func refuseHere(_ reason: String) {
        peripheral.pairingRecord.failure = reason
        end(.refusedHere)
    }

    private func refuseThere(_ reason: String) {
        peripheral.pairingRecord.failure = reason
        end(.refusedThere)
    }
}
