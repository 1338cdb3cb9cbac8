import BlueZServer

/// The durations of operations. By default, those of bluetoothd's own waits are bluetoothd's, connecting takes 2 ms, and
/// everything else takes no time.
public struct Timing: Hashable, Sendable {
    /// The time from `Connect` to the link; 2 ms by default. With zero, the link may come up before bluetoothd has
    /// received the calls that a client sends after `Connect`, which no controller can do.
    public var connect: Duration = .milliseconds(2)
    /// How long `Connect` waits for an advertisement; 40 s by default, as observed: the kernel's limit for L2CAP.
    public var connectTimeout: Duration = .seconds(40)
    /// The time from the link to resolved services; zero by default.
    public var serviceDiscovery: Duration = .zero
    /// The time from `Disconnect` to the end of the link; 2 s by default (bluetoothd's DISCONNECT_TIMER).
    public var disconnect: Duration = .seconds(2)
    /// How long an unused link of classic Bluetooth stays up; 2 s by default (the kernel's HCI_DISCONN_TIMEOUT).
    public var idleLink: Duration = .seconds(2)
    /// How long an unconnected, unknown device remains after its last advertisement; 30 s by default (TemporaryTimeout
    /// of main.conf).
    public var temporaryDevice: Duration = .seconds(30)
    /// How long an ATT request may wait for its response before the link is dropped; 30 s by default.
    public var attTransaction: Duration = .seconds(30)
    /// How long a pairing may wait for a user before the link is dropped; 30 s by default, as in the Security Manager.
    public var pairing: Duration = .seconds(30)
    /// How long switching the adapter on or off takes; zero by default.
    public var power: Duration = .zero

    /// How long an application may take to answer the request of a central; 5 s by default (bluetoothd's
    /// ATTRIBUTE_TIMEOUT).
    public var applicationResponse: Duration = .seconds(5)

    /// Creates durations with the defaults.
    public init() {}

    /// Durations with which even bluetoothd's own waits take no time. For tests that do not depend on them.
    public static var instant: Timing {
        var timing = Timing()
        timing.disconnect = .zero
        timing.idleLink = .zero
        return timing
    }
}

extension Timing {
    /// bluetoothd's own waits.
    var daemon: DaemonTiming {
        var timing = DaemonTiming()
        timing.idleLink = idleLink
        timing.temporaryDevice = temporaryDevice
        timing.power = power
        timing.attribute = applicationResponse
        timing.attTransaction = attTransaction
        return timing
    }
}
