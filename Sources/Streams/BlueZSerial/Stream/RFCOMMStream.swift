import BlueZClassic
import CoreBlueZ
import FoundationEssentials

/// A byte stream over an RFCOMM channel, for framings and sessions.
///
/// The link's flow control slows down the faster side, in both directions. Bytes are not confirmed. A completion means
/// that the kernel has them.
@BluetoothActor public final class RFCOMMStream: BufferedByteStream {
    /// The channel that carries the bytes.
    public let channel: RFCOMMChannel

    /// The number of waiting bytes at which `hasSpace` becomes false; 64 KiB by default. More bytes are still accepted.
    public let highWaterMark: Int

    /// Called when there is space again.
    public var spaceHandler: (@BluetoothActor () -> Void)? { didSet { output.spaceHandler = spaceHandler } }

    private let output: SerialOutput
    private let streamEnd: StreamEnd

    /// The size of the pieces passed to the kernel.
    private static let pieceLength = 1 << 14

    /// Creates a stream that takes over a channel and its handlers.
    ///
    /// - Parameters:
    ///   - channel: an open channel.
    ///   - highWaterMark: the number of waiting bytes at which `hasSpace` becomes false.
    public init(_ channel: RFCOMMChannel, highWaterMark: Int = 1 << 16) {
        self.channel = channel
        self.highWaterMark = highWaterMark
        var manner = SerialOutput.Manner()
        manner.window = 4
        manner.isConfirmed = false
        manner.highWaterMark = highWaterMark
        output = SerialOutput(manner) {
            Self.pieceLength
        } write: { [weak channel] bytes, completion in
            guard let channel else { return completion(.closed("a device")) }
            channel.send(bytes, completion: completion)
        }
        streamEnd = StreamEnd { [weak channel] in
            guard let channel else { return false }
            return channel.receiveHandler != nil && channel.hasUntakenBytes
        }
        channel.endHandler = { [weak self] in self?.didEnd($0) }
    }

    isolated deinit {
        output.end(.closed(title))
    }

    /// The device's name or address.
    public var title: String { channel.title }

    /// Whether bytes can be sent and may arrive.
    public var isOpen: Bool { channel.isOpen }

    /// Whether fewer bytes than `highWaterMark` wait to be sent; false if the stream is not open.
    public var hasSpace: Bool { isOpen && output.hasSpace }

    /// Whether an ended stream may still have bytes to take.
    public var hasUntakenBytes: Bool { channel.hasUntakenBytes }

    /// The number of bytes that wait to be handed over to the kernel.
    public var waitingToBeSent: Int { output.waiting }

    /// The number of bytes that were handed over to the kernel. Some may not have been sent yet.
    public var handedOver: Int { output.handedOver }

    /// Called with the bytes that arrive, in order, in pieces of any size. While it is nil, the device has to wait.
    public var receiveHandler: (@BluetoothActor (Data) -> Void)? {
        get { channel.receiveHandler }
        set { channel.receiveHandler = newValue }
    }

    /// The number of times that `receiveHandler` was set.
    public var receiverChanges: Int { channel.receiverChanges }

    /// Called once when the stream has ended; see `RFCOMMChannel.endHandler`.
    public var endHandler: (@BluetoothActor (BluetoothError?) -> Void)? {
        get { streamEnd.handler }
        set { streamEnd.handler = newValue }
    }

    /// Called once, before `endHandler`; see `ByteStream.receiverEndHandler`.
    public var receiverEndHandler: (@BluetoothActor (BluetoothError?) -> Void)? {
        get { streamEnd.receiverHandler }
        set { streamEnd.receiverHandler = newValue }
    }

    /// Sends bytes after those of earlier calls; see `ByteStream.send(_:handedOver:completion:)`.
    @discardableResult
    public func send(
        _ bytes: Data,
        handedOver: @escaping @BluetoothActor () -> Void,
        completion: @escaping @BluetoothActor (BluetoothError?) -> Void
    ) -> any SendRequest {
        if isOpen, !bytes.isEmpty { return output.send(bytes, handedOver: handedOver, completion: completion) }
        let error =
            bytes.isEmpty
            ? BluetoothError(.invalidArguments, "There are no bytes to send to \(title)")
            : BluetoothError(.notConnected, "The RFCOMM channel to \(title) is not open; open another")
        let refused = SerialSend(bytes, nil, handedOver: handedOver, completion: completion)
        BluetoothActor.perform { refused.finish(error) }
        return refused
    }

    /// Closes the channel. Bytes that are waiting to be sent fail with `BluetoothError.Code.cancelled`.
    public func close() {
        output.end(.closed(title))
        channel.close()
    }

    private func didEnd(_ error: BluetoothError?) {
        output.end(error ?? .closed(title))
        streamEnd.end(error)
    }
}

extension Peripheral {
    /// Opens an RFCOMM channel to a service of a classic device, as a byte stream. It fails with the codes of
    /// `openRFCOMMChannel`.
    ///
    /// - Parameters:
    ///   - uuid: the service; by default that of the Serial Port Profile.
    ///   - options: the timeout, the number of retries, and whether scans are paused.
    ///   - completion: gets the stream, or the error.
    public func openRFCOMMStream(
        _ uuid: BluetoothUUID = .serialPort,
        options: ConnectOptions = ConnectOptions(transport: .bredr),
        completion: @escaping @BluetoothActor (RFCOMMStream?, BluetoothError?) -> Void
    ) {
        openRFCOMMChannel(uuid, options: options) { channel, error in
            completion(channel.map { RFCOMMStream($0) }, error)
        }
    }

    /// Opens an RFCOMM channel as a byte stream; the async form of `openRFCOMMStream(_:options:completion:)`.
    public func openRFCOMMStream(
        _ uuid: BluetoothUUID = .serialPort,
        options: ConnectOptions = ConnectOptions(transport: .bredr)
    ) async throws(BluetoothError) -> RFCOMMStream {
        RFCOMMStream(try await openRFCOMMChannel(uuid, options: options))
    }
}
