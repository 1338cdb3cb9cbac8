import CoreBlueZ
import FoundationEssentials

/// Bytes in both directions, in order, for one user at a time: what framings and sessions are built on.
///
/// Where a message or a packet ends does not matter here.
@BluetoothActor public protocol ByteStream: AnyObject {
    /// The name of the stream in messages: the device's name or address.
    var title: String { get }

    /// Whether bytes can be sent and may arrive.
    var isOpen: Bool { get }

    /// Gets the bytes that arrive, in order, in pieces of any size. Bytes that arrive while it is nil wait for it.
    var receiveHandler: (@BluetoothActor (Data) -> Void)? { get set }

    /// How often `receiveHandler` was set: code that removes a handler sees from it whether it has been replaced
    /// meanwhile.
    var receiverChanges: Int { get }

    /// Called once, when the stream has ended: with nil after `close`, otherwise with the reason. What arrived before
    /// comes first, if a `receiveHandler` takes it. If the stream has already ended, the handler is called soon after it
    /// is set.
    ///
    /// A stream that can be opened again calls it once for each opening that succeeded, before any byte of the next.
    var endHandler: (@BluetoothActor (BluetoothError?) -> Void)? { get set }

    /// Called like `endHandler`, just before it, and then set to nil: for whatever sets `receiveHandler` and may be
    /// replaced, such as the sequence of `received`, so that `endHandler` is left to others. If the stream has already
    /// ended, the handler is called soon after it is set, behind the bytes that waited. If the last reference to an open
    /// stream is released, it is called with nil.
    var receiverEndHandler: (@BluetoothActor (BluetoothError?) -> Void)? { get set }

    /// Sends bytes after those of earlier calls.
    ///
    /// - Parameters:
    ///   - bytes: one byte or more.
    ///   - handedOver: called when the last of the bytes begins to be sent; not called if they are never sent.
    ///   - completion: gets nil when the peer has confirmed the last of the bytes, as far as the stream can know; an
    ///     error if the bytes, or some of them, may not have arrived. Runs exactly once.
    /// - Returns: what takes back the bytes that have not been sent.
    @discardableResult
    func send(
        _ bytes: Data,
        handedOver: @escaping @BluetoothActor () -> Void,
        completion: @escaping @BluetoothActor (BluetoothError?) -> Void
    ) -> SendRequest

    /// Ends the stream. What still waits to be sent fails with `BluetoothError.Code.cancelled`. What has not been
    /// received yet is dropped.
    func close()
}

extension ByteStream {
    /// Not counted.
    public var receiverChanges: Int { 0 }
}

/// A request to send that may still be cancelled.
@BluetoothActor public protocol SendRequest: AnyObject {
    /// Takes back what has not been sent: the completion gets `BluetoothError.Code.cancelled` at once. Does nothing
    /// after the completion has run.
    func cancel()

    /// Notes that the peer has answered these bytes, and so has received them and all before them: for sessions, whose
    /// protocol shows it. It counts the bytes as confirmed if the stream gets no confirmation of its own; otherwise it
    /// does nothing.
    func confirm()

    /// Called with the number of bytes of this request that are confirmed or, without confirmation, handed over, each
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
