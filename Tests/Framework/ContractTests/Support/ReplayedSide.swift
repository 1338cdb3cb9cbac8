import BlueZDBus
import BlueZRecording
import BlueZReplay
import BlueZSimulator
import BusRecorder
import CoreBlueZ
import Foundation
import TestSupport
import Testing

/// A recording of the simulator in place of the simulator. What a test asks the peripheral's side for is recorded too,
/// because a replay does it by itself.
enum ReplayedSide {
    /// "recorded" or "fast" if each test is to run on a recording, in its time or without its waits, after it has run on
    /// a recorder.
    private static let mode = ProcessInfo.processInfo.environment["COREBLUEZ_TEST_REPLAY"]
    static let isWanted = mode != nil

    /// The tests that are recorded only, by their functions, and why. Those of the peripheral role don't run at all:
    /// services of this side are not recorded.
    private static let excluded = [
        "numericComparison()": "a recording has no passkey, so the numbers cannot be the same",
        "absent()": "bluetoothd leaves the bus while no device is connected, so there is nothing to wait for",
    ]

    /// Runs a test while a simulator is recorded, and then on the recording.
    static func runTwice(_ body: @BluetoothActor (Side) async throws -> Void) async throws {
        var side = try await SimulatedSide.make(timeScale: 1)
        let events = Lock<[RecordedEvent]>([])
        let recorder = try await BluetoothActor.run { [side] in
            try BusRecorder(bus: .address(side.bus.description)) { event in events.withLock { $0.append(event) } }
        }
        // What follows waits for the same request in the replay.
        let control = RecordingControl(side.control) { verb in
            await BluetoothActor.run { recorder.readAll() }
            events.withLock { events in
                let note = RecordedNote(kind: Replay.markKind, text: verb)
                events.append(RecordedEvent(time: events.last?.time ?? 0, .note(note)))
            }
        }
        side.control = control
        try await BluetoothActor.run { [side] in
            var recorded = side
            recorded.bus = .address(recorder.address)
            try await body(recorded)
            await withCheckedContinuation { continuation in recorder.finish { continuation.resume() } }
            recorder.close()
        }
        guard Test.current.map({ excluded[$0.name] == nil }) ?? true else { return }
        var rest = events.withLock { $0 }[...]
        var options = Replay.Options()
        options.isFast = mode == "fast"
        let bluez = try await ReplayedBlueZ(try ReplayPlan(.bluetoothd) { rest.popFirst() }, options)
        side.bus = .address(bluez.address)
        side.control = ReplayedControl(control.answers) { await bluez.mark() }
        if side.harness != nil { side.harness = ReplayedHarness() }
        do {
            try await BluetoothActor.run { [side] in try await body(side) }
        } catch {
            let unrecorded = await bluez.unrecordedRequests
            Issue.record("On the replay: \(error). \(unrecorded)")
        }
        if ProcessInfo.processInfo.environment["COREBLUEZ_TEST_REPLAY_PRINTS"] != nil {
            for event in events.withLock({ $0 }) { print(String(decoding: event.line, as: UTF8.self)) }
        }
        withExtendedLifetime(bluez) {}
    }
}

/// Passes requests on, and keeps the answers.
private final class RecordingControl: Control {
    private let control: any Control
    private let kept = Lock<[String: [[String: any Sendable]]]>([:])

    private let mark: @Sendable (String) async -> Void

    init(_ control: any Control, mark: @escaping @Sendable (String) async -> Void) {
        self.control = control
        self.mark = mark
    }

    var answers: [String: [[String: any Sendable]]] { kept.withLock { $0 } }

    func ask(_ verb: String, _ arguments: [String: any Sendable]) async throws -> [String: any Sendable] {
        await mark(verb)
        let answer = try await control.ask(verb, arguments)
        kept.withLock { $0[verb, default: []].append(answer) }
        return answer
    }
}

/// Gives the kept answers, each verb's in order, and its last one again.
private final class ReplayedControl: Control {
    private let answers: Lock<[String: [[String: any Sendable]]]>

    private let mark: @Sendable () async -> Void

    init(_ answers: [String: [[String: any Sendable]]], mark: @escaping @Sendable () async -> Void) {
        self.answers = Lock(answers)
        self.mark = mark
    }

    func ask(_ verb: String, _ arguments: [String: any Sendable]) async throws -> [String: any Sendable] {
        await mark()
        return try answers.withLock { answers in
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
