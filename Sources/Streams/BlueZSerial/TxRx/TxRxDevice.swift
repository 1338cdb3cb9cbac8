import CoreBlueZ
import FoundationEssentials

/// A device that a `TxRxCentral` has found. When it is connected, it takes commands and replies.
@BluetoothActor public final class TxRxDevice {
    /// The name of a device that has none.
    public nonisolated static let noName = "Unnamed device"

    /// The peripheral of the device.
    public let peripheral: Peripheral
    /// The number of devices that the last scan found before this one. This is also its index in `TxRxCentral.devices`,
    /// unless a device was removed because there were too many.
    public internal(set) var index: Int
    /// The central that found the device; nil if it was released.
    public private(set) weak var central: TxRxCentral?
    /// The session of commands and replies; nil unless the device is ready.
    public private(set) var session: TxRxSession?
    /// The serial service; nil unless the device is ready.
    public private(set) var service: SerialService?

    private var connecting: TxRxConnecting?
    /// The link, from `connected` to `disconnected`.
    private var link: TxRxLink?
    private let events = FragmentCollector()

    init(_ peripheral: Peripheral, index: Int, central: TxRxCentral) {
        self.peripheral = peripheral
        self.index = index
        self.central = central
        events.completed = { [weak self] in self?.report { .event($0, $1) }($0) }
    }

    /// The name of the device, or `noName`.
    public var name: String { peripheral.name ?? peripheral.advertisement.localName ?? Self.noName }

    /// The name, "_" and the index, which is unique even for devices with the same name. It changes with the name,
    /// which may be received after the device was found, or change when the device is connected.
    public var indexedName: String { "\(name)_\(index)" }

    /// Whether the profile is recognized and commands can be sent.
    public var isReady: Bool { session != nil && service?.isOpen == true }

    /// Whether an attempt to connect is in progress.
    public var isConnecting: Bool { connecting != nil }

    /// Whether there is anything to end: a link, or an attempt to connect.
    var isInUse: Bool { isReady || isConnecting || link != nil }

    /// Connects, recognizes the profile, and subscribes, all within the timeout for connecting. If an earlier link is
    /// still being ended, this waits for that. The events report the same as the completion, and `disconnected` reports
    /// the end of the link.
    ///
    /// The operation fails with:
    /// - `alreadyConnected` or `scanInProgress` if the device is connected or being connected, or a scan is in
    ///   progress.
    /// - `profileNotRecognized` if the device has none of the profiles.
    /// - `connectionTimedOut` if the timeout expires.
    /// - The codes of `Peripheral.connect(options:completion:)` and `SerialService.open(_:completion:)`.
    ///
    /// After a failure, the link is ended unless another program made it.
    ///
    /// - Parameter completion: gets nil when commands can be sent, or the error.
    public func connect(completion: @escaping @BluetoothActor (BluetoothError?) -> Void) {
        startConnecting { completion($0.failure) }
    }

    /// Connects; the async form of `connect(completion:)`.
    public func connect() async throws(BluetoothError) {
        try await AsyncBridge.wait { startConnecting($0) }
    }

    @discardableResult
    private func startConnecting(
        _ completion: @escaping @BluetoothActor (Result<Void, BluetoothError>) -> Void
    ) -> TxRxConnecting {
        let attempt = TxRxConnecting(self, central) { [self] result in completion(didConnect(result)) }
        let error: BluetoothError
        if central?.isScanning == true {
            error = BluetoothError(.scanInProgress, "A scan is in progress; stop it before connecting \(name)")
        } else if isReady || connecting != nil {
            error = BluetoothError(.alreadyConnected, "The device \(name) is already connected")
        } else {
            connecting = attempt
            BluetoothActor.perform { attempt.begin() }
            return attempt
        }
        let refused = TxRxConnecting(self, central) { [self] result in
            report { .connectFailed($0, $1) }(error)
            completion(result.map { _ in })
        }
        BluetoothActor.perform { refused.refuse(error) }
        return refused
    }

    /// Handles the result of the attempt. Without its central, a device is not used, because nothing would report its
    /// commands.
    private func didConnect(_ result: Result<SerialService, BluetoothError>) -> Result<Void, BluetoothError> {
        connecting = nil
        guard let central else {
            guard case .success(let service) = result else { return result.map { _ in } }
            service.close()
            endLink(nil)
            return .failure(.centralIsGone(name))
        }
        switch result {
        case .failure(let error):
            central.reportFailure(of: error)
            report { .connectFailed($0, $1) }(error)
        case .success(let service):
            self.service = service
            let session = TxRxSession(service, terminator: service.profile.terminator, timeouts: central.timeouts)
            session.eventHandler = { [weak self] in self?.handle($0) }
            self.session = session
            report { .ready($0, $1) }(service.profile)
        }
        return result.map { _ in }
    }

