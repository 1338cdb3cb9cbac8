import CoreBlueZ
import FoundationEssentials

/// Bytes in both directions, in order, for one user at a time: the basis of framings and sessions.
///
/// Boundaries of messages or packets don't matter here.
@BluetoothActor public protocol ByteStream: AnyObject {
    /// The name of the stream in messages: the device's name or address.
    var title: String { get }

    /// Whether bytes can be sent and received.
    var isOpen: Bool { get }

    /// Receives the bytes, in order, in pieces of any size. Bytes that arrive while it is nil wait.
    var receiveHandler: (@BluetoothActor (Data) -> Void)? { get set }

    /// How often `receiveHandler` was set: code that removes a handler can tell whether it has been replaced meanwhile.
    var receiverChanges: Int { get }

    /// Called once, when the stream has ended: with nil after `close`, otherwise with the error. Earlier bytes come
    /// first, if a `receiveHandler` takes them. If the stream has already ended, the handler is called soon after it is
    /// set.
    ///
    /// A stream that can be reopened calls it once for each successful opening, before any byte of the next.
    var endHandler: (@BluetoothActor (BluetoothError?) -> Void)? { get set }

    /// Called like `endHandler`, just before it, and then set to nil: for code that sets `receiveHandler` and may be
    /// replaced, such as the sequence of `received`, so that `endHandler` is left to others. If the stream has already
    /// ended, the handler is called soon after it is set, after the waiting bytes. If the last reference to an open
    /// stream is released, it is called with nil.
    var receiverEndHandler: (@BluetoothActor (BluetoothError?) -> Void)? { get set }

    /// Sends bytes after those of earlier calls.
    ///
    /// - Parameters:
    ///   - bytes: one byte or more.
    ///   - handedOver: called when the last of the bytes begins to be sent; not called if they are never sent.
    ///   - completion: gets nil when the peer has confirmed the last of the bytes, as far as the stream can know; an
    ///     error if any of the bytes may not have arrived. Runs exactly once.
    /// - Returns: withdraws the bytes that have not been sent.
    @discardableResult
    func send(
        _ bytes: Data,
        handedOver: @escaping @BluetoothActor () -> Void,
        completion: @escaping @BluetoothActor (BluetoothError?) -> Void
    ) -> SendRequest

    /// Ends the stream. Bytes waiting to be sent fail with `BluetoothError.Code.cancelled`. Bytes not received yet are
    /// dropped.
    func close()
}

extension ByteStream {
    /// Not counted.
    public var receiverChanges: Int { 0 }
}

/// A request to send that may still be cancelled.
@BluetoothActor public protocol SendRequest: AnyObject {
    /// Withdraws bytes that have not been sent: the completion gets `BluetoothError.Code.cancelled` at once. Does
    /// nothing after the completion has run.
    func cancel()

    /// Notes that the peer has replied to these bytes, and so has received them and all before them: for sessions,
    /// whose protocol shows it. It counts the bytes as confirmed if the stream gets no confirmation of its own;
    /// otherwise it does nothing.
    func confirm()

    /// Called with the number of this request's bytes that are confirmed or, without confirmation, handed over, each
    /// time it grows. Streams without such information ignore it.
    var progressHandler: (@BluetoothActor (Int) -> Void)? { get set }
}

extension SendRequest {
    /// Does nothing.
    public func confirm() {}

    /// Ignored.
    public var progressHandler: (@BluetoothActor (Int) -> Void)? {
        get { nil }
        set {}
    }
}
