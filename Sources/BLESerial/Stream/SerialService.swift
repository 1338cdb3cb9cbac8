import CoreBlueZ
import FoundationEssentials

/// A serial port over GATT: a byte stream through two characteristics of a service.
///
/// `Peripheral.discoverSerialService(_:completion:)` finds it, or a `Peripheral` subclass declares it with
/// `addService`. Then `open` subscribes and lets bytes pass. A stream ends at the latest with the link; `open` can
/// start another.
///
/// The bytes sent are counted: `handedOver` counts those that bluetoothd has taken, `confirmed` those that the peer
/// has. When a stream has ended, `unconfirmed` is the range of bytes that may or may not have arrived; a protocol that
/// resumes after a lost link asks the peer.
@BluetoothActor open class SerialService: Service, ByteStream {
    /// The profile, which says how the characteristics are used.
    public let profile: SerialProfile

    /// Receives the bytes. While it is nil, up to `SerialOptions.inputLimit` bytes wait; set nil to pause.
    public var receiveHandler: (@BluetoothActor (Data) -> Void)? {
        get { input.handler }
        set { input.handler = newValue }
    }

    /// How often `receiveHandler` was set.
    public var receiverChanges: Int { input.changes }

    /// Called once for each opening, when the stream has ended: with nil after `close`, otherwise with the error.
    /// Earlier bytes come first; while there is no `receiveHandler`, they can still be taken afterwards. The end is
    /// reported before the first byte of the next opening. If there is no handler by then, it is not reported.
    public var endHandler: (@BluetoothActor (BluetoothError?) -> Void)? {
        get { streamEnd.handler }
        set { streamEnd.handler = newValue }
    }

    /// Called once, before `endHandler`; see `ByteStream.receiverEndHandler`.
    public var receiverEndHandler: (@BluetoothActor (BluetoothError?) -> Void)? {
        get { streamEnd.receiverHandler }
        set { streamEnd.receiverHandler = newValue }
    }

    /// Called when there is space again; see `hasSpace`.
    public var spaceHandler: (@BluetoothActor () -> Void)? { didSet { output?.spaceHandler = spaceHandler } }

    /// Receives the notifications of the profile's characteristic for events, in pieces as they arrive; or the error if
    /// there are no events, which does not end the stream. Set it before `open`.
    public var eventHandler: (@BluetoothActor (Data?, BluetoothError?) -> Void)?

    /// How many bytes have arrived since the stream was opened.
    public private(set) var received = 0

    /// The state of the stream.
    private enum State {
        case closed
        case opening(SerialOpening)
        case open(SerialChannel)
    }

    let input = SerialInput()
    private var output: SerialOutput?
    private var state = State.closed
    private let streamEnd: StreamEnd

    /// Declares the service of a profile, with the profile's name by default. For use in `init` of peripherals.
    public init(_ profile: SerialProfile, name: String? = nil) {
        self.profile = profile
        streamEnd = StreamEnd { [input] in input.isTaken }
        super.init(name: name ?? profile.name, uuid: profile.service)
        addCharacteristic("write", uuid: profile.write)
        if profile.notify != profile.write { addCharacteristic("notify", uuid: profile.notify) }
        if let mode = profile.mode { addCharacteristic("mode", uuid: mode) }
        if let events = profile.events { addCharacteristic("events", uuid: events) }
    }

    // MARK: The stream

    /// The name or address of the peripheral.
    public var title: String { peripheral?.displayName ?? name }

    /// Whether bytes can be sent and may arrive.
    public var isOpen: Bool {
        if case .open = state { true } else { false }
    }

    /// Whether it is neither open nor being opened.
    var isClosed: Bool {
        if case .closed = state { true } else { false }
    }

    /// Whether it is being opened by this attempt.
    func isOpening(by attempt: SerialOpening) -> Bool {
        if case .opening(let opening) = state { opening === attempt } else { false }
    }

    /// Whether fewer bytes than `SerialOptions.highWaterMark` wait to be sent; false while the stream is not open.
    public var hasSpace: Bool { isOpen && output?.hasSpace == true }

    /// How many bytes wait to be handed over.
    public var waitingToBeSent: Int { output?.waiting ?? 0 }

    /// How many bytes have been handed over to bluetoothd since the stream was opened; some may not have been sent yet.
    public var handedOver: Int { output?.handedOver ?? 0 }

    /// How many bytes the peer certainly has: those of write requests that it confirmed. Write commands do not count;
    /// `confirm(through:)` and `SendRequest.confirm` do.
    public var confirmed: Int { output?.confirmed ?? 0 }

    /// The bytes that were handed over but not confirmed, by their positions in the stream, from 0 at its opening. When
    /// the stream has ended, they may or may not have arrived.
    public var unconfirmed: Range<Int> { confirmed..<handedOver }