    /// Ends the link, or the attempt to connect. bluetoothd takes about 2 s to end a link. Commands are refused in the
    /// meantime. The operation fails with `notConnected` if there is no link, and with the codes of
    /// `Peripheral.disconnect(completion:)`.
    ///
    /// - Parameter completion: gets nil when the link has ended, after the event `disconnected`, or the error.
    public func disconnect(completion: @escaping @BluetoothActor (BluetoothError?) -> Void) {
        guard isInUse else {
            let error = BluetoothError(.notConnected, "The device \(name) is not connected")
            return BluetoothActor.perform { [self] in
                report { _, error in .deviceFailed(error) }(error)
                completion(error)
            }
        }
        let link = link
        service?.close()
        link?.end(nil, isRequested: true, completion: completion)
        connecting?.fail(BluetoothError(.cancelled, "Connecting \(name) was cancelled"))
        if link == nil { peripheral.disconnect(completion: completion) }
    }

    /// Ends the link; the async form of `disconnect(completion:)`. It also works in a cancelled task.
    public func disconnect() async throws(BluetoothError) {
        try await AsyncBridge.waitRegardless { completion in
            disconnect { completion(Result(failure: $0)) }
            return Cancellation()
        }
    }

    /// Sends a command, and waits for the reply; see `TxRxSession.send(_:completion:)`.
    public func send(_ command: Data, completion: @escaping @BluetoothActor (Data?, BluetoothError?) -> Void) {
        guard let session else {
            return BluetoothActor.perform { [self] in
                report { .sendFailed($0, $1) }(notReady)
                completion(nil, notReady)
            }
        }
        session.timeouts = central?.timeouts ?? session.timeouts
        session.send(command, completion: completion)
    }

    /// Sends a command, and waits for the reply; the async form of `send(_:completion:)`.
    public func send(_ command: Data) async throws(BluetoothError) -> Data {
        guard let session else {
            report { .sendFailed($0, $1) }(notReady)
            throw notReady
        }
        session.timeouts = central?.timeouts ?? session.timeouts
        return try await session.send(command)
    }

    /// Switches the mode of a module whose profile has one; see `SerialService.setMode(_:completion:)`.
    public func setMode(_ mode: SerialMode, completion: @escaping @BluetoothActor (BluetoothError?) -> Void) {
        let reported: @BluetoothActor (BluetoothError?) -> Void = { [self] error in
            if let error { report { .modeFailed($0, $1) }(error) } else { report { .modeChanged($0, $1) }(mode) }
            completion(error)
        }
        guard let service else { return BluetoothActor.perform { [notReady] in reported(notReady) } }
        service.setMode(mode, completion: reported)
    }

    /// Switches the mode; the async form of `setMode(_:completion:)`.
    public func setMode(_ mode: SerialMode) async throws(BluetoothError) {
        try await AsyncBridge.wait { completion in
            setMode(mode) { completion(Result(failure: $0)) }
            return Cancellation()
        }
    }

    private var notReady: BluetoothError { BluetoothError(.notConnected, "\(name) is not connected; connect it first") }

    // MARK: Events

    /// Returns a closure that reports an event of this device to the central.
    func report<Value>(_ event: @escaping (TxRxDevice, Value) -> TxRxEvent) -> (Value) -> Void {
        { [self] in central?.report(event(self, $0)) }
    }

    private func handle(_ event: TxRxSession.Event) {
        switch event {
        case .sent(let data): report { .sent($0, $1) }(data)
        case .sendFailed(let error): report { .sendFailed($0, $1) }(error)
        case .sendTimedOut(let error): report { .sendTimedOut($0, $1) }(error)
        case .received(let data), .unsolicited(let data): report { .received($0, $1) }(data)
        case .receiveFailed(let error): report { .receiveFailed($0, $1) }(error)
        case .ended(let error): didEnd(error)
        }
    }

    func takeEvent(_ data: Data?, _ error: BluetoothError?) {
        if let data { events.append(data, gap: central?.timeouts.nextEventFragment ?? .zero) }
        guard let error else { return }
        events.clear()
        report { .eventFailed($0, $1) }(error)
    }

    /// Ends the link when the stream has ended.
    private func didEnd(_ error: BluetoothError?) {
        session = nil
        service = nil
        events.clear()
        endLink(error)
    }

    // MARK: The link

    func didConnectLink() {
        guard link == nil else { return }
        link = TxRxLink(self)
        report { device, _ in .connected(device) }(())
    }

    /// Ends the link, or the attempt to make one, unless it is another program's.
    func endLink(_ reason: BluetoothError?) {
        if let link { link.end(reason, isRequested: false) } else { peripheral.disconnectOwnLink { _ in } }
    }

    func linkDidEnd(_ reason: BluetoothError?) {
        link = nil
        report { .disconnected($0, $1) }(reason)
    }

    func linkStays(_ error: BluetoothError) {
        central?.reportFailure(of: error)
        report { _, error in .deviceFailed(error) }(error)
    }
}
