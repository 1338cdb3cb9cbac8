import Glibc
import TestSupport
import Testing

import class Foundation.Thread

@testable import BlueZDBus

@Suite struct EventLoopTests {
    /// What the loop's handlers did, for a test that waits on another thread.
    final class Log: Sendable {
        private let state = Lock<(entries: [Int], wanted: Int, waiter: CheckedContinuation<Void, Never>?)>(
            ([], .max, nil))

        func add(_ entry: Int) {
            let waiter = state.withLock { state in
                state.entries.append(entry)
                guard state.entries.count >= state.wanted, let waiter = state.waiter else {
                    return CheckedContinuation<Void, Never>?.none
                }
                state.waiter = nil
                return waiter
            }
            waiter?.resume()
        }

        var entries: [Int] { state.withLock { $0.entries } }

        /// Waits until there are this many entries.
        func wait(for count: Int) async {
            await withCheckedContinuation { continuation in
                let isThere = state.withLock { state in
                    guard state.entries.count < count else { return true }
                    state.wanted = count
                    state.waiter = continuation
                    return false
                }
                if isThere { continuation.resume() }
            }
        }
    }

    @Test(
        "A pass that takes longer than the limit is reported, whether a handler or a job took the time, and no other is"
    )
    func slowPass() async throws {
        let reports = Log()
        // A loop each: what a thread waited for a processor less than a second before may be subtracted.
        let loops = try (1...3).map { number in
            try EventLoop(
                name: "slow",
                slowPass: .init(over: .milliseconds(50)) { time in
                    reports.add(time > .milliseconds(50) ? number : 0)
                })
        }
        let done = Log()
        _ = loops[0].schedule(after: .zero) { done.add(0) }
        await done.wait(for: 1)
        _ = loops[1].schedule(after: .zero) { Self.work(for: .milliseconds(60)) }
        await reports.wait(for: 1)
        await withTaskExecutorPreference(loops[2]) { Self.work(for: .milliseconds(60)) }
        await reports.wait(for: 2)
        #expect(reports.entries == [2, 3])
    }

    @Test(
        "The time in which the thread waited for a processor does not count as a slow pass",
        .disabled(if: Machine.isSanitized, "waiting for a sanitizer counts"))
    func waitForProcessor() async throws {
        let done = Log()
        let reports = Log()
        let loop = try EventLoop(
            name: "waiting",
            slowPass: .init(over: .milliseconds(400)) { time in reports.add(Int(time / .milliseconds(1))) })
        let others = BusyThreads(count: 4 * sysconf(CInt(_SC_NPROCESSORS_ONLN)))
        _ = loop.schedule(after: .zero) {
            // Uses much less than a pass may take, however long it has to wait for it: a virtual machine that waits for
            // its processor doesn't say so.
            let start = (Machine.processorTime, SchedulerDelay.total)
            while Machine.processorTime - start.0 < 0.15, SchedulerDelay.total - start.1 < 800_000_000 {}
            done.add(1)
        }
        await done.wait(for: 1)
        _ = loop.schedule(after: .zero) { done.add(2) }
        await done.wait(for: 2)
        others.stop()
        #expect(reports.entries == [])
    }

    /// Keeps the processor for this long; what others get of it meanwhile doesn't count.
    private static func work(for time: Duration) {
        let end = Machine.processorTime + time / .seconds(1)
        while Machine.processorTime < end {}
    }

    /// Threads that leave the processors to nobody.
    final class BusyThreads: Sendable {
        private let isRunning = Lock(true)

        init(count: Int) {
            for _ in 0..<count {
                Thread.detachNewThread { [self] in while isRunning.withLock({ $0 }) { for _ in 0..<100_000 {} } }
            }
        }

        func stop() { isRunning.withLock { $0 = false } }
    }

    @Test("Calls without a delay run in the order in which they were scheduled, and after the pass that scheduled them")
    func order() async throws {
        let log = Log()
        let loop = try EventLoop(name: "order")
        _ = loop.schedule(after: .zero) {
            for number in 1...3 { _ = loop.schedule(after: .zero) { log.add(number) } }
            log.add(0)
        }
        await log.wait(for: 4)
        #expect(log.entries == [0, 1, 2, 3])
    }

