import TestSupport

/// What is asked of one peripheral and what goes wrong meanwhile.
struct CentralSchedule: FaultSchedule {
    /// An attribute of `FaultSimulator`'s peripheral.
    enum Attribute: String, CaseIterable, Sendable {
        case first, second, stream
    }

    /// What is asked for.
    enum Operation: String, CaseIterable, Sendable {
        case read, write, command, readDescriptor
        case subscribe, unsubscribe, sequence
        case acquireNotify, acquireWrite, acquiredWrite, closeSockets
        case discoverServices, discoverCharacteristics, connect, disconnect, scan, stopScan
    }

    /// How the answer is waited for.
    enum Way: String, CaseIterable, Sendable {
        case closure, task
    }

    /// What goes wrong, or right again.
    enum Fault: String, CaseIterable, Sendable {
        case unregister, dropManager, cancelTasks
        case daemonKilled, daemonStarted, adapterUnplugged, adapterPlugged, powerOff, powerOn
        case linkLost, peerSilent, peerReturns, deviceRemoved
        case noAnswers, repliesLost, repliesLate, errors, healed, notification
    }

    enum Step: Hashable, Sendable, CustomStringConvertible {
        case operation(Operation, Attribute, Way)
        case fault(Fault)
        /// Finds, connects and discovers again what is gone, as far as it can be.
        case restore
        case pause(milliseconds: Int)

        var description: String {
            switch self {
            case .operation(let operation, let attribute, let way): "\(operation) \(attribute) by \(way)"
            case .fault(let fault): "FAULT \(fault)"
            case .restore: "restore"
            case .pause(let milliseconds): "pause \(milliseconds) ms"
            }
        }
    }

    /// What ends everything that is still there after the steps.
    enum Ending: String, CaseIterable, Sendable {
        case dropManager, unregister, linkLost, disconnect, daemonKilled, adapterUnplugged, deviceRemoved
    }

    let seed: UInt64
    /// The manager's `attributeTimeout` in milliseconds; nil is the usual one. Short where answers may never come.
    var timeout: Int?
    /// Whether another manager of the process keeps the connection to bluetoothd.
    var sharesConnection: Bool
    var steps: [Step]
    var ending: Ending

    /// Whether objects of bluetoothd's go away: a call that meets none is refused, and is not among those that bluetoothd
    /// knows of.
    var takesObjectsAway: Bool {
        let faults: [Fault] = [.daemonKilled, .adapterUnplugged, .deviceRemoved]
        let endings: [Ending] = [.daemonKilled, .adapterUnplugged, .deviceRemoved]
        return endings.contains(ending) || faults.contains { steps.contains(.fault($0)) }
    }

    var description: String {
        let timeout = timeout.map { "\($0) ms" } ?? "the usual"
        let head = "seed \(seed), attribute timeout \(timeout), \(sharesConnection ? "shared" : "own") connection"
        let lines = steps.enumerated().map { "  \($0.offset + 1). \($0.element)" }
        return ([head] + lines + ["  end: \(ending)"]).joined(separator: "\n")
    }
}
