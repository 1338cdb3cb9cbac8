import BlueZDBus
import Foundation
import Glibc

/// The machine that the tests run on.
public enum Machine {
    private static let measured = Lock<(time: ContinuousClock.Instant, slowness: Double)?>(nil)

    /// How many times longer work takes now than on an idle machine, 1 or more: measured, and at most a second old.
    ///
    /// The greater of two: what a thread has to wait for each second of a processor, and how many threads there are for
    /// each processor (the load of the last minute).
    public static var slowness: Double {
        if let last = measured.withLock({ $0 }), last.time.duration(to: .now) < .seconds(1) { return last.slowness }
        let slowness = max(1, waiting(for: 0.01), load)
        measured.withLock { $0 = (.now, slowness) }
        return slowness
    }

    /// Whether AddressSanitizer is there, which keeps what was freed, or ThreadSanitizer, which remembers each access:
    /// what memory a process takes says nothing then.
    public static var isSanitized: Bool { unsafe dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil }

    /// How many bytes of memory the process has.
    public static var residentMemory: Int {
        let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ")
        return (pages?.dropFirst().first.flatMap { Int($0) } ?? 0) * sysconf(CInt(_SC_PAGESIZE))
    }

    /// How long this thread has had a processor, in seconds.
    public static var processorTime: Double { now(CLOCK_THREAD_CPUTIME_ID) }

    /// The time that passes while this thread gets a processor for this many seconds, as a multiple.
    private static func waiting(for seconds: Double) -> Double {
        let start = (wall: now(CLOCK_MONOTONIC), processor: processorTime)
        var used = 0.0
        while used < seconds { used = processorTime - start.processor }
        return (now(CLOCK_MONOTONIC) - start.wall) / used
    }

    private static var load: Double {
        var average = 0.0
        guard unsafe getloadavg(&average, 1) == 1 else { return 1 }
        return average / Double(max(1, sysconf(CInt(_SC_NPROCESSORS_ONLN))))
    }

    private static func now(_ clock: clockid_t) -> Double {
        var time = timespec()
        unsafe clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
