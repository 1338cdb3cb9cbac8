import BlueZServer

/// A pairing that goes as the recorded one.
@BlueZServerActor final class ReplayPairing: RadioPairing {
    private let link: ReplayLink
    var completion: (@BlueZServerActor (PairingEnd) -> Void)?
    private let index: Int?
    private let dialogue: PairingDialogue
    private var questions: ReplayQuestions?
    private var timer: BlueZServerActor.ScheduledCall?

    init(
        _ link: ReplayLink, _ index: Int?, _ dialogue: PairingDialogue,
        _ completion: @escaping @BlueZServerActor (PairingEnd) -> Void
    ) {
        self.link = link
        self.index = index
        self.dialogue = dialogue
        self.completion = completion
    }

    func start() {
        guard let index else {
            timer = BlueZServerActor.schedule(after: .zero) { self.end(.refusedThere) }
            return
        }
        let plan = link.plan.requests[index]
        questions = ReplayQuestions(plan.questions, dialogue, link.replay) { [weak self] isAnswered in
            guard let self else { return }
            let delay = self.link.replay.duration(plan.restOfLatency)
            self.timer = BlueZServerActor.schedule(after: delay) { [weak self] in
                guard let self else { return }
                self.link.mark(index)
                guard isAnswered else { return self.end(.refusedHere) }
                switch plan.result {
                case .success:
                    let isCompared = plan.questions.contains { $0.method != "RequestAuthorization" }
                    self.end(.paired(isAuthenticated: isCompared, isBonded: true))
                case .failure(.bus(let error)): self.end(.failed(error))
                case .failure(.attribute): self.end(.refusedThere)
                case nil:
                    self.timer = BlueZServerActor.schedule(after: ReplayLink.timeout) { self.end(.timedOut) }
                }
            }
        }
        questions?.ask()
    }

    func withdraw(_ reason: String?) {
        timer?.cancel()
        if questions?.isAsking == true { dialogue.cancel() }
        questions = nil
    }
}

/// The recorded questions to an agent, one after another.
@BlueZServerActor final class ReplayQuestions {
    private let questions: [QuestionPlan]
    private let dialogue: PairingDialogue?
    private let replay: Replay
    private let completion: @BlueZServerActor (Bool) -> Void
    private var position = 0
    private var timer: BlueZServerActor.ScheduledCall?
    /// Whether the agent has not answered yet.
    private(set) var isAsking = false

    /// - Parameter completion: gets whether the agent agreed to everything to which the recorded one agreed.
    init(
        _ questions: [QuestionPlan], _ dialogue: PairingDialogue?, _ replay: Replay,
        _ completion: @escaping @BlueZServerActor (Bool) -> Void
    ) {
        self.questions = questions
        self.dialogue = dialogue
        self.replay = replay
        self.completion = completion
    }

    func ask() {
        guard position < questions.count, let dialogue else { return completion(true) }
        let question = questions[position]
        position += 1
        isAsking = true
        if question.isConfirmed == nil, question.answered != nil {
            let delay = replay.duration(question.duration(since: question.time))
            timer = BlueZServerActor.schedule(after: delay) { [weak self] in
                guard let self, self.isAsking else { return }
                self.isAsking = false
                dialogue.cancel()
                self.ask()
            }
        }
        let answered: @BlueZServerActor (Bool) -> Void = { [weak self] isConfirmed in
            guard let self, self.isAsking, question.isConfirmed != nil || question.answered == nil else { return }
            self.isAsking = false
            // One that the recorded agent refused has the recorded end in any case.
            if isConfirmed || question.isConfirmed == false { self.ask() } else { self.completion(false) }
        }
        // A recording contains no passkey, so the number is 0.
        switch question.method {
        case "RequestConfirmation": dialogue.confirm(0, answered)
        case "RequestPasskey": dialogue.requestPasskey { answered($0 != nil) }
        case "RequestAuthorization": dialogue.authorize(answered)
        case "DisplayPasskey":
            dialogue.display(0, digits: 0)
            answered(true)
        default: answered(true)
        }
    }
}
