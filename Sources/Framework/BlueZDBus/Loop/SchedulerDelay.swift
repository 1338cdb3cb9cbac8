import Glibc

/// The time for which a thread was ready to run but waited for a processor, which the kernel counts: the second number
/// in `/proc/thread-self/schedstat`, in nanoseconds (Documentation/scheduler/sched-stats.rst of Linux). A kernel
/// without CONFIG_SCHED_INFO does not have this file. The delay is then always zero.
///
/// The baseline is at most a second old when a measurement begins, so that a busy thread reads it once a second and an
/// idle one never. The delay since the baseline may be longer than the delay of the measurement, but never shorter.
struct SchedulerDelay {
    /// The maximum age of a baseline.
    private static let maximumAge: Int64 = 1_000_000_000

    private var thread: pthread_t?
    private var baseline: Int64 = 0
    private var readAt = MonotonicInstant(nanoseconds: 0)

    /// Reads the baseline of the calling thread, unless it was read less than a second before.
    mutating func begin(at now: MonotonicInstant) {
        let isCurrent = now.nanoseconds - readAt.nanoseconds < Self.maximumAge
        guard !isCurrent || thread != pthread_self() else { return }
        thread = pthread_self()
        baseline = Self.total
        readAt = now
    }

    /// Returns the delay of the calling thread since the baseline, in nanoseconds, and sets a new baseline.
    mutating func end() -> Int64 {
        let previous = baseline
        baseline = Self.total
        readAt = .now
        return max(0, baseline - previous)
    }

    /// The delay of the calling thread since it was started, in nanoseconds.
    static var total: Int64 {
        let descriptor = unsafe open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return 0 }
        defer { close(descriptor) }
        var text = [UInt8](repeating: 0, count: 64)
        let count = unsafe read(descriptor, &text, text.count)
        let fields = text.prefix(max(0, count)).split(separator: UInt8(ascii: " "))
        return fields.count > 1 ? Int64(String(decoding: fields[1], as: UTF8.self)) ?? 0 : 0
    }
}
