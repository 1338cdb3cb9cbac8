import BlueZSimulator
import DBus
import FoundationEssentials

@testable import CoreBlueZ

extension FaultRecord {
    /// Errors that say that nothing was written.
    private static let unsentCodes: Set<BluetoothError.Code> = [
        .notConnected, .notDiscovered, .busy, .notPermitted, .notSupported, .valueTooLong, .invalidArguments,
    ]

    static func bytes(_ number: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
    }

    /// What must not be, seen from this side alone: completions that ran twice.
    var doubled: [String] {
        entries.filter { $0.ends > 1 }.map { "\($0.title) has completed \($0.ends) times" }
            + tracks.filter { $0.ends > 1 }.map { "\($0.title) has ended \($0.ends) times" }
    }

    /// What must not be, by what the peer received and what bluetoothd was called for.
    func faults(writes: [[UInt8]], calls: [ReceivedCall]) -> [String] {
        var received: [[UInt8]: Int] = [:]
        for value in writes { received[value, default: 0] += 1 }
        let sent = Sent(calls)
        var faults = doubled
        for (index, entry) in entries.enumerated() {
            guard let number = entry.number else { continue }
            let value = Self.bytes(number)
            let count = received.removeValue(forKey: value) ?? 0
            let last = sent.lastCall[value]
            let what = "\(entry.title) (\(number), \(entry.error.map { "\($0.code)" } ?? "succeeded"))"
            if count > 1 { faults.append("\(what) was received \(count) times") }
            if entry.error == nil, entry.isWithResponse, count != 1 { faults.append("\(what) was never received") }
            if let error = entry.error, count > 0, entry.isThroughSocket || Self.unsentCodes.contains(error.code) {
                faults.append("\(what) was received")
            }
            if let marker = entry.marker, sent.isBehind(last, marker) {
                faults.append("\(what) was sent after it had ended\(count > 0 ? ", and received" : "")")
            } else if let marker = entry.cancellation, hasCancelledPredecessor(index), sent.isBehind(last, marker) {
                faults.append("\(what) was sent when the task before it was cancelled with it")
            }
        }
        for (value, count) in received { faults.append("\(value), which nobody wrote, was received \(count) times") }
        return faults
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

extension FaultRecord.Entry {
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
            } else if call.member == "RemoveDevice", let marker = FaultRecord.marker(in: call.arguments) {
                markers[marker] = position
            }
        }
    }

    func isBehind(_ position: Int?, _ marker: Int) -> Bool {
        guard let position, let marker = markers[marker] else { return false }
        return position > marker
    }
}
