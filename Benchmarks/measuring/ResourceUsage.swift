import FoundationEssentials
import Glibc

/// The time that a piece of work takes, from the creation of this object on.
public struct ResourceUsage: Sendable {
    private let wall = seconds(CLOCK_MONOTONIC)
    private let processor = seconds(CLOCK_PROCESS_CPUTIME_ID)

    private static func seconds(_ clock: clockid_t) -> Double {
        var time = timespec()
        unsafe clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// The most that the process has had, and what it has now, in kilobytes.
    private static var memory: (peak: Int, resident: Int) {
        let lines = ((try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? "").split(separator: "\n")
        func number(_ name: String) -> Int { Int((lines.first { $0.hasPrefix(name) } ?? "").filter(\.isNumber)) ?? 0 }
        return (number("VmHWM:"), number("VmRSS:"))
    }

    /// Begins.
    public init() {}

    /// Prints it.
    public func end(_ items: some BinaryInteger) {
        let wall = Self.seconds(CLOCK_MONOTONIC) - wall
        let processor = Self.seconds(CLOCK_PROCESS_CPUTIME_ID) - processor
        let (peak, resident) = Self.memory
        print("result items=\(items) seconds=\(wall) cpu=\(processor) memory=\(peak) resident=\(resident)")
        fflush(nil)
    }
}
