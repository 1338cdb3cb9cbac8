import BlueZSimulator
import BusRecorder
import CoreBlueZ
import DBus
import Foundation
import Recording
import Replay
import TestSupport
import Testing

/// A recording of the simulator in place of the simulator. What a test asks the peripheral's side for is recorded too,
/// because a replay does it by itself.
enum ReplayedSide {
    /// "recorded" or "fast" if each test is to run on a recording, in its time or without its waits, after it has run on
    /// a recorder.
    private static let mode = ProcessInfo.processInfo.environment["COREBLUEZ_TEST_REPLAY"]
    static let isWanted = mode != nil

    /// Runs a test while a simulator is recorded, and then on the recording.
    static func runTwice(_ body: @BluetoothActor (Side) async throws -> Void) async throws {
        var side = try await SimulatedSide.make(timeScale: 1)
        let control = RecordingControl(side.control)
        side.control = control
        let events = Lock<[RecordedEvent]>([])
        try await BluetoothActor.run { [side] in
            let recorder = try BusRecorder(bus: .address(side.bus.description)) { event in events.withLock { $0.append(event) } }
            var recorded = side
            recorded.bus = .address(recorder.address)
            try await body(recorded)
            await withCheckedContinuation { continuation in recorder.finish { continuation.resume() } }
            recorder.close()
        }
        var rest = events.withLock { $0 }[...]
        var options = Replay.Options()
        options.isFast = mode == "fast"
        let bluez = try await SimulatedBlueZ(replaying: try ReplayPlan { rest.popFirst() }, options)
        side.bus = .address(bluez.address)
        side.control = ReplayedControl(control.answers)
        if side.harness != nil { side.harness = ReplayedHarness() }
        do {
            try await BluetoothActor.run { [side] in try await body(side) }
        } catch {
            let unrecorded = await SimulatorActor.run { bluez.unrecordedRequests }
            Issue.record("On the replay: \(error). \(unrecorded)")
        }
        withExtendedLifetime(bluez) {}
        if let path = ProcessInfo.processInfo.environment["COREBLUEZ_TEST_REPLAY_FILE"] {
            let lines = events.withLock { $0 }.map { String(decoding: $0.line, as: UTF8.self) }
            try lines.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
        }
    }
}

/// Passes requests on, and keeps the answers.
private final class RecordingControl: Control {
    private let control: any Control
    private let kept = Lock<[String: [[String: any Sendable]]]>([:])

    init(_ control: any Control) {
        self.control = control
    }

    var answers: [String: [[String: any Sendable]]] { kept.withLock { $0 } }

    func ask(_ verb: String, _ arguments: [String: any Sendable]) async throws -> [String: any Sendable] {
        let answer = try await control.ask(verb, arguments)
        kept.withLock { $0[verb, default: []].append(answer) }
        return answer
    }
}

/// Gives the kept answers, each verb's in order, and its last one again.
private final class ReplayedControl: Control {
    private let answers: Lock<[String: [[String: any Sendable]]]>

    init(_ answers: [String: [[String: any Sendable]]]) {
        self.answers = Lock(answers)
    }

    func ask(_ verb: String, _ arguments: [String: any Sendable]) async throws -> [String: any Sendable] {
        try answers.withLock { answers in
            guard let list = answers[verb], let first = list.first else {
                throw ControlClient.Refusal(description: "\(verb) was not asked for in the recording")
            }
            if list.count > 1 { answers[verb]?.removeFirst() }
            return first
        }
    }
}

/// The recording has the end of bluetoothd, and its return.
private struct ReplayedHarness: Harness {
    func killDaemon() async throws {}
    func startDaemon() async throws {}
}
