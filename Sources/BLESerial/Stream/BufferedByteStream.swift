import CoreBlueZ

/// A byte stream that says how much data waits in this computer, so that senders and receivers can pace themselves.
@BluetoothActor public protocol BufferedByteStream: ByteStream {
    /// Whether more bytes are welcome, because few are waiting to be sent; false if the stream is not open.
    var hasSpace: Bool { get }

    /// Called when there is space again.
    var spaceHandler: (@BluetoothActor () -> Void)? { get set }

    /// Whether bytes have arrived, or may have, that no `receiveHandler` has taken; valid even after the stream's end.
    var hasUntakenBytes: Bool { get }
}

extension SerialService: BufferedByteStream {
    /// Whether bytes have arrived that nobody has taken.
    public var hasUntakenBytes: Bool { input.count > 0 }
}
