import CoreBlueZ

/// A byte stream that reports how much data is waiting on this machine, so that senders and receivers can pace
/// themselves.
@BluetoothActor public protocol BufferedByteStream: ByteStream {
    /// Whether there is space for more bytes, because few are waiting to be sent; false if the stream is not open.
    var hasSpace: Bool { get }

    /// Called when there is space again.
    var spaceHandler: (@BluetoothActor () -> Void)? { get set }

    /// Whether bytes have arrived, or may have arrived, that no `receiveHandler` has taken. Also valid after the end of
    /// the stream.
    var hasUntakenBytes: Bool { get }
}

extension SerialService: BufferedByteStream {
    /// Whether bytes have arrived that no `receiveHandler` has taken.
    public var hasUntakenBytes: Bool { input.count > 0 }
}
