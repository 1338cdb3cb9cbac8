/// How long an answer may take. Each is longer than bluetoothd's own limit for the same thing, so that its reason arrives
/// before our timeout.
enum Timeout {
    static let bus = Duration.seconds(10)
    static let snapshot = Duration.seconds(30)
    /// How long bluetoothd gives a peripheral to answer (src/shared/att.c: ATT_TIMEOUT_INTERVAL).
    static let transaction = Duration.seconds(30)
    static let attribute = Duration.seconds(35)
    /// How long a request may wait behind others before it is sent.
    static let queue = Duration.seconds(300)
    static let discovery = Duration.seconds(10)
    static let services = Duration.seconds(60)
    static let disconnect = Duration.seconds(15)
}

/// Timeouts that the program does not set. Variables, for tests that should not take as long.
struct Limits {
    /// What each client starts with.
    @BluetoothActor static var initial = Limits()

    /// How long the bus may take to answer.
    var bus = Timeout.bus
    /// How long bluetoothd may take to list its objects.
    var snapshot = Timeout.snapshot
    /// How long bluetoothd gives a peripheral to answer.
    var transaction = Timeout.transaction
    /// How long a call about discovery may take.
    var discovery = Timeout.discovery
    /// How long bluetoothd may take to activate a passive monitor.
    var activation = Timeout.discovery
    /// The first wait before retrying a discovery that was refused as busy; each further wait is twice as long, up to
    /// ten times the first.
    var discoveryBackOff = Duration.milliseconds(200)
    /// How long the services may take to be resolved.
    var services = Timeout.services
    /// How long bluetoothd waits for an advertisement before it abandons a connection (the kernel's
    /// HCI_LE_CONN_TIMEOUT).
    var advertisement = Duration.seconds(20)
    /// How long a connection that is being made holds up those to other peripherals.
    var connectTurn = Duration.seconds(5)
    /// How long a loss of bluetoothd or of the bus counts as temporary (`CentralManagerState.resetting`): systemd
    /// restarts a service after 0.1 s (RestartSec).
    var loss = Duration.seconds(10)
    /// The first wait before the next attempt to reach bluetoothd or the bus; it doubles each time.
    var retry = Duration.seconds(1)
}