    @Test("Jobs from one thread run in their order, jobs from many threads all run on the loop's")
    func jobs() async throws {
        let loop = try EventLoop(name: "jobs")
        let log = Log()
        await withTaskGroup(of: Void.self) { group in
            for thread in 0..<8 {
                group.addTask {
                    for index in 0..<500 {
                        _ = loop.schedule(after: .zero) { log.add(loop.isCurrent ? thread * 1000 + index : -1) }
                    }
                }
            }
        }
        await log.wait(for: 4000)
        for thread in 0..<8 {
            #expect(log.entries.filter { $0 / 1000 == thread && $0 >= 0 } == (0..<500).map { thread * 1000 + $0 })
        }
        #expect(!loop.isCurrent)
    }

    @Test("Tasks that prefer the loop run on its thread, each job in its order")
    func tasks() async throws {
        let loop = try EventLoop(name: "tasks")
        let log = Log()
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<100 {
                group.addTask(executorPreference: loop) {
                    for index in 0..<10 {
                        log.add(loop.isCurrent ? task * 10 + index : -1)
                        await Task.yield()
                    }
                }
            }
        }
        #expect(log.entries.count == 1000)
        for task in 0..<100 {
            #expect(log.entries.filter { $0 / 10 == task && $0 >= 0 } == (0..<10).map { task * 10 + $0 })
        }
    }

    @Test("Scheduled calls run in the order of their instants, cancelled ones not at all")
    func deadlines() async throws {
        let loop = try EventLoop(name: "deadlines")
        let log = Log()
        // On the loop's own thread, so that none runs before all are scheduled. Each instant is
        // noted: on a busy machine time passes between two of these lines.
        var due = await Task(executorPreference: loop) {
            [250, 50, 200, 100, 150].map { milliseconds in
                let cancelled = loop.schedule(after: .milliseconds(milliseconds - 25)) { log.add(-milliseconds) }
                loop.cancelScheduled(cancelled)
                loop.cancelScheduled(cancelled)
                let instant = SuspendingClock().now.advanced(by: .milliseconds(milliseconds))
                _ = loop.schedule(after: .milliseconds(milliseconds)) { log.add(milliseconds) }
                return (instant: instant, milliseconds: milliseconds)
            }
        }.value
        _ = loop.schedule(after: .seconds(Int64.max)) { log.add(-1) }
        await log.wait(for: 5)
        due.sort { $0.instant < $1.instant }
        #expect(log.entries == due.map(\.milliseconds))
        let late = try #require(due.last).instant.duration(to: SuspendingClock().now)
        #expect(late >= .zero)
    }

    @Test("A call that schedules itself again, and a source that asks for turns, leave room for others")
    func fairness() async throws {
        let loop = try EventLoop(name: "fairness")
        let (log, isDone) = (Log(), Lock(false))
        @Sendable func again() {
            guard !isDone.withLock({ $0 }) else { return }
            _ = loop.schedule(after: .zero) { again() }
        }
        again()
        let own = Lock<EventLoop.Token?>(nil)
        let token = loop.addSource(descriptor: -1, events: []) { _ in
            guard !isDone.withLock({ $0 }), let token = own.withLock({ $0 }) else { return }
            loop.requestPass(of: token)
        }
        own.withLock { $0 = token }
        loop.requestPass(of: token)
        for entry in 0..<10 { _ = loop.schedule(after: .zero) { log.add(entry) } }
        await Task(executorPreference: loop) { log.add(10) }.value
        await log.wait(for: 11)
        isDone.withLock { $0 = true }
        loop.removeSource(token)
        #expect(log.entries.sorted() == Array(0...10))
    }

    @Test("A source may remove itself and another in its handler, and is not called again")
    func removal() async throws {
        let loop = try EventLoop(name: "removal")
        let log = Log()
        let pipe = try Pipe()
        let tokens = Lock<[EventLoop.Token]>([])
        for number in 0..<2 {
            let token = loop.addSource(descriptor: pipe.readEnd, events: []) { _ in
                for token in tokens.withLock({ $0 }) { loop.removeSource(token) }
                log.add(number)
            }
            tokens.withLock { $0.append(token) }
        }
        #expect(unsafe write(pipe.writeEnd, "x", 1) == 1)
        for token in tokens.withLock({ $0 }) { loop.updateSource(token, descriptor: pipe.readEnd, events: .readable) }
        await log.wait(for: 1)
        // The pipe is still readable: a source that was left would be called before the second of these.
        let end = Log()
        _ = loop.schedule(after: .zero) { _ = loop.schedule(after: .zero) { end.add(0) } }
        await end.wait(for: 1)
        #expect(log.entries.count == 1)
    }

    @Test("A source without descriptor gets its turn and its timeout")
    func sourceDeadline() async throws {
        let loop = try EventLoop(name: "source")
        let log = Log()
        let token = loop.addSource(descriptor: -1, events: []) { events in log.add(Int(events.rawValue)) }
        loop.requestPass(of: token)
        await log.wait(for: 1)
        loop.setDeadline(MonotonicInstant.now.advanced(by: .seconds(60)), of: token)
        loop.setDeadline(MonotonicInstant.now.advanced(by: .milliseconds(20)), of: token)
        await log.wait(for: 2)
        #expect(log.entries == [0, 0])
        loop.removeSource(token)
        loop.requestPass(of: token)
        loop.setDeadline(MonotonicInstant.now, of: token)
    }

    @Test("The loop's thread leaves signals to other threads, but not the processor's faults")
    func signals() async throws {
        let loop = try EventLoop(name: "dbus-signals")
        await Task(executorPreference: loop) {}.value
        let status = try #require(Self.status(of: "dbus-signals"))
        let blocked = try #require(UInt64(Self.field("SigBlk", status), radix: 16))
        for signal in [SIGINT, SIGTERM, SIGCHLD, SIGUSR1, SIGPIPE, SIGHUP] {
            #expect(blocked >> UInt64(signal - 1) & 1 == 1, "signal \(signal)")
        }
        for signal in [SIGSEGV, SIGILL, SIGTRAP] {
            #expect(blocked >> UInt64(signal - 1) & 1 == 0, "signal \(signal)")
        }
    }

    @Test("An idle loop with a connection is not woken for a second, nor by deadlines that were taken back")
    func idle() async throws {
        let loop = try EventLoop(name: "dbus-idle")
        let other = try EventLoop(name: "dbus-other")
        let bus = try await TestActor.run { try PrivateBus() }
        let owner = IdleOwner(loop: loop)
        try await owner.connect(bus.address)
        var isQuiet = false
        // On a busy machine the loop may come to rest late, so that a later second counts as well.
        for _ in 0..<8 where !isQuiet {
            await owner.takeDeadlinesBack()
            let pause = Log()
            _ = other.schedule(after: .milliseconds(200)) { pause.add(0) }
            await pause.wait(for: 1)
            let before = try #require(Self.switches(of: "dbus-idle"))
            _ = other.schedule(after: .seconds(1)) { pause.add(1) }
            await pause.wait(for: 2)
            isQuiet = Self.switches(of: "dbus-idle") == before
        }
        #expect(isQuiet)
        #expect(try #require(Self.switches(of: "dbus-idle")) > 0)
        await owner.close()
    }

    private static func switches(of name: String) -> Int? {
        status(of: name).flatMap { Int(field("voluntary_ctxt_switches", $0)) }
    }

    private static func field(_ name: String, _ status: String) -> String {
        let line = status.split(separator: "\n").first { $0.hasPrefix(name + ":") } ?? ""
        return line.dropFirst(name.count + 1).filter { !$0.isWhitespace }
    }

    /// What the kernel says of the thread with this name.
    private static func status(of name: String) -> String? {
        guard let directory = unsafe opendir("/proc/self/task") else { return nil }
        defer { unsafe closedir(directory) }
        while let entry = unsafe readdir(directory) {
            let thread = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                unsafe String(cString: UnsafeRawPointer(pointer).assumingMemoryBound(to: CChar.self))
            }
            guard let text = text(of: "/proc/self/task/\(thread)/status") else { continue }
            if field("Name", text) == name { return text }
        }
        return nil
    }

    private static func text(of path: String) -> String? {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var buffer = [UInt8](repeating: 0, count: 16384)
        let count = unsafe read(descriptor, &buffer, buffer.count)
        return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
    }
}

/// Owns a connection on a loop of its own.
actor IdleOwner {
    private let loop: EventLoop
    private var connection: Connection?

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

    init(loop: EventLoop) { self.loop = loop }

    func connect(_ address: String) async throws {
        let connection = try Connection(to: .address(address), loop: loop)
        self.connection = connection
        _ = try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<String, any Error>) in
            connection.hello(timeout: .seconds(60)) { continuation.resume(with: $0) }
        }
    }

    /// Leaves nothing to wait for, after a call that was answered and a scheduled call that was cancelled.
    func takeDeadlinesBack() async {
        await withCheckedContinuation { continuation in
            do throws(DBusError) {
                try connection?.callBus("GetId", timeout: .milliseconds(700)) { _ in continuation.resume() }
            } catch {
                continuation.resume()
            }
        }
        loop.cancelScheduled(loop.schedule(after: .milliseconds(600)) {})
    }

    func close() {
        connection?.close()
        connection = nil
    }
}
