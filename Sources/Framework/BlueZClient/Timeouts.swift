/// The timeouts that the program does not set. Each is longer than bluetoothd's own, so that bluetoothd's reason
/// arrives first. They are variables so that tests can shorten them.
package struct Timeouts {
    static let bus = Duration.seconds(10)
    static let snapshot = Duration.seconds(30)
    /// How long bluetoothd waits for a peripheral's response (src/shared/att.c: ATT_TIMEOUT_INTERVAL).
    static let transaction = Duration.seconds(30)
    package static let attribute = Duration.seconds(35)
    /// How long a request may wait for others before it is sent.
    package static let queue = Duration.seconds(300)
    package static let discovery = Duration.seconds(10)
    /// How long bluetoothd may take to register or unregister an application or an advertisement. It reads the objects
    /// of this program in the meantime.
    package static let registration = Duration.seconds(25)
    package static let services = Duration.seconds(60)
    package static let disconnect = Duration.seconds(15)

    /// The timeouts of new clients.
    @BluetoothActor package static var initial = Timeouts()

    /// How long the bus may take to reply.
    package var bus = Self.bus
    /// How long bluetoothd may take to list its objects.
    package var snapshot = Self.snapshot
    /// How long bluetoothd waits for a peripheral's response.
    package var transaction = Self.transaction
    /// How long a call about discovery may take.
    package var discovery = Self.discovery
    /// How long bluetoothd may take to activate a passive monitor.
    package var activation = Self.discovery
    /// The first delay before a discovery that was refused as busy is retried. Each further delay is twice as long, up
    /// to ten times the first.
    package var discoveryBackOff = Duration.milliseconds(200)
    /// The first delay before a call that was refused as busy is repeated. Each further delay is twice as long, up to
    /// 64 times the first.
    package var callBackOff = Duration.milliseconds(10)
    /// How long bluetoothd may take to register an application or an advertisement, or to unregister it.
    package var registration = Self.registration
    /// How long the services may take to be resolved.
    package var services = Self.services
    /// How long bluetoothd waits for an advertisement before it abandons a connection (the kernel's
    /// HCI_LE_CONN_TIMEOUT).
    package var advertisement = Duration.seconds(20)
    /// How long an attempt to connect delays attempts to other peripherals.
    package var connectSlot = Duration.seconds(5)
    /// How long a loss of bluetoothd or of the bus counts as temporary (`CentralManagerState.resetting`). systemd
    /// restarts a service after 0.1 s (RestartSec).
    package var loss = Duration.seconds(10)
    /// The first delay before the next attempt to reach bluetoothd or the bus. It doubles each time.
    package var retry = Duration.seconds(1)
}

extension Duration {
    /// Returns the delay before an attempt. The first attempt is number 0; each further delay is longer by a factor.
    package static func delay(
        beforeAttempt number: Int, first: Duration, longest: Duration, factor: Double = 2
    ) -> Duration {
        var delay = max(.zero, min(first, longest))
        guard factor > 1 else { return delay }
        // Multiplying a Duration by too large a number traps.
        let factor = min(factor, 1000)
        for _ in 0..<max(0, min(number, 64)) where delay < longest { delay = min(delay * factor, longest) }
        return delay
    }
}
