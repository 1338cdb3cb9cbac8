import CoreBlueZ
import FoundationEssentials

/// A serial port over GATT, which is a byte stream through two characteristics of a service.
///
/// `Peripheral.discoverSerialService(_:completion:)` finds it, or a `Peripheral` subclass declares it with
/// `addService`. `open` then subscribes, and opens the stream. A stream ends when the link ends, if not before. `open`
/// can start another one.
///
/// Sent bytes are counted. `handedOver` is the number that bluetoothd has taken, and `confirmed` the number that the
/// peer has received. When a stream has ended, the bytes of the range `unconfirmed` may or may not have arrived. A
/// protocol that resumes after a lost link asks the peer.
///
/// The counts belong to one opening. After `open`, they are those of the last opening until its end has been reported.
/// The handlers remain set for later openings.
@BluetoothActor open class SerialService: Service, ByteStream {
    /// The profile, which determines how the characteristics are used.
    public let profile: SerialProfile

    /// Called with the bytes that arrive. While it is nil, up to `SerialOptions.inputLimit` bytes wait. Set it to nil
    /// to pause.
    public var receiveHandler: (@BluetoothActor (Data) -> Void)? {
        get { input.handler }
        set { input.handler = newValue }
    }

    /// The number of times that `receiveHandler` was set.
    public var receiverChanges: Int { input.changes }

    /// Called once for each opening when the stream has ended, with nil after `close`, otherwise with the error. Bytes
    /// that arrived before are delivered first. Without a `receiveHandler`, they can still be taken afterwards. The end
    /// is reported before the first byte of the next opening. If there is no handler by then, it is not reported.
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

    /// Called with the notifications of the profile's characteristic for events, in pieces as they arrive, or with the
    /// error if there are no events, which does not end the stream. Set it before you call `open`.
    public var eventHandler: (@BluetoothActor (Data?, BluetoothError?) -> Void)?

    /// The number of bytes that have arrived since the stream was opened.
    public private(set) var received = 0
    /// The number of openings that have begun.
    private var openings = 0

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

    /// Declares the service of a profile, by default with the profile's name. Use it in `init` of a `Peripheral`
    /// subclass.
    public init(_ profile: SerialProfile, name: String? = nil) {
        self.profile = profile
        streamEnd = StreamEnd { [input] in input.isTaken }
        super.init(name: name ?? profile.name, uuid: profile.service)
        addCharacteristic("write", uuid: profile.write)
        if profile.notify != profile.write, profile.notifyService == nil {
            addCharacteristic("notify", uuid: profile.notify)
        }
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

    /// Whether the stream is neither open nor being opened.
    var isClosed: Bool {
        if case .closed = state { true } else { false }
    }

    /// Returns whether this attempt is opening the stream.
    func isOpening(by attempt: SerialOpening) -> Bool {
        if case .opening(let opening) = state { opening === attempt } else { false }
    }

    /// Whether fewer bytes than `SerialOptions.highWaterMark` are waiting to be sent; false while the stream is not
    /// open.
    public var hasSpace: Bool { isOpen && output?.hasSpace == true }

    /// The number of bytes that wait to be handed over to bluetoothd.
    public var waitingToBeSent: Int { output?.waiting ?? 0 }

    /// The number of bytes that have been handed over to bluetoothd since the stream was opened. Some may not have been
    /// sent yet.
    public var handedOver: Int { output?.handedOver ?? 0 }

    /// The number of bytes that the peer has certainly received: those of confirmed write requests. Write commands do
    /// not count, but `confirm(through:)` and `SendRequest.confirm` do.
    public var confirmed: Int { output?.confirmed ?? 0 }

    /// The positions of the bytes that were handed over but not confirmed, counted from the opening of the stream. When
    /// the stream has ended, these bytes may or may not have arrived.
    public var unconfirmed: Range<Int> { confirmed..<handedOver }

    /// Sends bytes after those of earlier calls. Each call uses its own fragments.
    ///
    /// The operation fails with `notConnected` if the stream is not open, with `invalidArguments` if there are no
    /// bytes, with `cancelled` if the request is cancelled or the stream is closed, with `disconnected` if the link
    /// ends, and with the codes of `Characteristic.writeValue(_:type:completion:)`.
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
        BluetoothActor.perform { refused.finish(error) }
        return refused
    }

