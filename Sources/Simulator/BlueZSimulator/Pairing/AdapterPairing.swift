import BlueZServer

/// A pairing of two adapters: the agents of both sides are asked.
@SimulatorActor final class AdapterPairing: RadioPairing {
    private let request: PairingRequest
    var completion: (@SimulatorActor (PairingEnd) -> Void)?
    private var timer: SimulatorActor.ScheduledCall?
    private weak var other: (any LinkHost)?
    private var dialogue: PairingDialogue?
    private var confirmations = 0

    init(
        _ request: PairingRequest, with other: (any LinkHost)?, timeout: Duration,
        completion: @escaping @SimulatorActor (PairingEnd) -> Void
    ) {
        self.request = request
        self.other = other
        self.completion = completion
        timer = SimulatorActor.schedule(after: timeout) { [weak self] in self?.end(.timedOut) }
    }

    func start() {
        guard let other, let dialogue = other.dialogue() else { return end(.refusedThere) }
        self.dialogue = dialogue
        guard let here = request.dialogue.capability else { return end(.refusedHere) }
        guard let there = dialogue.capability else { return end(.refusedThere) }
        let canCompare: Set<String> = ["DisplayYesNo", "KeyboardDisplay"]
        guard canCompare.contains(here), canCompare.contains(there) else {
            guard !request.needsAuthentication else { return end(.refusedHere) }
            return dialogue.authorize { [weak self] isAllowed in
                if isAllowed { self?.succeed(isAuthenticated: false) } else { self?.end(.refusedThere) }
            }
        }
        let number = UInt32.random(in: 0...999_999)
        request.dialogue.confirm(number) { [weak self] isSame in self?.confirmed(isSame, .refusedHere) }
        dialogue.confirm(number) { [weak self] isSame in self?.confirmed(isSame, .refusedThere) }
    }

    private func confirmed(_ isSame: Bool, _ refusal: PairingEnd) {
        guard isSame else { return end(refusal) }
        confirmations += 1
        if confirmations == 2 { succeed(isAuthenticated: true) }
    }

    private func succeed(isAuthenticated: Bool) {
        other?.paired(isAuthenticated: isAuthenticated)
        end(.paired(isAuthenticated: isAuthenticated, isBonded: true))
    }

    func withdraw(_ reason: String?) {
        timer?.cancel()
        request.dialogue.cancel()
        dialogue?.cancel()
    }
}
