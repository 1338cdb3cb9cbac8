/// The timeouts of a Tx/Rx device.
public struct TxRxTimeouts: Hashable, Sendable {
    /// The time from `connect` until the device is ready, with its link, profile and subscription; 20 s by default.
    public var connect = Duration.seconds(20)
    /// The time from sending the last fragment of a command to the first fragment of the reply; 2 s by default.
    public var firstFragment = Duration.seconds(2)
    /// The time from one fragment of a reply to the next, after which the reply is complete; 0.2 s by default.
    public var nextFragment = Duration.milliseconds(200)
    /// The time until the device has confirmed a fragment of a command; 1.5 s by default.
    public var write = Duration.milliseconds(1500)
    /// The time from one fragment of an event to the next, on the profile's characteristic for events; 0.2 s by
    /// default.
    public var nextEventFragment = Duration.milliseconds(200)

    /// Creates timeouts with the defaults.
    public init() {}
}