    /// Notes that the peer has reported, by its own protocol, that it has received this many bytes since the stream was
    /// opened. Does nothing with write requests, which are confirmed automatically.
    public func confirm(through count: Int) {
        output?.confirm(through: count)
    }

    // MARK: Opening and ending

    /// Opens the stream. Discovers the services if necessary, and subscribes. The peripheral must be connected.
    ///
    /// The operation fails with these codes, in addition to those of every operation (see `Peripheral`):
    /// - `notConnected` or `disconnected` if there is no link, or the link ends.
    /// - `profileNotRecognized` if the peripheral does not have the profile.
    /// - `busy` if the stream is already open or being opened or, with `SerialOptions.Writing.acquired`, if another
    ///   writer is open.
    /// - `cancelled` if `close` is called in the meantime.
    /// - The codes of `Peripheral.discoverServices(_:completion:)`, `Characteristic.setNotifyValue(_:completion:)` and,
    ///   with `SerialOptions.Writing.acquired`, `Characteristic.acquireWrite(ended:completion:)`.
    ///
    /// - Parameters:
    ///   - options: how to write and read.
    ///   - completion: gets nil when bytes can be sent, or the error.
    public func open(
        _ options: SerialOptions = SerialOptions(),
        completion: @escaping @BluetoothActor (BluetoothError?) -> Void
    ) {
        startOpening(options) { completion($0.failure) }
    }

    /// Opens the stream; the async form of `open(_:completion:)`. It fails with `cancelled` if the stream was closed and
    /// another opening has begun before the task continues, so that the task does not use the other one's stream.
    public func open(_ options: SerialOptions = SerialOptions()) async throws(BluetoothError) {
        var number = 0
        try await AsyncBridge.wait { completion in
            let opening = startOpening(options, completion)
            number = openings
            return opening
        }
        guard number == openings else { throw .closed(title) }
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
            BluetoothActor.perform { refused.fail(error) }
            return refused
        }
        input.clear()
        input.limit = options.inputLimit
        openings += 1
        streamEnd.reset()
        state = .opening(opening)
        // After the end of the last opening was reported, whose handlers use its counts.
        BluetoothActor.perform { [self] in begin(opening) }
        return opening
    }

    private func begin(_ opening: SerialOpening) {
        if isOpening(by: opening) {
            received = 0
            output = nil
        }
        opening.begin()
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

    /// Closes the stream, and unsubscribes. Bytes that are waiting to be sent fail with
    /// `BluetoothError.Code.cancelled`. Bytes that have not been received yet are dropped.
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
            // After an overflow, bytes are lost in any case.
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
        // The device sent these bytes to the last opening.
        case .opening(let opening) where !opening.hasBegun: return
        case .opening, .open: break
        }
        received += bytes.count
        guard !input.receive(bytes) else { return }
        end(
            BluetoothError(
                .overflow, "More than \(input.limit) bytes of \(title) waited to be taken; take them faster"))
    }

    /// The characteristic that notifies the bytes, once it is found.
    private var notify: Characteristic? {
        switch state {
        case .closed: nil
        case .opening(let opening): opening.roles?.notify
        case .open(let channel): channel.notify
        }
    }

    /// Receives the stream's bytes and the profile's events. A subclass that overrides this must call `super`.
    open override func notificationHandler(_ characteristic: Characteristic, error: BluetoothError?) {
        super.notificationHandler(characteristic, error: error)
        if let error {
            if characteristic.uuid == profile.events { eventHandler?(nil, error) }
            if characteristic === notify { end(error) }
        } else if let value = characteristic.value {
            if characteristic === notify { receive(value) }
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

    /// Returns the error with more text.
    func adding(_ text: String) -> BluetoothError {
        var error = self
        error.message += "; \(text)"
        return error
    }
}
