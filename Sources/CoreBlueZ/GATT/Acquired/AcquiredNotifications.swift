import DBus
import FoundationEssentials

/// The notifications of one characteristic, through their own socket instead of the message bus.
///
/// Use it for many values per second: no other program receives them, and none is delivered twice. It lasts until
/// `close`, or until the link ends. Values that bluetoothd received before the link's end are delivered before the end
/// is reported; after `close` none is. A `ReconnectPolicy` does not restore it.
///
/// bluetoothd drops values silently while the socket is full: if a closure blocks the actor for long, values are
/// lost.
@BluetoothActor public final class AcquiredNotifications: AsyncSequence {
    /// One value.
    public typealias Element = Data
    /// The error that the sequence throws.
    public typealias Failure = BluetoothError
    /// Iterates over the values.
    public typealias AsyncIterator = EventSequence<Data>.Iterator

    /// The notifying characteristic.
    public private(set) weak var characteristic: Characteristic?

    /// The MTU of the link in bytes; a value has at most 3 bytes less.
    public let mtu: Int

    private let reader: AcquiredReader
    private nonisolated let sequence: EventSequence<Data>

    init(_ characteristic: Characteristic, _ reader: AcquiredReader, _ buffer: EventSequence<Data>.Buffer) {
        self.characteristic = characteristic
        self.reader = reader
        mtu = reader.socket.mtu
        sequence = EventSequence(buffer)
    }

    /// Whether values can still arrive.
    public var isOpen: Bool { reader.socket.lifetime.isPending }

    /// Ends the notifications: bluetoothd unsubscribes, and values that have not been delivered are dropped. Closing
    /// twice does nothing.
    public func close() {
        reader.discard()
        reader.socket.lifetime.succeed(())
    }

    /// Delivers the values that bluetoothd has already received, before they are ended for another reason.
    package func deliverRest() {
        if isOpen { reader.deliverRest() }
    }

    /// Makes an iterator for notifications that were acquired without a closure; for others the sequence is empty.
    public nonisolated func makeAsyncIterator() -> EventSequence<Data>.Iterator {
        sequence.makeAsyncIterator()
    }
}
