/// How long an answer may take. Each is longer than bluetoothd's own limit for the same thing (src/shared/att.c: 30 s
/// for an ATT transaction), so that its reason arrives before ours.
enum Timeout {
    static let bus = Duration.seconds(10)
    static let snapshot = Duration.seconds(30)
    static let attribute = Duration.seconds(35)
    /// How long a request may wait behind others before it is sent.
    static let queue = Duration.seconds(300)
    static let discovery = Duration.seconds(10)
    static let services = Duration.seconds(60)
    static let disconnect = Duration.seconds(15)
}

/// Times that the program does not set. Variables for the sake of tests that should not take as long.
struct Limits {
    /// What each client begins with.
    @BluetoothActor static var initial = Limits()

    /// How long the bus may take to answer.
    var bus = Timeout.bus
    /// How long bluetoothd may take to list its objects.
    var snapshot = Timeout.snapshot
    /// How long a call about discovery may take.
    var discovery = Timeout.discovery
    /// How long bluetoothd may take to activate a passive monitor.
    var activation = Timeout.discovery
    /// The first wait before a discovery that was refused as busy is asked for again; each next one is twice as long,
    /// up to ten times the first.
    var discoveryBackOff = Duration.milliseconds(200)
    /// How long the services may take to be resolved.
    var services = Timeout.services
    /// How long bluetoothd waits for an advertisement before it gives up a connection (the kernel's
    /// HCI_LE_CONN_TIMEOUT).
    var advertisement = Duration.seconds(20)
    /// How long a connection that is being made keeps those to other peripherals waiting.
    var connectTurn = Duration.seconds(5)
    /// How long a loss of bluetoothd or of the bus counts as passing (`CentralManagerState.resetting`): systemd starts a
    /// service anew after 0.1 s (RestartSec).
    var loss = Duration.seconds(10)
    /// How long the wait before the next try is at first, where bluetoothd or the bus cannot be reached; it doubles.
    var retry = Duration.seconds(1)
}
