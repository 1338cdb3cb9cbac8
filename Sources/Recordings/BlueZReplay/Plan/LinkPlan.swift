import BlueZRecording
import BlueZServer

/// One link of a recording, with its requests and their responses.
struct LinkPlan {
    /// Something that happened at a time, in microseconds since the recording began.
    struct Step {
        var time: Int64
        var action: Action
    }

    /// An event of the link.
    enum Action {
        /// The client made a request: its position in `requests`.
        case request(Int)
        /// A value came from the characteristic with this value handle.
        case value(UInt16, [UInt8])
        /// The services were discovered, or have changed since.
        case services(Discovery)
        /// A property of the device changed.
        case change(DeviceChange)
        /// The device or the air ended the link.
        case loss(LinkEnd)
        /// The adapter changed by itself, this many microseconds after the change before.
        case adapter(delay: Int64, AdapterChange)

        /// Whether the link ends with it, or has ended before.
        var isEnd: Bool {
            switch self {
            case .loss, .adapter: true
            case .request, .value, .services, .change: false
            }
        }
    }

    /// The time at which the link came up.
    let began: Int64
    var mtu: UInt16 = 23
    private(set) var steps: [Step] = []
    /// The positions of requests in `steps`.
    private var positions: [Int: Int] = [:]
    var requests: [RequestPlan] = []
    /// The last read of each value, and the last question of each kind.
    private var lastReads: [UInt16: Int] = [:]
    private var lastQuestions: [String: (request: Int, question: Int)] = [:]
    /// The time at which the client asked to end the link, if it did, and how long the link lasted afterwards.
    var ending: (asked: Int64, duration: Int64)?
    /// Whether only the response to Connect has said so far that there is a link.
    var isFromResponse = false
    /// Whether the host has asked for the services.
    var isDiscovering = false
    /// The position of the step that is the discovery, and whether it has all services.
    private var resolution: (step: Int, isComplete: Bool)?

    /// Whether the services were discovered.
    var isResolved: Bool { resolution != nil }

    init(began: Int64) {
        self.began = began
    }

    mutating func add(_ action: Action, at time: Int64) {
        if case .request(let request) = action { positions[request] = steps.count }
        steps.append(Step(time: time, action: action))
    }

    /// Adds a value that came after the end of the link was reported, but before it.
    mutating func addLate(_ value: [UInt8], of handle: UInt16, at time: Int64) {
        let end = steps.last?.action.isEnd == true ? steps.popLast() : nil
        add(.value(handle, value), at: end?.time ?? ending.map { $0.asked + $0.duration } ?? time)
        if let end { steps.append(end) }
    }

    /// The position of the step that is this request; nil if it made the link.
    func position(of request: Int) -> Int? { positions[request] }

    /// Replaces the last step, which had the same cause.
    mutating func replaceLast(_ action: Action) {
        guard let last = steps.popLast() else { return }
        add(action, at: last.time)
    }

    /// Adds that the services are known: before the first use of an attribute, if there was one.
    mutating func resolve(_ discovery: Discovery, isComplete: Bool, at time: Int64) {
        let use = steps.firstIndex { isUse($0.action) }
        let step = Step(time: use.map { min(steps[$0].time, time) } ?? time, action: .services(discovery))
        insert(step, at: use ?? steps.count, isComplete: isComplete)
    }

    /// Takes the services as they are known now. A capture can contain the beginning of a discovery, some requests, and
    /// its rest; to bluetoothd's clients, it is one.
    mutating func update(_ discovery: Discovery, isComplete: Bool, at time: Int64) {
        guard let resolution else { return }
        if resolution.isComplete { return add(.services(discovery), at: time) }
        steps[resolution.step].action = .services(discovery)
        self.resolution?.isComplete = isComplete
    }

    /// Replaces services that are not all, because the capture contains the rest of the discovery on another link.
    mutating func complete(with discovery: Discovery) {
        if resolution?.isComplete == false { update(discovery, isComplete: true, at: began) }
    }

    /// Ends a link whose services were not discovered. If attributes were used, or the host knew them all and did not
    /// ask, they were known from the beginning. Otherwise, they are known at the end, unless that was a loss.
    mutating func close(_ discovery: Discovery, isComplete: Bool, isKnown: Bool, at time: Int64) {
        guard !isResolved else { return }
        if requests.contains(where: { $0.key.kind.isOfAttribute }) || steps.contains(where: { isUse($0.action) })
            || isKnown && !isDiscovering
        {
            insert(Step(time: began, action: .services(discovery)), at: 0, isComplete: isComplete)
        } else if steps.last?.action.isEnd != true {
            resolve(discovery, isComplete: isComplete, at: time)
        }
    }

    private mutating func insert(_ step: Step, at position: Int, isComplete: Bool) {
        steps.insert(step, at: position)
        positions = positions.mapValues { $0 < position ? $0 : $0 + 1 }
        resolution = (position, isComplete)
    }

    private func isUse(_ action: Action) -> Bool {
        switch action {
        case .value: true
        case .request(let request): requests[request].key.kind.isOfAttribute
        case .services, .change, .loss, .adapter: false
        }
    }
}

extension LinkPlan {
    /// Adds the response to a request.
    mutating func end(_ index: Int, with response: RecordedResponse, at time: Int64) {
        let request = requests[index]
        if request.key.kind == .read, response.failure == nil {
            // A read with an offset continues the one before, in captures.
            if request.key.offset == 0 {
                lastReads[request.key.handle] = index
            } else if let earlier = lastReads[request.key.handle] {
                requests[earlier].append(response.value ?? [], at: request.key.offset)
            }
        }
        requests[index].finish(response, at: time)
    }

    /// Adds a question to a call of Pair, or else to the last request if that has no response yet.
    mutating func ask(_ question: QuestionPlan, of pairing: Int?) {
        guard let index = pairing ?? requests.indices.last, pairing != nil || requests[index].end == nil else { return }
        requests[index].questions.append(question)
        lastQuestions[question.method] = (index, requests[index].questions.count - 1)
    }

    /// Adds the answer to the last question of this kind. Nil if the question was withdrawn.
    mutating func answer(_ method: String, _ isConfirmed: Bool?, at time: Int64) {
        guard let (index, question) = lastQuestions[method] else { return }
        requests[index].questions[question].isConfirmed = isConfirmed
        requests[index].questions[question].answered = time
    }
}

/// A change of an adapter that no client asked for.
enum AdapterChange {
    case power(Bool)
    case unplugged
    case plugged
    /// bluetoothd has left the bus. `plugged` ends that too.
    case stopped
}
