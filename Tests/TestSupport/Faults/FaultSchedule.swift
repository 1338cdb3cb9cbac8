import CoreBlueZ

/// What is asked for and what goes wrong meanwhile, in order. A value: it can be printed, run again, and cut down to the
/// steps that a failure needs.
public protocol FaultSchedule: Hashable, Sendable, CustomStringConvertible {
    /// An operation, a fault, or what is done about one.
    associatedtype Step: Sendable
    /// The schedule of a seed, always the same.
    init(seed: UInt64)
    /// The seed.
    var seed: UInt64 { get }
    /// The steps, in order.
    var steps: [Step] { get set }
}

/// The simulators that a schedule runs in.
@BluetoothActor public protocol FaultStand: AnyObject, Sendable {
    /// The schedules of its layer.
    associatedtype Schedule: FaultSchedule
    /// What a round leaves behind to be looked at later.
    associatedtype Record: FaultRecord
    /// Starts the simulators for the schedule of a seed.
    init(seed: UInt64) async throws
    /// Runs the schedule and releases everything that belongs to it.
    ///
    /// - Parameter patience: how long what must happen may take on an idle machine.
    /// - Returns: what was wrong; empty if nothing was. And the record, which must not change any more.
    func run(_ schedule: Schedule, patience: Duration) async -> (findings: [FaultFinding], record: Record)
}

/// What was asked for in one round, and how it ended.
@BluetoothActor public protocol FaultRecord: AnyObject, Sendable {
    /// What has completed, or ended, more than once.
    var doubled: [FaultFinding] { get }
}
