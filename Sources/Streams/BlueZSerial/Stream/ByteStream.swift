import CoreBlueZ
import FoundationEssentials

/// A stream of bytes in both directions, in order, for one user at a time. It is the basis of framings and sessions.
///
/// It has no boundaries of messages or packets.
@BluetoothActor public protocol ByteStream: AnyObject {
    /// The name of the stream in messages: the device's name or address.
    var title: String { get }

    /// Whether bytes can be sent and received.
    var isOpen: Bool { get }

    /// Called with the bytes that arrive, in order, in pieces of any size. Bytes that arrive while it is nil wait.
    var receiveHandler: (@BluetoothActor (Data) -> Void)? { get set }

    /// The number of times that `receiveHandler` was set. Code that removes a handler can detect that it was replaced
    /// in the meantime.
    var receiverChanges: Int { get }

    /// Called once when the stream has ended, with nil after `close`, otherwise with the error. Bytes that arrived
    /// before are delivered first, if a `receiveHandler` takes them. If the stream has already ended, the handler is
    /// called soon after it is set.
    ///
    /// A stream that can be reopened calls it once for each successful opening, before the first byte of the next, and
    /// while its counts are those of the opening that has ended.
    var endHandler: (@BluetoothActor (BluetoothError?) -> Void)? { get set }

    /// Called like `endHandler`, just before it, and then set to nil. It is for code that sets `receiveHandler` and may
    /// be replaced, such as the sequence of `received`, so that programs can use `endHandler`. If the stream has
    /// already ended, the handler is called soon after it is set, after the waiting bytes. If the last reference to an
    /// open stream is released, it is called with nil.
    var receiverEndHandler: (@BluetoothActor (BluetoothError?) -> Void)? { get set }

    /// Sends bytes after those of earlier calls.
    ///
    /// The operation fails with `notConnected` if the stream is not open, with `invalidArguments` if there are no
    /// bytes, with `cancelled` if the request is cancelled or the stream is closed, and with the error of the stream's
    /// end.
    ///
    /// - Parameters:
    ///   - bytes: one byte or more.
    ///   - handedOver: called when the last of the bytes begins to be sent; not called if they are never sent.
    ///   - completion: gets nil when the peer has confirmed the last of the bytes, as far as the stream can know, or an
    ///     error if any of the bytes may not have arrived. Called exactly once.
    /// - Returns: the request, which can withdraw the bytes that have not been sent.
    @discardableResult
    func send(
        _ bytes: Data,
        handedOver: @escaping @BluetoothActor () -> Void,
        completion: @escaping @BluetoothActor (BluetoothError?) -> Void
    ) -> SendRequest

    /// Closes the stream. Bytes that are waiting to be sent fail with `BluetoothError.Code.cancelled`. Bytes that have
    /// not been received yet are dropped.
    func close()
}

extension ByteStream {
    /// Always 0: the changes are not counted.
    public var receiverChanges: Int { 0 }
}

/// A request to send that may still be cancelled.
@BluetoothActor public protocol SendRequest: AnyObject {
    /// Withdraws bytes that have not been sent. The completion gets `BluetoothError.Code.cancelled` immediately. Does
    /// nothing after the completion has run.
    func cancel()

    /// Notes that the peer has received these bytes and all before them, since it has replied to them. For sessions,
    /// whose protocol shows this. If the stream gets no confirmation of its own, the bytes then count as confirmed.
    /// Otherwise it does nothing.
    func confirm()

    /// Called each time the number of this request's confirmed bytes grows, or of those handed over if the stream gets
    /// no confirmation. Streams without such information ignore it.
    var progressHandler: (@BluetoothActor (Int) -> Void)? { get set }
}

extension SendRequest {
    /// Does nothing.
    public func confirm() {}

    /// Ignored: there is no information about progress.
    public var progressHandler: (@BluetoothActor (Int) -> Void)? {
        get { nil }
        set {}
    }
}
