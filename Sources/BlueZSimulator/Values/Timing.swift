/// How long things take. The defaults of what bluetoothd itself waits for are bluetoothd's; all else takes no time.
public struct Timing: Hashable, Sendable {
    /// From `Connect` to the link.
    public var connect: Duration = .zero
    /// How long `Connect` waits for an advertisement: 40 seconds were seen, the kernel's limit for L2CAP.
    public var connectTimeout: Duration = .seconds(40)
    /// From the link to resolved services.
    public var serviceDiscovery: Duration = .zero
    /// From `Disconnect` to the link's end: bluetoothd's DISCONNECT_TIMER of 2 seconds.
    public var disconnect: Duration = .seconds(2)
    /// How long a link of classic Bluetooth stays that nothing uses: the kernel's HCI_DISCONN_TIMEOUT of 2 seconds.
    public var idleLink: Duration = .seconds(2)
    /// How long an unconnected, unknown device stays after its last advertisement: main.conf's TemporaryTimeout, 30
    /// seconds.
    public var temporaryDevice: Duration = .seconds(30)
    /// How long an ATT request may stay unanswered before the link is dropped: 30 seconds.
    public var attTransaction: Duration = .seconds(30)
    /// How long a pairing may wait for somebody: the Security Manager's 30 seconds. Then the link is dropped.
    public var pairing: Duration = .seconds(30)
    /// How long a change of power takes.
    public var power: Duration = .zero

    /// The defaults.
    public init() {}

    /// What bluetoothd waits for, too, takes no time. For tests that do not look at it.
    public static var instant: Timing {
        var timing = Timing()
        timing.disconnect = .zero
        timing.idleLink = .zero
        return timing
    }
}
