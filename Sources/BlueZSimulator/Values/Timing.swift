import BlueZServer

/// The durations of operations. Defaults for bluetoothd's own waits are bluetoothd's; everything else takes no time.
public struct Timing: Hashable, Sendable {
    /// From `Connect` to the link.
    public var connect: Duration = .zero
    /// How long `Connect` waits for an advertisement: 40 seconds were observed, the kernel's limit for L2CAP.
    public var connectTimeout: Duration = .seconds(40)
    /// From the link to resolved services.
    public var serviceDiscovery: Duration = .zero
    /// From `Disconnect` to the end of the link: bluetoothd's DISCONNECT_TIMER of 2 seconds.
    public var disconnect: Duration = .seconds(2)
    /// How long an unused link of classic Bluetooth stays: the kernel's HCI_DISCONN_TIMEOUT of 2 seconds.
    public var idleLink: Duration = .seconds(2)
    /// How long an unconnected, unknown device remains after its last advertisement: main.conf's TemporaryTimeout, 30
    /// seconds.
    public var temporaryDevice: Duration = .seconds(30)
    /// How long an ATT request may wait for its response before the link is dropped: 30 seconds.
    public var attTransaction: Duration = .seconds(30)
    /// How long a pairing may wait for a user: the Security Manager's 30 seconds. Then the link is dropped.
    public var pairing: Duration = .seconds(30)
    /// How long a change of power takes.
    public var power: Duration = .zero

    /// The defaults.
    public init() {}

    /// Even bluetoothd's own waits take no time. For tests that do not depend on them.
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
        return timing
    }
}
