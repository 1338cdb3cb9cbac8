/// How long a Tx/Rx device may take.
public struct TxRxTimeouts: Hashable, Sendable {
    /// From `connect` until the device is ready: the link, the profile and the subscription. 20 s.
    public var connect = Duration.seconds(20)
    /// From the sending of a command's last fragment to the first fragment of the reply. 2 s.
    public var firstFragment = Duration.seconds(2)
    /// From one fragment of a reply to the next. When it has passed, the reply is complete. 0.2 s.
    public var nextFragment = Duration.milliseconds(200)
    /// Until the device has confirmed a fragment of a command. 1.5 s.
    public var write = Duration.milliseconds(1500)
    /// From one fragment of an event to the next, on the profile's characteristic for events. 0.2 s.
    public var nextEventFragment = Duration.milliseconds(200)

    /// The defaults.
    public init() {}
}
