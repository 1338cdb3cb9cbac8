import BlueZSerial
import CoreBlueZ

/// A session between the application and an accessory, in one protocol, with an input end and an output end. It is open
/// until you call `close`, until the accessory is gone, or until its last reference is released.
@BluetoothActor public final class AccessorySession {
    /// The accessory at the other end.
    public nonisolated let accessory: Accessory
    /// The name of the protocol, as declared.
    public nonisolated let protocolString: String
    /// The end from which bytes are read.
    public nonisolated let input: AccessoryInput
    /// The end to which bytes are written.
    public nonisolated let output: AccessoryOutput
    /// The stream below, such as a `SerialService` or an `RFCOMMStream`, for its further properties. The session uses
    /// its handlers.
    public let stream: any BufferedByteStream
    /// The error that ended the session; nil while it is open and after `close`.
    public private(set) var endError: BluetoothError?
    /// Called once when the session has ended, with nil after `close`, otherwise with the error. Bytes that arrived
    /// before can still be taken. If the session has already ended, the handler is called soon after it is set.
    public var endHandler: (@BluetoothActor (BluetoothError?) -> Void)? { didSet { reportEndSoon() } }
    /// Whether bytes can be read and written.
    public private(set) var isOpen = true
    /// The object that copies bytes from and to descriptors, if there are any.
    var pump: DescriptorPump?
    private var endObservers: [@BluetoothActor () -> Void] = []
    /// The way in which the session has ended; nil while it is open. You can read it on any thread.
    public nonisolated var ending: AccessoryStreamStatus? { endStatus.withLock { $0 } }
    private nonisolated let endStatus = Lock<AccessoryStreamStatus?>(nil)

    init(_ accessory: Accessory, _ protocolString: String, _ stream: any BufferedByteStream) {
        self.accessory = accessory
        self.protocolString = protocolString
        self.stream = stream
        input = AccessoryInput(stream)
        output = AccessoryOutput(stream)
        stream.endHandler = { [weak self] in self?.end($0) }
    }

    isolated deinit {
        guard isOpen else { return }
        stream.close()
        input.end(nil)
        output.end(nil)
        for observer in endObservers { observer() }
    }

    /// Closes the session. Bytes that are waiting to be sent fail with `BluetoothError.Code.cancelled`, and bytes that
    /// were not taken are dropped. The accessory stays connected.
    public func close() {
        guard isOpen else { return }
        stream.close()
        end(nil)
    }

    /// Calls a closure once when the session has ended or is released, before `endHandler`: for code that does not own
    /// the session. If the session has already ended, the closure is called soon.
    public func observeEnd(_ observer: @escaping @BluetoothActor () -> Void) {
        if isOpen { endObservers.append(observer) } else { BluetoothActor.perform(observer) }
    }

    private func end(_ error: BluetoothError?) {
        guard isOpen else { return }
        isOpen = false
        endError = error
        endStatus.withLock { $0 = AccessoryStreamStatus(error) }
        input.end(error)
        output.end(error)
        let observers = endObservers
        endObservers = []
        for observer in observers { observer() }
        reportEndSoon()
    }

    private func reportEndSoon() {
        guard !isOpen, endHandler != nil else { return }
        BluetoothActor.perform { [self] in
            guard let endHandler = self.endHandler.take() else { return }
            endHandler(endError)
        }
    }
}
