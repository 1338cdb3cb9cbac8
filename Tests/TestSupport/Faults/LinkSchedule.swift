/// What a layer is asked for, besides the faults of the link that are the same for all.
public protocol FaultOperation: RawRepresentable, CaseIterable, Hashable, Sendable where RawValue == String {
    /// Those that come more often than others.
    static var likely: [Self] { get }
    /// Those that end everything that is left after the steps.
    static var endings: [Self] { get }
}

/// What is asked of a layer above one peripheral and what goes wrong meanwhile.
public struct LinkSchedule<Operation: FaultOperation>: FaultSchedule {
    /// One step.
    public enum Step: Hashable, Sendable, CustomStringConvertible {
        /// An operation; the number decides on its way and its arguments.
        case operation(Operation, Int)
        case fault(LinkFault)
        /// Finds, connects and prepares again what is gone, as far as it can be.
        case restore
        case pause(milliseconds: Int)

        /// For whoever reads the failure.
        public var description: String {
            switch self {
            case .operation(let operation, let number): "\(operation.rawValue) \(number)"
            case .fault(let fault): "FAULT \(fault)"
            case .restore: "restore"
            case .pause(let milliseconds): "pause \(milliseconds) ms"
            }
        }
    }

    /// What it was made from.
    public let seed: UInt64
    /// The steps, in order.
    public var steps: [Step]
    /// What ends everything that is still there after the steps.
    public let ending: Step
    /// The manager's `attributeTimeout` in milliseconds; nil is the usual one. Short where answers may never come.
    public let timeout: Int?

    /// The schedule of a seed.
    public init(seed: UInt64) {
        var generator = LinkScheduleGenerator<Operation>(random: SplitMix64(seed: seed))
        generator.generate()
        self.seed = seed
        timeout = generator.needsDeadline || generator.chance(25) ? 40 : nil
        ending = generator.ending
        steps = generator.steps
    }

    /// The steps, one a line.
    public var description: String {
        let head = "seed \(seed), attribute timeout \(timeout.map { "\($0) ms" } ?? "the usual")"
        let lines = steps.enumerated().map { "  \($0.offset + 1). \($0.element)" }
        return ([head] + lines + ["  end: \(ending)"]).joined(separator: "\n")
    }
}

/// Makes 3 to 25 operations, often several at a time, with faults between them.
private struct LinkScheduleGenerator<Operation: FaultOperation> {
    typealias Step = LinkSchedule<Operation>.Step

    var random: SplitMix64
    var steps: [Step] = []
    private let operations = Array(Operation.allCases) + Operation.likely
    private let faults: [LinkFault] = [
        .daemonKilled, .adapterUnplugged, .powerOff, .linkLost, .linkLost, .peerSilent, .deviceRemoved, .noAnswers,
        .repliesLost, .repliesLate, .repliesLate, .errors, .healed,
    ]
    private let endings: [LinkFault] = [.linkLost, .daemonKilled, .adapterUnplugged, .deviceRemoved]

    init(random: SplitMix64) { self.random = random }

    /// bluetoothd does not answer AcquireNotify if the peer refuses the client configuration (Row 36).
    var needsDeadline: Bool {
        steps.contains { if case .fault(let fault) = $0 { fault.isSilencing || fault == .errors } else { false } }
    }

    var ending: Step {
        mutating get {
            let all = endings.map(Step.fault) + Operation.endings.map { .operation($0, 0) }
            return all.randomElement(using: &random) ?? .fault(.linkLost)
        }
    }

    mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

    mutating func generate() {
        var left = Int.random(in: 3...25, using: &random)
        if chance(50) { steps.append(.fault(.repliesLate)) }
        while left > 0 {
            let count = min(left, chance(30) ? 1 : Int.random(in: 2...10, using: &random))
            left -= count
            for _ in 0..<count { operate() }
            if chance(40) { pause() }
            if chance(40) { fault() }
        }
        if chance(60) { fault() }
    }

    private mutating func operate() {
        guard let operation = operations.randomElement(using: &random) else { return }
        steps.append(.operation(operation, Int.random(in: 0..<1000, using: &random)))
        if chance(10) { pause() }
    }

    private mutating func fault() {
        guard let fault = faults.randomElement(using: &random) else { return }
        steps.append(.fault(fault))
        if chance(30) { pause() }
        if chance(30) { operate() }
        if let remedy = fault.remedy { steps.append(.fault(remedy)) }
        if chance(50) { pause() }
        if chance(70) { steps.append(.restore) }
    }

    private mutating func pause() {
        steps.append(.pause(milliseconds: Int.random(in: 0...8, using: &random)))
    }
}
