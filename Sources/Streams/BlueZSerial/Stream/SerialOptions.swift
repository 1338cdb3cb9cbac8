/// Options for opening a serial service.
public struct SerialOptions: Hashable, Sendable {
    /// The way in which bytes are written.
    public enum Writing: Hashable, Sendable {
        /// With write requests, each after the peer has confirmed the one before. Nothing is lost without an error.
        case requests
        /// With write commands, one per interval. Nothing confirms them, and bluetoothd queues any number of them.
        case commands(interval: Duration)
        /// With write commands through a socket (AcquireWrite), as fast as bluetoothd takes them, which is much faster
        /// than it sends them. Nothing confirms them.
        case acquired
    }

    /// The way in which notifications are received.
    public enum Reading: Hashable, Sendable {
        /// Through a socket (AcquireNotify) if bluetoothd and the characteristic support it, otherwise as `signals`.
        case acquired
        /// With signals on the message bus (StartNotify).
        case signals
    }

    /// The way in which bytes are written. Nil, the default, uses requests or, if the characteristic does not support
    /// them, commands 20 ms apart.
    public var writing: Writing?
    /// The way in which notifications are received; by default, through a socket.
    public var reading = Reading.acquired
    /// The maximum number of received bytes that are kept until they are taken; 1 MiB by default. If there are more,
    /// the stream ends with `BluetoothError.Code.overflow`, because GATT has no flow control for notifications.
    public var inputLimit = 1 << 20
    /// The number of waiting bytes at which `SerialService.hasSpace` becomes false; 64 KiB by default. More bytes are
    /// still accepted.
    public var highWaterMark = 1 << 16
    /// The maximum number of bytes that are handed over but not confirmed; nil, the default, means no limit. At that
    /// number, sending stops until `SendRequest.confirm` or `SerialService.confirm(through:)` reports that the peer has
    /// received more. Write requests are confirmed automatically.
    public var unconfirmedLimit: Int?

    /// Creates options with the defaults.
    public init() {}

    /// The default interval of commands. With 20 bytes each, it has the rate of a serial line at 9600 baud.
    static let commandInterval = Duration.milliseconds(20)
}
