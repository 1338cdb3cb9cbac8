import BlueZDBus
import DequeModule

/// The events that wait for one browser.
final class Mailbox: Sendable {
    /// The result of one fetch.
    struct Contents: Sendable, Equatable {
        /// The state of all tags, if it has changed.
        var snapshot: String?
        /// Readings as JSON objects, the oldest first.
        var readings: [String] = []
        /// How many readings were dropped since the last time because the browser was slow.
        var skipped = 0
    }

    /// Four tags at full speed send some 250 readings a second: this is ten seconds of them.
    static let defaultCapacity = 2500
    /// How many readings one fetch returns at most: some 50 kB of them, and a second's.
    static let piece = 256

    private struct State {
        var snapshot: String?
        var readings: Deque<String> = []
        var skipped = 0
        var waiter: CheckedContinuation<Void, Never>?
        var isClosed = false

        var isEmpty: Bool { snapshot == nil && readings.isEmpty }
    }
    private let state = Lock(State())
    private let capacity: Int

    /// Creates an empty mailbox for this many readings.
    init(capacity: Int) {
        self.capacity = max(1, capacity)
    }

    /// Adds a reading; drops the oldest if the mailbox is full.
    func put(reading: String) {
        change { state in
            if state.readings.count == capacity {
                state.readings.removeFirst()
                state.skipped += 1
            }
            state.readings.append(reading)
        }
    }

    /// Replaces the state of all tags.
    func put(snapshot: String) {
        change { $0.snapshot = snapshot }
    }

    /// Closes the mailbox: `fetch` returns nil from now on.
    func close() {
        change { $0.isClosed = true }
    }

    private func change(_ body: (inout State) -> Void) {
        let waiter = state.withLock { state in
            body(&state)
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume()
    }

    /// Waits until there is something to fetch, the time is over, or the task is cancelled. Only one task waits.
    func wait(atMost time: Duration) async {
        let timer = Task {
            try await Task.sleep(for: time)
            change { _ in }
        }
        defer { timer.cancel() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isReady = state.withLock { state in
                    guard !state.isClosed, state.isEmpty, !Task.isCancelled else { return true }
                    state.waiter = continuation
                    return false
                }
                if isReady { continuation.resume() }
            }
        } onCancel: {
            change { _ in }
        }
    }

    /// Removes and returns what there is, up to a limit of readings; nil once the mailbox is closed.
    func fetch() -> Contents? {
        state.withLock { state in
            guard !state.isClosed else { return nil }
            let readings = Array(state.readings.prefix(Self.piece))
            defer {
                state.readings.removeFirst(readings.count)
                (state.snapshot, state.skipped) = (nil, 0)
            }
            return Contents(snapshot: state.snapshot, readings: readings, skipped: state.skipped)
        }
    }
}
