import BlueZClient
import CoreBlueZ
import DBus
import FoundationEssentials

/// Bytes in both directions between this computer and a device of classic Bluetooth.
///
/// `Peripheral.openRFCOMMChannel` opens a channel; devices open one to a service that `CentralManager.registerProfile`
/// offers. It has flow control in both directions: while received bytes are not taken, the device has to wait. It lasts
/// until `close`, until the device closes it, or until the link ends.
@BluetoothActor public final class RFCOMMChannel {
    /// The service.
    public let uuid: BluetoothUUID
    /// The device.
    public private(set) weak var peripheral: Peripheral?
    /// The device's name or address.
    public let title: String

    /// Receives the bytes, in order, in pieces of any size. While it is nil, the device has to wait once the kernel's
    /// buffers are full.
    public var receiveHandler: (@BluetoothActor (Data) -> Void)? {
        get { stream.receiveHandler }
        set { stream.receiveHandler = newValue }
    }

    /// How often `receiveHandler` was set.
    public var receiverChanges: Int { stream.changes }

    /// Called once, when the channel has ended: with nil after `close`, otherwise with the error. Bytes received
    /// earlier are delivered first if there is a `receiveHandler`, and can be taken later if there is none. If the
    /// channel has already ended, the handler is called soon after it is set.
    public var endHandler: (@BluetoothActor (BluetoothError?) -> Void)? { didSet { reportEndSoon() } }

    /// Whether an ended channel may still have bytes to take.
    public var hasUntakenBytes: Bool { !stream.isDrained }

    /// How many bytes wait to be sent.
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
        // Ending the operation does not call `closeHandler` once the object is gone.
        closeHandler?()
    }

    /// Whether bytes can be sent and may arrive.
    public var isOpen: Bool { lifetime.isPending }

    /// Sends bytes after those of earlier calls.
    ///
    /// - Parameters:
    ///   - bytes: one byte or more.
    ///   - completion: gets nil when the kernel has the last of them, which says nothing about the device;
    ///     `notConnected` if the channel is not open, or `disconnected` if it ends meanwhile.
    public func send(_ bytes: Data, completion: @escaping @BluetoothActor (BluetoothError?) -> Void) {
        guard isOpen else {
            let error = BluetoothError(.notConnected, "\(lifetime.title) is not open; open another")
            return BluetoothActor.later { completion(error) }
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

    /// Closes the channel; the device sees its end. Bytes waiting to be sent are dropped. bluetoothd ends the link some
    /// seconds after the last channel, unless something else uses it.
    public func close() {
        lifetime.succeed(())
    }

    /// The device has closed the channel, or the link is gone, which the socket shows before bluetoothd does.
    private func didClose() {
        guard ending == nil else { return }
        ending = .failure(
            BluetoothError(.disconnected, "\(lifetime.title) was closed by the device, or the link ended"))
        lifetime.succeed(())
        stream.hangUp()
        reportEndSoon()
    }

    /// Nil after `close`. Otherwise the link has ended: bytes received earlier can still be taken.
    private func end(_ error: BluetoothError?) {
        guard ending == nil else { return }
        ending = error.map { .failure($0) } ?? .success(())
        if error == nil { stream.close() } else { stream.hangUp() }
        reportEndSoon()
    }

    /// Received bytes come first, if there is a handler for them.
    private func reportEndSoon() {
        guard ending != nil, endHandler != nil else { return }
        BluetoothActor.later { [weak self] in
            guard let self, !self.hasUntakenBytes || self.receiveHandler == nil else { return }
            guard let ending = self.ending, let endHandler = self.endHandler else { return }
            self.endHandler = nil
            endHandler(ending.failure)
        }
    }
}
