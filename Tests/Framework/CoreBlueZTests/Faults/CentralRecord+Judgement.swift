import BlueZDBus
import BlueZSimulator
import FoundationEssentials
import TestSupport

@testable import CoreBlueZ

extension CentralRecord {
    /// Errors that say that nothing was written.
    private static let unsentCodes: Set<BluetoothError.Code> = [
        .notConnected, .notDiscovered, .busy, .notPermitted, .notSupported, .valueTooLong, .invalidArguments,
    ]

    static func bytes(_ number: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
    }

    /// What must not be, seen from this side alone: completions that ran twice, or that blame an attribute. None goes
    /// without its device, adapter or daemon, which say more.
    var doubled: [FaultFinding] {
        entries.filter { $0.ends > 1 }.map { FaultFinding(.doubled, "\($0.title) has completed \($0.ends) times") }
            + entries.filter { $0.error?.code == .attributeGone }.map { FaultFinding(.misleading, "\($0)") }
            + tracks.filter { $0.ends > 1 }.map { FaultFinding(.doubled, "\($0.title) has ended \($0.ends) times") }
    }

    /// What must not be, by what the peer received and what bluetoothd was called for.
    ///
    /// - Parameter records: those of all managers.
    static func findings(
        _ records: [CentralRecord], writes: [[UInt8]], calls: [ReceivedCall]
    ) -> [FaultFinding] {
        var received: [[UInt8]: Int] = [:]
        for value in writes { received[value, default: 0] += 1 }
        let sent = Sent(calls)
        var findings: [FaultFinding] = []
        for record in records {
            findings += record.doubled
            for (index, entry) in record.entries.enumerated() {
                guard let number = entry.number else { continue }
                let value = Self.bytes(number)
                let count = received.removeValue(forKey: value) ?? 0
                findings += Self.findings(entry, received: count, wasCalled: sent.lastCall[value] != nil)
                findings += record.lateness(index, sent.lastCall[value], sent)
            }
        }
        return findings
            + received.map { FaultFinding(.received, "\($0.key), which nobody wrote, was received \($0.value) times") }
    }

    private static func findings(_ entry: Entry, received count: Int, wasCalled: Bool) -> [FaultFinding] {
        var findings: [FaultFinding] = []
        if count > 1 { findings.append(FaultFinding(.received, "\(entry) was received \(count) times")) }
        guard let error = entry.error else {
            if entry.isWithResponse, count == 0 {
                findings.append(FaultFinding(.received, "\(entry) was not received"))
            }
            return findings
        }
        if count > 0, entry.isThroughSocket || unsentCodes.contains(error.code) {
            findings.append(FaultFinding(.received, "\(entry) was received"))
        }
        // A limit for the wait itself says that it is one.
        if error.code == .timedOut, !wasCalled, !entry.isThroughSocket, !error.message.contains("queue") {
            findings.append(FaultFinding(.unsentTimeout, "\(entry) was never sent: \(error)"))
        }
        return findings
    }

    private func lateness(_ index: Int, _ call: Int?, _ sent: Sent) -> [FaultFinding] {
        let entry = entries[index]
        if let marker = entry.marker, sent.isBehind(call, marker) {
            return [
                FaultFinding(.sentTooLate, "\(entry) was sent after it had ended, or after its task was cancelled")
            ]
        }
        if let marker = entry.cancellation, hasCancelledPredecessor(index), sent.isBehind(call, marker) {
            return [FaultFinding(.sentTooLate, "\(entry) was sent when the task before it was cancelled with it")]
        }
        return []
    }

    /// Whether an operation was cancelled together with one that came before it on the same attribute: it was waiting
    /// then, and must not be sent.
    private func hasCancelledPredecessor(_ index: Int) -> Bool {
        let entry = entries[index]
        guard entry.error?.code == .cancelled else { return false }
        return entries[..<index].contains {
            $0.cancellation == entry.cancellation && $0.attribute == entry.attribute && $0.error?.code == .cancelled
                && $0.usesQueue
        }
    }
}

extension CentralRecord.Entry: CustomStringConvertible {
    var description: String {
        let result = error.map { "\($0.code)" } ?? (isPending ? "pending" : "succeeded")
        return "\(title) (\(number.map { "\($0), " } ?? "")\(result))"
    }

    /// Whether it waits for its turn at the characteristic.
    var usesQueue: Bool { number != nil && !isThroughSocket || title.hasPrefix("read ") }
}

/// The order of the writes and markers among the calls.
private struct Sent {
    var lastCall: [[UInt8]: Int] = [:]
    var markers: [Int: Int] = [:]

    init(_ calls: [ReceivedCall]) {
        for (position, call) in calls.enumerated() {
            if call.member == "WriteValue", case .bytes(let value) = call.arguments.first {
                lastCall[value] = position
            } else if call.member == "RemoveDevice", let marker = CentralRecord.marker(in: call.arguments) {
                markers[marker] = position
            }
        }
    }

    func isBehind(_ position: Int?, _ marker: Int) -> Bool {
        guard let position, let marker = markers[marker] else { return false }
        return position > marker
    }
}