    /// Sends bytes after those of earlier calls, each call in fragments of its own.
    @discardableResult
    public func send(
        _ bytes: Data,
        handedOver: @escaping @BluetoothActor () -> Void,
        completion: @escaping @BluetoothActor (BluetoothError?) -> Void
    ) -> any SendRequest {
        let error: BluetoothError
        if !isOpen {
            error = BluetoothError(.notConnected, "The serial port of \(title) is not open; open it first")
        } else if bytes.isEmpty {
            error = BluetoothError(.invalidArguments, "There are no bytes to send to \(title)")
        } else if let output {
            return output.send(bytes, handedOver: handedOver, completion: completion)
        } else {
            error = .closed(title)
        }
        let refused = SerialSend(bytes, nil, handedOver: handedOver, completion: completion)
        BluetoothActor.later { refused.finish(error) }
        return refused
    }

    /// Notes that the peer has reported, by its own protocol, that it has received this many bytes since the stream was
    /// opened. Does nothing with write requests, which are confirmed automatically.
    public func confirm(through count: Int) {
        output?.confirm(through: count)
    }

    // MARK: Opening and ending

    /// Subscribes, and lets bytes pass. Discovers the services if necessary; the link must exist.
    ///
    /// - Parameters:
    ///   - options: how to write and read.
    ///   - completion: gets nil when bytes can be sent; `busy` if it is already open.
    public func open(
        _ options: SerialOptions = SerialOptions(),
        completion: @escaping @BluetoothActor (BluetoothError?) -> Void
    ) {
        startOpening(options) { completion($0.failure) }
    }

    /// Subscribes, and lets bytes pass; the async form of `open(_:completion:)`.
    public func open(_ options: SerialOptions = SerialOptions()) async throws(BluetoothError) {
        try await AsyncBridge.wait { startOpening(options, $0) }
    }

    @discardableResult
    private func startOpening(
        _ options: SerialOptions,
        _ completion: @escaping @BluetoothActor (Result<Void, BluetoothError>) -> Void
    ) -> SerialOpening {
        let opening = SerialOpening(self, options) { [weak self] result in
            self?.didOpen(result)
            completion(result.map { _ in })
        }
        guard case .closed = state else {
            let error = BluetoothError(.busy, "The serial port of \(title) is already open; close it first")
            let refused = SerialOpening(self, options) { completion($0.map { _ in }) }
            BluetoothActor.later { refused.fail(error) }
            return refused
        }
        input.clear()
        input.limit = options.inputLimit
        received = 0
        output = nil
        streamEnd.reset()
        state = .opening(opening)
        BluetoothActor.later { opening.begin() }
        return opening
    }

    private func didOpen(_ result: Result<SerialChannel, BluetoothError>) {
        guard case .success(let channel) = result else {
            state = .closed
            return
        }
        state = .open(channel)
        output = channel.output
        channel.output.spaceHandler = spaceHandler
        channel.output.failed = { [weak self] in self?.end($0) }
    }

    /// Ends the stream, and unsubscribes. Bytes waiting to be sent fail with `BluetoothError.Code.cancelled`. Bytes not
    /// received yet are dropped.
    public func close() {
        switch state {
        case .closed: break
        case .opening(let opening): opening.fail(.closed(title))
        case .open: end(nil)
        }
    }

    func end(_ error: BluetoothError?) {
        switch state {
        case .closed: return
        case .opening(let opening): return opening.fail(error ?? .closed(title))
        case .open(let channel):
            // Bytes that overflow are lost anyway.
            if let error, error.code != .overflow {
                channel.deliverRest()
                guard isOpen else { return }
            }
            state = .closed
            channel.close()
            let count = unconfirmed.count
            let reason = error.map {
                count == 0 ? $0 : $0.adding("\(count) bytes from \(unconfirmed.lowerBound) on were not confirmed")
            }
            channel.output.end(reason ?? .closed(title))
            streamEnd.end(reason)
        }
    }

    // MARK: What arrives

    func receive(_ bytes: Data) {
        switch state {
        case .closed: return
        // Sent by the device to the last opening.
        case .opening(let opening) where !opening.hasBegun: return
        case .opening, .open: break
        }
        received += bytes.count
        guard !input.receive(bytes) else { return }
        end(
            BluetoothError(
                .overflow, "More than \(input.limit) bytes of \(title) waited to be taken; take them faster"))
    }

    /// Receives the stream's bytes and the profile's events. A subclass that overrides this must call `super`.
    open override func notificationHandler(_ characteristic: Characteristic, error: BluetoothError?) {
        super.notificationHandler(characteristic, error: error)
        if let error {
            if characteristic.uuid == profile.events { eventHandler?(nil, error) }
            if characteristic.uuid == profile.notify { end(error) }
        } else if let value = characteristic.value {
            if characteristic.uuid == profile.notify { receive(value) }
            if characteristic.uuid == profile.events { eventHandler?(value, nil) }
        }
    }

    /// Ends the stream. A subclass that overrides this must call `super`.
    open override func didDisconnect() {
        super.didDisconnect()
        end(BluetoothError(.disconnected, "The link to \(title) ended, and the serial port with it"))
    }
}

extension BluetoothError {
    static func closed(_ title: String) -> BluetoothError {
        BluetoothError(.cancelled, "The serial port of \(title) was closed")
    }

    /// The error with more text.
    func adding(_ text: String) -> BluetoothError {
        var error = self
        error.message += "; \(text)"
        return error
    }
}
