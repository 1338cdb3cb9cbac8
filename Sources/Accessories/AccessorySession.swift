import BLESerial
import CoreBlueZ
import DBus

/// Bytes between the application and an accessory, in one protocol: an input and an output end. It lasts until `close`, until
/// the accessory is gone, or until its last reference is released.
@BluetoothActor public final class AccessorySession {
    /// The accessory.
    public nonisolated let accessory: Accessory
    /// The protocol's name.
    public nonisolated let protocolString: String
    /// Where bytes come out.
    public nonisolated let input: AccessoryInput
    /// Where bytes go in.
    public nonisolated let output: AccessoryOutput
    /// The stream below, such as a `SerialService` or an `RFCOMMStream`, for what it knows more. Its handlers are the session's.
    public let stream: any BufferedByteStream
    /// Why the session ended, if it was not `close`.
    public private(set) var endError: BluetoothError?
    /// Called once, when the session has ended: with nil after `close`, otherwise with the reason. Bytes that arrived before
    /// can be taken still. If it has ended before, the handler is called soon after it is set.
    public var endHandler: (@BluetoothActor (BluetoothError?) -> Void)? { didSet { reportEndSoon() } }
    /// Whether bytes can pass.
    public private(set) var isOpen = true
    /// What copies bytes from and to descriptors, if there are any.
    var pump: DescriptorPump?
    /// Called once, when the session has ended, before the bytes that arrived until then are all taken.
    package var endObservers: [@BluetoothActor () -> Void] = []
    /// How the session has ended; nil while it is open. May be read on any thread.
    package nonisolated var ending: AccessoryStreamStatus? { endStatus.withLock { $0 } }
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
    }

    /// Closes the session. What waits to be sent fails with `BluetoothError.Code.cancelled`, and what was not taken is dropped.
    /// The accessory stays connected.
    public func close() {
        guard isOpen else { return }
        stream.close()
        end(nil)
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
        BluetoothActor.later { [self] in
            guard let endHandler else { return }
            self.endHandler = nil
            endHandler(endError)
        }
    }
}
