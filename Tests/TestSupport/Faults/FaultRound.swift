import CoreBlueZ

private struct Failure: Error {
    let findings: [FaultFinding]
}

/// One round of faults: waits for what must happen, and knows what must be released by its end.
@BluetoothActor open class FaultRound<Record: FaultRecord> {
    private final class Weak {
        weak var object: AnyObject?
        let title: String

        init(_ object: AnyObject, _ title: String) {
            self.object = object
            self.title = title
        }
    }

    /// What was asked for, and how it ended.
    public let record: Record
    /// What was begun by `await`.
    public var tasks: [Task<Void, Never>] = []
    /// How long to wait for what must happen.
    private let patience: Duration
    private var weaks: [Weak] = []

    /// Makes a round that has asked for nothing yet.
    public init(_ record: Record, patience: Duration) {
        self.record = record
        self.patience = patience
    }

    /// Runs the round's body.
    ///
    /// - Returns: what was wrong; empty if nothing was.
    public func findings(_ body: @BluetoothActor () async throws -> Void) async -> [FaultFinding] {
        do {
            try await body()
            return []
        } catch let failure as Failure {
            return failure.findings
        } catch {
            return [FaultFinding(.round, "the round could not be run: \(error)")]
        }
    }

    /// Waits until a condition holds, which it must.
    public func demand(
        _ kind: FaultFinding.Kind, _ what: @autoclosure () -> String, _ condition: @BluetoothActor () async -> Bool
    ) async throws {
        do {
            try await eventually(what(), within: patience) { await condition() }
        } catch let error as Patience.Exhausted {
            throw Failure(findings: [FaultFinding(kind, error.description)] + record.doubled)
        }
    }

    /// Ends the round if there are findings.
    public func check(_ findings: [FaultFinding]) throws {
        guard findings.isEmpty else { throw Failure(findings: findings) }
    }

    /// Notes an object that must be gone by the end of the round.
    public func watch(_ object: AnyObject, _ title: String) {
        weaks.append(Weak(object, title))
    }

    /// Cancels the tasks and waits until what was watched is gone, except for one object.
    public func demandRelease(except anchor: AnyObject? = nil) async throws {
        for task in tasks { task.cancel() }
        tasks = []
        let left = { self.weaks.filter { $0.object != nil && $0.object !== anchor } }
        try await demand(.leftOver, "\(left().map(\.title)) to go") { left().isEmpty }
    }
}
