/// What to do when a link is lost that the program did not end: how often and how fast to connect again, and when to
/// give up.
///
/// Another program's Disconnect ends the link for all, as BlueZ has one link for everybody, and counts as a loss; see
/// `reconnectsAfterLocalDisconnect`.
///
/// Waits grow by a factor, without jitter: a central has few peripherals, and each hears nobody but itself.
public struct ReconnectPolicy: Sendable {
    /// How often to try before giving up; nil means for ever. A lost link that came back begins anew.
    public var attempts: Int?
    /// How long to wait before the first attempt.
    public var firstDelay: Duration
    /// By what each further wait is longer than the one before; 1 or more.
    public var factor: Double
    /// How long a wait gets at most.
    public var longestDelay: Duration
    /// How each attempt connects, and for how long it tries.
    public var options: ConnectOptions
    /// Whether a link that another program of this machine ended counts as lost; true at first. BlueZ tells so from 5.83
    /// on (org.bluez.Reason.Local). Older ones do not, and there every end that this program did not ask for counts.
    public var reconnectsAfterLocalDisconnect: Bool
    /// Runs once when the attempts are used up, with the last one's error. The peripheral stays disconnected then.
    public var giveUp: (@BluetoothActor (Peripheral, BluetoothError) -> Void)?

    /// The usual policy: for ever, after 0.5 s, then 1 s, 2 s and so on up to 30 s.
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

    /// The wait before an attempt, the first being number 0.
    public func delay(beforeAttempt number: Int) -> Duration {
        var delay = max(.zero, min(firstDelay, longestDelay))
        guard factor > 1 else { return delay }
        // A Duration times a number that is too large stops the program.
        let factor = min(factor, 1000)
        for _ in 0..<max(0, min(number, 64)) {
            delay = min(delay * factor, longestDelay)
            if delay == longestDelay { break }
        }
        return max(.zero, delay)
    }
}
