import CoreBlueZ
import FoundationEssentials

/// The framed card reader with the calls and callbacks of the article's program, for programs that were written like
/// it. It is a thin layer over `SerialService` and `FramedStream`. For new programs, use `CardReader`.
///
/// `connect` also subscribes. A program that calls `startSubscribe` and `writeChar` in `didFoundCharacteristic`, as the
/// original does, works unchanged: what it writes waits for the subscription.
///
/// As in the original, a reply ends by its length. The first one shows which CRC the reader uses, which
/// `BLECardReaderMainMenuDelegate.didFindChecksum` reports. From then on, a reply with another CRC is an error, unlike in
/// the original. If the first reply has none of `CardReaderChecksum.known`, no CRC is checked.
@BluetoothActor public final class BLECardReader {
    /// The delegate for the callbacks of connecting.
    public weak var delegate: (any BLECardReaderDelegate)?
    /// The delegate for frames and errors. It can be the same object as `delegate`.
    public weak var mainMenuDelegate: (any BLECardReaderMainMenuDelegate)?
    /// The timeout for connecting; 5 s by default, as in the original. When it expires,
    /// `BLECardReaderDelegate.connectTimeout` is called.
    public var connectTimeout = Duration.seconds(5)
    /// How long a write waits for the subscription; 5 s by default.
    public var subscribeTimeout = Duration.seconds(5)
    /// The CRC of the reader's frames: the given one or, if the framing detects it, that of the first reply of the
    /// connection. Nil if it is not known.
    public var checksum: CardReaderChecksum? {
        guard framing.detection != nil else { return CardReaderChecksum(framing.checksum, framing.checksumByteOrder) }
        return if case .found(let checksum) = detection { checksum } else { nil }
    }

    private enum State {
        case disconnected
        /// From `connect` until the subscription is done.
        case connecting
        case subscribed(FramedStream<Data>)
    }

    private let framing: CardReaderFraming
    private let profile: SerialProfile
    private var state = State.disconnected
    private var peripheral: Peripheral?
    /// The number of the connection. Reports of earlier ones are ignored.
    private var connection = 0
    private var waiting: [SubscriptionWait] = []
    private var detection = CardReaderFraming.Detection.waiting

    /// Creates a card reader that is not connected.
    ///
    /// - Parameters:
    ///   - framing: the CRC of the reader's frames and the size of its buffer. By default, the first reply of each
    ///     connection determines the CRC, and `write` uses CCITT-FALSE until then.
    ///   - profile: the service of the reader.
    public init(_ framing: CardReaderFraming = CardReaderFraming(detectsChecksum: true), profile: SerialProfile = .issc)
    {
        self.framing = framing
        self.profile = profile
    }

    isolated deinit {
        endWaiting(.failure(BluetoothError(.cancelled, "The card reader's object was released")))
    }

    // MARK: Connecting

    /// Connects, finds the service and its characteristics, and subscribes. The delegate is notified of each step. If a
    /// later step fails, the link stays up; `disConnect` ends it.
    ///
    /// - Returns: whether an attempt has begun. False, without a callback, if a peripheral is already connected or
    ///   being connected; call `disConnect` first. The original always returns true.
    @discardableResult
    public func connect(_ peripheral: Peripheral) -> Bool {
        guard case .disconnected = state else { return false }
        state = .connecting
        self.peripheral = peripheral
        connection += 1
        let number = connection
        peripheral.connect(options: ConnectOptions(timeout: connectTimeout, retries: 1)) { [weak self] error in
            guard let self, number == connection else { return }
            guard let error else { return discover(peripheral) }
            didFail(error)
            if error.code == .connectionTimedOut {
                delegate?.connectTimeout(peripheral, error: error)
            } else {
                delegate?.didNotifyFailConnectService(nil, withPeripheral: peripheral, error: error)
            }
        }
        return true
    }

    /// Ends the link, or the attempt to connect. Pending writes fail with `BluetoothError.Code.cancelled`. No other
    /// callback follows, except `didNotifyReadError` if the link cannot be ended.
    public func disConnect() {
        connection += 1
        if case .subscribed(let framed) = state { framed.close() }
        didFail(BluetoothError(.cancelled, "The card reader was disconnected with disConnect"))
        peripheral?.disconnect { [weak self] error in self?.didWrite(error) }
        peripheral = nil
    }

    private func discover(_ peripheral: Peripheral) {
        let number = connection
        peripheral.discoverSerialService([profile]) { [weak self] service, error in
            guard let self, number == connection else { return }
            guard let service else {
                let error =
                    error ?? BluetoothError(.discoveryFailed, "The service was not found; is it the right device?")
                didFail(error)
                let hasService = peripheral[profile.service]?.isDiscovered == true
                return hasService
                    ? delegate?.didNotifyFailConnectChar(nil, withPeripheral: peripheral, error: error) ?? ()
                    : delegate?.didNotifyFailConnectService(nil, withPeripheral: peripheral, error: error) ?? ()
            }
            if case .success(let roles) = service.profile.roles(on: peripheral) {
                delegate?.didFoundReadChar(roles.notify)
                delegate?.didFoundWriteChar(roles.write)
            }
            delegate?.didFoundCharacteristic(nil, withPeripheral: nil, error: nil)
            // A callback may have disconnected.
            if number == connection { subscribe(service, peripheral) }
        }
    }

