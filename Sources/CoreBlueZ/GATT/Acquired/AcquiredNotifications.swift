import DBus
import FoundationEssentials

/// The notifications of one characteristic, through a socket of its own instead of the message bus.
///
/// It is the way for many values a second: no other program hears them, and none is delivered twice. It lasts until
/// `close`, or until the link ends. It is not restored by a `ReconnectPolicy`.
///
/// bluetoothd drops values without a word while the socket is full: a closure that blocks the actor for long loses
/// values.
@BluetoothActor public final class AcquiredNotifications: AsyncSequence {
    /// One value.
    public typealias Element = Data
    /// What goes wrong.
    public typealias Failure = BluetoothError
    /// Takes the values one after another.
    public typealias AsyncIterator = EventSequence<Data>.Iterator

    /// The characteristic whose notifications these are.
    public private(set) weak var characteristic: Characteristic?

    /// The MTU of the link in bytes; a value has at most 3 less.
    public let mtu: Int

    private let reader: AcquiredReader
    private nonisolated let sequence: EventSequence<Data>

    init(_ characteristic: Characteristic, _ reader: AcquiredReader, _ buffer: EventSequence<Data>.Buffer) {
        self.characteristic = characteristic
        self.reader = reader
        mtu = reader.socket.mtu
        sequence = EventSequence(buffer)
    }

    /// Whether values still come.
    public var isOpen: Bool { reader.socket.life.isPending }

    /// Gives the notifications back: bluetoothd unsubscribes. Doing so again does nothing.
    public func close() {
        reader.socket.life.succeed(())
    }

    /// Begins to take the values of notifications that were acquired without a closure; of others the sequence is
    /// empty.
    public nonisolated func makeAsyncIterator() -> EventSequence<Data>.Iterator {
        sequence.makeAsyncIterator()
    }
}
