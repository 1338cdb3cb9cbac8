/// The reaction to the loss of a link that the program did not end: how often and how fast to connect again, and when
/// to stop trying.
///
/// BlueZ shares one link among all programs, so another program's Disconnect ends it for all, and counts as a loss; see
/// `reconnectsAfterLocalDisconnect`.
///
/// Waits grow by a factor, without jitter: a central has few peripherals, and each receives only its own connection
/// requests.
public struct ReconnectPolicy: Sendable {
    /// How many attempts to make; nil means no limit. The count starts again when a lost link has come back.
    public var attempts: Int?
    /// How long to wait before the first attempt.
    public var firstDelay: Duration
    /// The factor by which each wait exceeds the one before; 1 or more.
    public var factor: Double
    /// The longest wait.
    public var longestDelay: Duration
    /// The options of each attempt, including its timeout.
    public var options: ConnectOptions
    /// Whether a link that another program of this machine ended counts as lost; true by default. BlueZ reports this
    /// from 5.83 on (org.bluez.Reason.Local). With older versions, every end that this program did not request counts.
    public var reconnectsAfterLocalDisconnect: Bool
    /// Runs once when the attempts are used up, with the last one's error. The peripheral then stays disconnected.
    public var giveUp: (@BluetoothActor (Peripheral, BluetoothError) -> Void)?

    /// The usual policy: no limit, after 0.5 s, then 1 s, 2 s and so on up to 30 s.
    public init(
        attempts: Int? = nil,
        firstDelay: Duration = .milliseconds(500),
        factor: Double = 2,
        longestDelay: Duration = .seconds(30),
        options: ConnectOptions = ConnectOptions(),
        reconnectsAfterLocalDisconnect: Bool = true,
        giveUp: (@BluetoothActor (Peripheral, BluetoothError) -> Void)? = nil
    ) {
        self.attempts = attempts
        self.firstDelay = firstDelay
        self.factor = factor
        self.longestDelay = longestDelay
        self.options = options
        self.reconnectsAfterLocalDisconnect = reconnectsAfterLocalDisconnect
        self.giveUp = giveUp
    }

    /// The wait before an attempt; the first is number 0.
    public func delay(beforeAttempt number: Int) -> Duration {
        var delay = max(.zero, min(firstDelay, longestDelay))
        guard factor > 1 else { return delay }
        // Multiplying a Duration by too large a number stops the program.
        let factor = min(factor, 1000)
        for _ in 0..<max(0, min(number, 64)) {
            delay = min(delay * factor, longestDelay)
            if delay == longestDelay { break }
        }
        return max(.zero, delay)
    }
}
