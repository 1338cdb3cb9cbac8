/// Options for opening a serial service.
public struct SerialOptions: Hashable, Sendable {
    /// How bytes are written.
    public enum Writing: Hashable, Sendable {
        /// With write requests, each after the peer has confirmed the one before: nothing is lost without an error.
        case requests
        /// With write commands, one per interval. Nothing confirms them, and bluetoothd queues any number of them.
        case commands(interval: Duration)
        /// With write commands through a socket (AcquireWrite), as fast as bluetoothd takes them, which is much faster
        /// than it sends them. Nothing confirms them.
        case acquired
    }

    /// How notifications are received.
    public enum Reading: Hashable, Sendable {
        /// Through a socket (AcquireNotify) if bluetoothd and the characteristic offer it, otherwise as `signals`.
        case acquired
        /// With signals on the message bus (StartNotify).
        case signals
    }

    /// How bytes are written. By default with requests or, if the characteristic takes none, with commands 20 ms apart.
    public var writing: Writing?
    /// How notifications are received; by default through a socket.
    public var reading = Reading.acquired
    /// How many received bytes are kept until they are taken. Beyond it the stream ends with
    /// `BluetoothError.Code.overflow`, because a peer cannot be asked to wait. By default 1 MiB.
    public var inputLimit = 1 << 20
    /// How many bytes may wait to be sent before `SerialService.hasSpace` becomes false. More are accepted
    /// nevertheless. By default 64 KiB.
    public var highWaterMark = 1 << 16
    /// How many bytes may be handed over but unconfirmed: at that number sending stops, until `SendRequest.confirm` or
    /// `SerialService.confirm(through:)` report that the peer has more. By default there is no limit. Write requests
    /// are confirmed automatically.
    public var unconfirmedLimit: Int?

    /// The defaults.
    public init() {}

    /// The default interval of commands: at 20 bytes each, the rate of a serial line at 9600 baud.
    static let commandInterval = Duration.milliseconds(20)
}
