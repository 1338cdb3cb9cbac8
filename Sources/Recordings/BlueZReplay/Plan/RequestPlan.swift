import BlueZRecording
import BlueZServer

/// A request of a recording and its end.
struct RequestPlan {
    /// The properties that requests with the same responses have in common.
    struct Key: Hashable {
        var kind: Kind
        /// The handle of the value, or of a descriptor.
        var handle: UInt16
        var offset: UInt16 = 0
    }

    enum Kind {
        case read
        case write
        case notify
        case pair
        /// Not a request: something that was done to the device. See `Replay.mark()`.
        case mark

        /// Whether the request needs a discovered attribute.
        var isOfAttribute: Bool { self != .pair && self != .mark }
    }

    var key: Key
    /// The value that was written.
    var written: [UInt8]?
    let time: Int64
    /// The time of the response.
    private(set) var end: Int64?
    /// Nil if there was no response.
    private(set) var result: Result<[UInt8], LinkError>?
    /// The questions to the client's agent in the meantime.
    var questions: [QuestionPlan] = []
    /// Whether bluetoothd refused the request by itself.
    private(set) var isRefused = false

    init(key: Key, written: [UInt8]? = nil, time: Int64) {
        self.key = key
        self.written = written
        self.time = time
    }

    /// How long the response took, in microseconds.
    var latency: Int64 { (end ?? time) - time }
    /// How long the response took after the last answer of the client's agent, if there was one.
    var restOfLatency: Int64 { latency - (questions.last?.duration(since: time) ?? 0) }

    /// Adds the response.
    mutating func finish(_ response: RecordedResponse, at time: Int64) {
        isRefused = response.isRefusal
        finish(response.result, at: time)
    }

    /// Adds the end.
    mutating func finish(_ result: Result<[UInt8], LinkError>?, at time: Int64) {
        self.result = result
        end = time
    }

    /// Adds more of the value that was read.
    mutating func append(_ rest: [UInt8], at offset: UInt16) {
        if case .success(let start)? = result, start.count == Int(offset) { result = .success(start + rest) }
    }
}

/// A question to a pairing agent.
struct QuestionPlan {
    /// The method of Agent1.
    let method: String
    let time: Int64
    /// Whether the agent agreed. Nil if bluetoothd withdrew the question.
    var isConfirmed: Bool?
    /// The time of the answer or of the question's withdrawal.
    var answered: Int64?

    /// How long after this time the answer came.
    func duration(since time: Int64) -> Int64 { (answered ?? self.time) - time }
}
