/// The programs' clock: seconds since its first use.
package enum Uptime {
    private static let start = ContinuousClock.now

    /// The time now.
    package static var now: Double { start.duration(to: .now) / .seconds(1) }
}
