import BlueZClient
import BlueZDBus
import CoreBlueZ
import FoundationEssentials

/// A channel for bytes in both directions between this machine and a device of classic Bluetooth.
///
/// `Peripheral.openRFCOMMChannel` opens a channel. Devices open one to a service that `CentralManager.registerProfile`
/// offers. The channel has flow control in both directions: while received bytes are not taken, the device has to wait.
/// It is open until you call `close`, until the device closes it, or until the link ends.
@BluetoothActor public final class RFCOMMChannel {
    /// The UUID of the service to which the channel belongs.
    public let uuid: BluetoothUUID
    /// The device at the other end; nil if it was released.
    public private(set) weak var peripheral: Peripheral?
    /// The device's name or address.
    public let title: String

    /// Called with the bytes that arrive, in order, in pieces of any size. While it is nil, the device has to wait when
    /// the kernel's buffers are full.
    public var receiveHandler: (@BluetoothActor (Data) -> Void)? {
        get { stream.receiveHandler }
        set { stream.receiveHandler = newValue }
    }

    /// The number of times that `receiveHandler` was set.
    public var receiverChanges: Int { stream.changes }

    /// Called once when the channel has ended, with nil after `close`, otherwise with the error. Bytes received earlier
    /// are delivered first if there is a `receiveHandler`, and can be taken later if there is none. If the channel has
    /// already ended, the handler is called soon after it is set.
    public var endHandler: (@BluetoothActor (BluetoothError?) -> Void)? { didSet { reportEndSoon() } }

    /// Whether an ended channel may still have bytes to take.
    public var hasUntakenBytes: Bool { !stream.isDrained }

    /// The number of bytes that wait to be sent.
    public var waitingToBeSent: Int { stream.waiting }

    /// Called when the channel has ended, so that its owner forgets it.
    var closeHandler: (@BluetoothActor () -> Void)?
    private let stream: SocketStream
    private let lifetime: Operation<Void>
    private var ending: Result<Void, BluetoothError>?

    init(_ descriptor: UnixFileDescriptor, _ uuid: BluetoothUUID, _ peripheral: Peripheral) {
        self.uuid = uuid
        self.peripheral = peripheral
        title = peripheral.displayName
        stream = SocketStream(StreamSocket(descriptor))
        lifetime = Operation<Void>(
            "The RFCOMM channel \(uuid) of \(title)", on: peripheral.path, needsConnection: true, limit: nil,
            in: peripheral.central?.operations ?? OperationRegistry()
        ) { _ in }
        lifetime.whenEnded { [weak self] error in
            self?.end(error)
            self?.closeHandler?()
        }
        stream.hangUpHandler = { [weak self] in self?.didClose() }
        stream.endHandler = { [weak self] in
            self?.didClose()
            self?.reportEndSoon()
        }
    }

    isolated deinit {
        guard lifetime.isPending else { return }
        lifetime.succeed(())
        // Ending the operation does not call `closeHandler` when the object is gone.
        closeHandler?()
    }

    /// Whether bytes can be sent and may arrive.
    public var isOpen: Bool { lifetime.isPending }

    /// Sends bytes after those of earlier calls. The operation fails with `notConnected` if the channel is not open,
    /// and with `disconnected` if it ends before all bytes are sent.
    ///
    /// - Parameters:
    ///   - bytes: one byte or more.
    ///   - completion: gets nil when the kernel has the last of the bytes, which says nothing about the device, or the
    ///     error.
    public func send(_ bytes: Data, completion: @escaping @BluetoothActor (BluetoothError?) -> Void) {
        guard isOpen else {
            let error = BluetoothError(.notConnected, "\(lifetime.title) is not open; open another")
            return BluetoothActor.perform { completion(error) }
        }
        stream.send(bytes) { [title = lifetime.title] isSent in
            completion(isSent ? nil : BluetoothError(.disconnected, "\(title) ended before all was sent"))
        }
    }

    /// Sends bytes; the async form of `send(_:completion:)`.
    public func send(_ bytes: Data) async throws(BluetoothError) {
        let error = await withCheckedContinuation { continuation in send(bytes) { continuation.resume(returning: $0) } }
        if let error { throw error }
    }

    /// Closes the channel. The device sees its end. Bytes that are waiting to be sent are dropped. bluetoothd ends the
    /// link some seconds after the last channel, unless something else uses it.
    public func close() {
        lifetime.succeed(())
    }

    /// Called when the device has closed the channel or the link is gone, which the socket shows before bluetoothd
    /// does.
    private func didClose() {
        guard ending == nil else { return }
        ending = .failure(
            BluetoothError(.disconnected, "\(lifetime.title) was closed by the device, or the link ended"))
        lifetime.succeed(())
        stream.hangUp()
        reportEndSoon()
    }

    /// Ends the channel, with nil after `close`. Otherwise the link has ended, and bytes received earlier can still be
    /// taken.
    private func end(_ error: BluetoothError?) {
        guard ending == nil else { return }
        ending = Result(failure: error)
        if error == nil { stream.close() } else { stream.hangUp() }
        reportEndSoon()
    }

    /// Reports the end after the received bytes, if there is a handler for them.
    private func reportEndSoon() {
        guard ending != nil, endHandler != nil else { return }
        BluetoothActor.perform { [weak self] in
            guard let self, !self.hasUntakenBytes || self.receiveHandler == nil else { return }
            guard let ending = self.ending, let endHandler = self.endHandler else { return }
            self.endHandler = nil
            endHandler(ending.failure)
        }
    }
}