    private func subscribe(_ service: SerialService, _ peripheral: Peripheral) {
        let number = connection
        service.open { [weak self] error in
            guard let self, number == connection else { return error == nil ? service.close() : () }
            if let error {
                didFail(error)
                return delegate?.didNotifyFailConnectChar(nil, withPeripheral: peripheral, error: error) ?? ()
            }
            let framed = FramedStream(service, framing: CardReaderBytesFraming(framing))
            detection = .waiting
            framed.receiveHandler = { [weak self, weak framed] event in
                if let framed { self?.noteChecksum(framed) }
                self?.receive(event)
            }
            framed.endHandler = { [weak self] error in
                guard let self, number == connection else { return }
                state = .disconnected
                didWrite(error)
            }
            state = .subscribed(framed)
            endWaiting(.success(()))
        }
    }

    private func didFail(_ error: BluetoothError) {
        state = .disconnected
        endWaiting(.failure(error))
    }

    // MARK: The subscription

    /// Reports when the subscription that `connect` makes is ready, so that replies arrive.
    ///
    /// - Parameter completion: gets nil when the subscription is ready, or the error: that of connecting,
    ///   `BluetoothError.Code.notConnected` before `connect`, or `cancelled` after `disConnect`. Called exactly once.
    public func startSubscribe(completion: @escaping @BluetoothActor (BluetoothError?) -> Void = { _ in }) {
        waitForSubscription(nil) { result in BluetoothActor.perform { completion(result.failure) } }
    }

    /// Waits until the subscription that `connect` makes is ready; the async form of `startSubscribe(completion:)`.
    public func startSubscribe() async throws(BluetoothError) {
        try await AsyncBridge.wait { waitForSubscription(nil, $0) }
    }

    @discardableResult
    private func waitForSubscription(
        _ timeout: Duration?, _ completion: @escaping @BluetoothActor (Result<Void, BluetoothError>) -> Void
    ) -> SubscriptionWait {
        let wait = SubscriptionWait(timeout, completion)
        switch state {
        case .disconnected: BluetoothActor.perform { wait.fail(.readerNotConnected) }
        case .connecting: waiting.append(wait)
        case .subscribed: BluetoothActor.perform { wait.end(.success(())) }
        }
        return wait
    }

    private func endWaiting(_ result: Result<Void, BluetoothError>) {
        let ended = waiting
        waiting = []
        for wait in ended { wait.end(result) }
    }

    // MARK: Commands and replies

    /// Writes bytes unchanged, with a response: a whole frame, including STX and CRC. The remains of an earlier
    /// response are discarded, as the original clears its receive buffer before each command.
    ///
    /// After `connect` and before the subscription is ready, it waits for up to `subscribeTimeout`. Errors are passed
    /// to `didNotifyReadError`: `BluetoothError.Code.notConnected` before `connect`, `timedOut` if the wait was too
    /// long.
    public func writeChar(_ data: Data) {
        send { framed, completion in framed.stream.send(data, completion: completion) }
    }

    /// Writes a command in one frame, with the given CRC or the one that was found; otherwise like `writeChar(_:)`.
    public func write(command: UInt8, subcommand: UInt8, data: Data = Data()) {
        let frame = CardReaderFrame(command: command, subcommand: subcommand, data: data)
        send { [framing] framed, completion in
            do throws(BluetoothError) {
                let current = (framed.framing as? CardReaderBytesFraming)?.framing ?? framing
                framed.send(try current.encode(frame), completion: completion)
            } catch {
                BluetoothActor.perform { completion(error) }
            }
        }
    }

    private typealias Completion = @BluetoothActor (BluetoothError?) -> Void

    private func send(
        _ start: @escaping @BluetoothActor (FramedStream<Data>, @escaping Completion) -> Void
    ) {
        switch state {
        case .disconnected: didWrite(.readerNotConnected)
        case .connecting:
            waitForSubscription(subscribeTimeout) { [weak self] result in
                if let error = result.failure { self?.didWrite(error) } else { self?.send(start) }
            }
        case .subscribed(let framed):
            framed.clear()
            start(framed) { [weak self] error in self?.didWrite(error) }
        }
    }

    /// Reports the CRC when a reply has shown it.
    private func noteChecksum(_ framed: FramedStream<Data>) {
        let framing = (framed.framing as? CardReaderBytesFraming)?.framing
        guard let found = framing?.detection, found != detection else { return }
        detection = found
        mainMenuDelegate?.didFindChecksum(checksum)
    }

    private func didWrite(_ error: BluetoothError?) {
        if let error { mainMenuDelegate?.didNotifyReadError(error) }
    }

    private func receive(_ event: FramedStream<Data>.Event) {
        switch event {
        case .success(let data): mainMenuDelegate?.didNotifyReadData(data)
        case .failure(let error): mainMenuDelegate?.didNotifyReadError(error)
        }
    }
}

extension BluetoothError {
    fileprivate static let readerNotConnected = BluetoothError(
        .notConnected, "The card reader is not connected: connect first")
}
