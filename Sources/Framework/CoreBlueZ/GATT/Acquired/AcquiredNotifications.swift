import BlueZDBus
import FoundationEssentials

/// The notifications of one characteristic, which arrive through a separate socket instead of the message bus.
///
/// Use it for many values per second. No other program receives them, and none is delivered twice. It is open until you
/// call `close`, or until the link ends. Values that bluetoothd received before the end of the link are delivered
/// before the end is reported. After `close`, none is delivered. A `ReconnectPolicy` does not restore it.
///
/// bluetoothd drops values silently while the socket is full. If a closure blocks the actor for long, values are lost.
@BluetoothActor public final class AcquiredNotifications: AsyncSequence {
    /// The bytes of one notification or indication.
    public typealias Element = Data
    /// The error that the sequence throws: `disconnected` when the link is lost, `overflow` if the consumer is too
    /// slow, or the code of what ended it (see ``Peripheral``).
    public typealias Failure = BluetoothError
    /// The iterator of the sequence.
    public typealias AsyncIterator = EventSequence<Data>.Iterator

    /// The characteristic that notifies the values; nil if it was released.
    public private(set) weak var characteristic: Characteristic?

    /// The MTU of the link in bytes. A value has at most `mtu` - 3 bytes.
    public let mtu: Int

    private let reader: AcquiredReader
    private nonisolated let sequence: EventSequence<Data>

    init(_ characteristic: Characteristic, _ reader: AcquiredReader, _ buffer: EventSequence<Data>.Buffer) {
        self.characteristic = characteristic
        self.reader = reader
        mtu = reader.socket.mtu
        sequence = EventSequence(buffer)
    }

    /// Whether values can still arrive; false after `close` and after the end of the link.
    public var isOpen: Bool { reader.socket.lifetime.isPending }

    /// Ends the notifications. bluetoothd unsubscribes, and values that have not been delivered are dropped. Closing
    /// again does nothing.
    public func close() {
        reader.discard()
        reader.socket.lifetime.succeed(())
    }

    /// Delivers the values that bluetoothd has already received, immediately. Call it before `close` to lose none of
    /// them.
    public func deliverRest() {
        if isOpen { reader.deliverRest() }
    }

    /// Creates an iterator. The sequence is empty if the notifications were acquired with a closure.
    public nonisolated func makeAsyncIterator() -> EventSequence<Data>.Iterator {
        sequence.makeAsyncIterator()
    }
}
