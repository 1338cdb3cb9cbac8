extension CentralSchedule {
    /// The schedule of a seed.
    init(seed: UInt64) {
        var generator = CentralScheduleGenerator(random: SplitMix64(seed: seed))
        generator.generate()
        self.init(
            seed: seed, timeout: generator.needsDeadline || generator.chance(25) ? 40 : nil,
            sharesConnection: Bool.random(using: &generator.random), steps: generator.steps,
            ending: Ending.allCases.randomElement(using: &generator.random) ?? .dropManager
        )
    }
}

/// Makes 3 to 25 operations, often several at a time on one attribute, with faults between them.
private struct CentralScheduleGenerator {
    typealias Operation = CentralSchedule.Operation
    typealias Fault = CentralSchedule.Fault

    var random: SplitMix64
    var steps: [CentralSchedule.Step] = []

    /// The likelier ones more than once.
    private static let operations: [Operation] =
        Operation.allCases + [.read, .write, .write, .write, .command, .subscribe, .sequence, .sequence, .sequence]
    private static let faults: [Fault] = [
        .unregister, .unregister, .dropManager, .dropManager, .cancelTasks, .cancelTasks, .cancelTasks, .daemonKilled,
        .adapterUnplugged, .powerOff, .linkLost, .linkLost, .peerSilent, .deviceRemoved, .noAnswers, .repliesLost,
        .repliesLate, .repliesLate, .errors, .healed, .notification,
    ]
    /// What repairs a fault; a schedule may end without it.
    private static let remedies: [Fault: Fault] = [
        .daemonKilled: .daemonStarted, .adapterUnplugged: .adapterPlugged, .powerOff: .powerOn,
        .peerSilent: .peerReturns,
    ]
    /// What leaves operations without an answer.
    private static let silencing: Set<Fault> = [.noAnswers, .repliesLost, .peerSilent]
    private static let breaking: Set<Fault> = [
        .unregister, .dropManager, .linkLost, .deviceRemoved, .daemonStarted, .adapterPlugged, .powerOn, .peerReturns,
    ]

    var needsDeadline: Bool {
        // bluetoothd does not answer AcquireNotify if the peer refuses the client configuration (Row 36).
        var silencing = Self.silencing
        if steps.contains(where: { if case .operation(.acquireNotify, _, _) = $0 { true } else { false } }) {
            silencing.insert(.errors)
        }
        return steps.contains { step in
            if case .fault(let fault) = step { silencing.contains(fault) } else { false }
        }
    }

    mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

    mutating func generate() {
        var left = Int.random(in: 3...25, using: &random)
        // Requests wait for one another only if the peer takes its time.
        if chance(60) { steps.append(.fault(.repliesLate)) }
        while left > 0 {
            let count = min(left, chance(50) ? 1 : Int.random(in: 2...10, using: &random))
            left -= count
            burst(count)
            if chance(25) { pause() }
            if chance(45) { fault() }
        }
        if chance(60) { fault() }
    }

    private mutating func burst(_ count: Int) {
        let attribute = CentralSchedule.Attribute.allCases.randomElement(using: &random) ?? .first
        var operation = Self.operations.randomElement(using: &random) ?? .read
        var way = CentralSchedule.Way.allCases.randomElement(using: &random) ?? .closure
        let isMixed = chance(30)
        for _ in 0..<count {
            steps.append(.operation(operation, attribute, way))
            guard isMixed else { continue }
            operation = Self.operations.randomElement(using: &random) ?? .read
            way = CentralSchedule.Way.allCases.randomElement(using: &random) ?? .closure
        }
    }

    private mutating func fault() {
        let fault = Self.faults.randomElement(using: &random) ?? .linkLost
        steps.append(.fault(fault))
        if chance(30) { pause() }
        if let remedy = Self.remedies[fault] {
            if chance(30) { burst(1) }
            steps.append(.fault(remedy))
            if chance(70) { mend() }
        } else if Self.breaking.contains(fault), chance(70) {
            mend()
        }
    }

    private mutating func mend() {
        if chance(50) { pause() }
        steps.append(.restore)
    }

    private mutating func pause() {
        steps.append(.pause(milliseconds: Int.random(in: 0...8, using: &random)))
    }
}
