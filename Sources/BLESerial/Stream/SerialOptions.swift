/// How a serial service is opened.
public struct SerialOptions: Hashable, Sendable {
    /// How bytes are written.
    public enum Writing: Hashable, Sendable {
        /// By write requests, one after the other's confirmation by the peer: nothing is lost without an error.
        case requests
        /// By write commands, one each interval. Nobody confirms them, and bluetoothd keeps any number of them.
        case commands(interval: Duration)
        /// By write commands through a socket (AcquireWrite), as fast as bluetoothd takes them: that is much faster than
        /// they are sent. Nobody confirms them.
        case acquired
    }

    /// How notifications are taken.
    public enum Reading: Hashable, Sendable {
        /// Through a socket (AcquireNotify) if bluetoothd and the characteristic offer it, otherwise as `signals`.
        case acquired
        /// By signals on the message bus (StartNotify).
        case signals
    }

    /// How bytes are written. By default by requests or, if the characteristic takes none, by commands with 20 ms
    /// between them.
    public var writing: Writing?
    /// How notifications are taken; by default through a socket.
    public var reading = Reading.acquired
    /// How many bytes that arrived are kept while nobody takes them. With one more the stream ends with
    /// `BluetoothError.Code.overflow`: a peer cannot be asked to wait. By default 1 MiB.
    public var inputLimit = 1 << 20
    /// How many bytes may wait to be sent until `SerialService.hasSpace` turns false. More are taken nevertheless. By
    /// default 64 KiB.
    public var highWaterMark = 1 << 16
    /// How many bytes may be handed over and not confirmed: at that number sending stops, until `SendRequest.confirm` or
    /// `SerialService.confirm(through:)` tell that the peer has more. By default there is no limit. Write requests are
    /// confirmed by themselves.
    public var unconfirmedLimit: Int?

    /// The defaults.
    public init() {}

    /// The interval of commands that nobody asked for: 20 bytes in it are what a serial line of 9600 baud takes.
    static let commandInterval = Duration.milliseconds(20)
}
