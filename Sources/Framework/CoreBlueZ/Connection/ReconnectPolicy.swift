/// The reaction to the loss of a link that the program did not end: how often to connect again, how long to wait
/// between attempts, and when to stop.
///
/// BlueZ shares one link among all programs. If another program disconnects, that counts as a loss; see
/// `reconnectsAfterLocalDisconnect`.
///
/// Delays grow by a factor, without jitter: a central has few peripherals, and each receives only its own connection
/// requests.
public struct ReconnectPolicy: Sendable {
    /// The maximum number of attempts; nil means no limit. The count starts again when a lost link has been restored.
    public var attempts: Int?
    /// The delay before the first attempt; 0.5 s by default.
    public var firstDelay: Duration
    /// The factor by which each delay exceeds the one before: 1 or more, by default 2.
    public var factor: Double
    /// The longest delay; 30 s by default.
    public var longestDelay: Duration
    /// The options of each attempt, including its timeout.
    public var options: ConnectOptions
    /// Whether a link that another program of this machine ended counts as lost; true by default. BlueZ reports this
    /// from 5.83 on (org.bluez.Reason.Local). With older versions, every end that this program did not request counts.
    public var reconnectsAfterLocalDisconnect: Bool
    /// Called once when the attempts are used up, with the error of the last one. The peripheral then stays
    /// disconnected.
    public var giveUp: (@BluetoothActor (Peripheral, BluetoothError) -> Void)?

    /// Creates a policy. By default, attempts are not limited, and the delays are 0.5 s, 1 s, 2 s and so on, up to 30
    /// s.
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

    /// Returns the delay before an attempt. The first attempt is number 0.
    public func delay(beforeAttempt number: Int) -> Duration {
        .delay(beforeAttempt: number, first: firstDelay, longest: longestDelay, factor: factor)
    }
}
