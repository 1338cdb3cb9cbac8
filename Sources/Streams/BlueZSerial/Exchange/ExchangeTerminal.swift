import CoreBlueZ
import FoundationEssentials

/// A device that replies to requests, such as a payment terminal. Opens it by its address, reports the states of both
/// sides, and closes it.
///
/// Opening connects, recognizes the serial profile, and subscribes. Then use `exchange`.
@BluetoothActor public final class ExchangeTerminal {
    /// The properties of the device's protocol.
    public struct Configuration: Sendable {
        /// The serial profiles that the device may have.
        public var profiles = SerialProfile.recognizable
        /// How messages are delimited; by default, by pauses of 0.2 s.
        public var framing: any Framing<Data> = IdleGapFraming(gap: .milliseconds(200))
        /// Returns the kind of a message; by default, each message is a reply.
        public var classify: Exchange<Data>.Classifier = { _, _ in .reply }
        /// The message that switches the device off. The interface does not document it. Without it, `closeDevice` only
        /// disconnects.
        public var powerOffMessage: Data?
        /// The message that cancels a request in the device; nil, the default, if there is none.
        public var cancelMessage: Data?
        /// How long the next request waits for a late reply; 2 s by default. See `Exchange.lateReplyWindow`.
        public var lateReplyWindow: Duration? = .seconds(2)
        /// The timeout for connecting; 20 s by default.
        public var connectTimeout = Duration.seconds(20)

        /// Creates a configuration with the defaults.
        public init() {}
    }

    /// The manager that finds the device.
    public let central: CentralManager
    /// The properties of the device's protocol, for the next opening.
    public var configuration: Configuration
    /// The exchanges with the open device; nil if none is open.
    public private(set) var exchange: Exchange<Data>?
    /// Called once for each opening, when the device is no longer open: with nil if it was closed, otherwise with the
    /// error.
    public var endHandler: (@BluetoothActor (BluetoothError?) -> Void)?

    /// The finder that opens the device or has opened it. Each opening has another one.
    private var finder: SerialFinder?
    /// The opening in progress.
    private var opening: Task<ExchangeOpenError?, Never>?
    /// The last closing, which may be in progress.
    private var closing: Task<BluetoothError?, Never>?
    /// The device that was opened last or is being opened, and whether its Bluetooth is on, as far as is known.
    private var device: (address: BluetoothAddress, isOn: Bool)?

    private var peripheral: Peripheral? { finder?.peripheral }

    /// Creates a terminal that is not open.
    public init(_ central: CentralManager, _ configuration: Configuration = Configuration()) {
        self.central = central
        self.configuration = configuration
    }

    /// Whether the device is open, and its stream has not ended.
    public var isOpen: Bool { exchange.map { $0.refusal == nil || $0.refusal == .notFinished } ?? false }

    // MARK: States

    /// The state of this side: whether a device was found, is open, or is exchanging.
    public var hostState: ExchangeHostState {
        if isOpen { return exchange?.isExchanging == true ? .exchanging : .idle }
        return isDetected ? .deviceDetected : .waitingForDevice
    }

    /// The state of the device that was opened last or is being opened. Before the first opening, that of any device
    /// that `central` has found.
    public var deviceState: ExchangeDeviceState {
        if isOpen { return exchange?.isExchanging == true ? .processing : .idle }
        return isDetected ? .ready : .notReady
    }

    private var isDetected: Bool {
        guard central.state == .poweredOn else { return false }
        guard let device else { return !central.peripherals.isEmpty }
        guard !device.isOn else { return true }
        let peripheral = peripheral ?? central.peripheral(withIdentifier: device.address)
        return peripheral.map { $0.isConnected || $0.isHeard } ?? false
    }

    /// Notes that a search has found a device.
    func didFind(_ address: BluetoothAddress) {
        if device?.address == address { device?.isOn = true }
    }

    // MARK: Opening

    /// Opens the device with an identifier. No search is needed first. An open device is closed first, unless an
    /// exchange is in progress, so you can open it again after an error. If a device is being closed, opening waits for
    /// that.
    ///
    /// - Parameters:
    ///   - identifier: the device's address, such as "00:AA:02:00:00:77".
    ///   - mode: whether each message has a reply, or both sides can send at any time.
    ///   - messageHandler: called with what the device sends outside exchanges. `Exchange.messageHandler` is set to it
    ///     before anything can arrive.
    ///   - completion: gets nil when the device is open, or the error, whose `code` is a number of the interface.
    ///     Called exactly once.
    public func open(
        _ identifier: String,
        mode: ExchangeMode = .masterSlave,
        messageHandler: (@BluetoothActor (Data, ExchangeMessageKind) -> Void)? = nil,
        completion: @escaping @BluetoothActor (ExchangeOpenError?) -> Void
    ) {
        Task {
            do throws(ExchangeOpenError) {
                try await open(identifier, mode: mode, messageHandler: messageHandler)
                completion(nil)
            } catch {
                completion(error)
            }
        }
    }

    /// Opens the device with an identifier; the async form of `open(_:mode:messageHandler:completion:)`.
    public func open(
        _ identifier: String,
        mode: ExchangeMode = .masterSlave,
        messageHandler: (@BluetoothActor (Data, ExchangeMessageKind) -> Void)? = nil
    ) async throws(ExchangeOpenError) {
        guard let address = BluetoothAddress(identifier) else {
            let advice = "give one such as 00:AA:02:00:00:77"
            throw ExchangeOpenError(.illegalAddress, "\(identifier.escapedForTerminal()) is not an address: \(advice)")
        }
        guard opening == nil else {
            throw ExchangeOpenError(.failed, "A device is being opened: wait for the result, or close it first")
        }
        guard exchange?.isExchanging != true else {
            throw ExchangeOpenError(.failed, "An exchange is in progress: wait for its result, or cancel it first")
        }
        if finder != nil { close() }
        let finder = SerialFinder(central, profiles: configuration.profiles)
        finder.connectTimeout = configuration.connectTimeout
        self.finder = finder
        if device?.address != address { device = (address, central.peripheral(withIdentifier: address) != nil) }
        let opening = Task { [closing] in
            _ = await closing?.value
            return await connect(finder, address, mode, messageHandler)
        }
        self.opening = opening
        let error = await withTaskCancellationHandler {
            await opening.value
        } onCancel: {
            opening.cancel()
        }
        if let error { throw error }
    }

    /// Returns nil if the device is open, otherwise the error.
    private func connect(
        _ finder: SerialFinder,
        _ address: BluetoothAddress,
        _ mode: ExchangeMode,
        _ messageHandler: (@BluetoothActor (Data, ExchangeMessageKind) -> Void)?
    ) async -> ExchangeOpenError? {
        var failure: BluetoothError?
        do throws(BluetoothError) {
            let service = try await finder.find(address, timeout: configuration.connectTimeout)
            try await service.open()
            if self.finder === finder {
                begin(service, mode, messageHandler)
            } else {
                service.close()
            }
        } catch {
            failure = error
            if self.finder === finder, finder.hasMadeLink, let peripheral = finder.peripheral {
                try? await peripheral.disconnectOwnLink()
            }
        }
        guard self.finder === finder else {
            return ExchangeOpenError(.failed, "The device was closed while it was being opened")
        }
        opening = nil
        guard let failure else {
            device?.isOn = true
            return nil
        }
        if failure.isUnreachable { device?.isOn = false }
        self.finder = nil
        return ExchangeOpenError(failure)
    }

    private func begin(
        _ service: SerialService,
        _ mode: ExchangeMode,
        _ messageHandler: (@BluetoothActor (Data, ExchangeMessageKind) -> Void)?
    ) {
        let exchange = Exchange(
            FramedStream(service, framing: configuration.framing), mode: mode, classify: configuration.classify)
        exchange.cancelMessage = configuration.cancelMessage
        exchange.lateReplyWindow = configuration.lateReplyWindow
        exchange.messageHandler = messageHandler
        exchange.endHandler = { [weak self] error in self?.didEnd(error) }
        self.exchange = exchange
    }

    private func didEnd(_ error: BluetoothError?) {
        if error != nil { device?.isOn = peripheral?.isConnected == true }
        endHandler?(error)
    }

    // MARK: Closing

    /// Switches the device off, if the configuration has a message for that, and disconnects.
    ///
    /// - Parameter completion: gets nil, or the error if the device may still be on or connected. Called exactly once.
    public func closeDevice(completion: @escaping @BluetoothActor (BluetoothError?) -> Void) {
        let closing = close(sending: configuration.powerOffMessage)
        Task { completion(await closing.value) }
    }

    /// Switches the device off and disconnects; the async form of `closeDevice(completion:)`.
    public func closeDevice() async throws(BluetoothError) {
        if let error = await close(sending: configuration.powerOffMessage).value { throw error }
    }

    /// Disconnects, and leaves the device on. An opening in progress fails with `ExchangeOpenCode.failed`. After a
    /// reset of the PIN pad, call this method, and then open the device again. It fails with the codes of
    /// `Peripheral.disconnect(completion:)`.
    ///
    /// - Parameter completion: gets nil when there is no link, or the error. Called exactly once.
    public func closeResource(completion: @escaping @BluetoothActor (BluetoothError?) -> Void) {
        let closing = close()
        Task { completion(await closing.value) }
    }

    /// Disconnects, and leaves the device on; the async form of `closeResource(completion:)`.
    public func closeResource() async throws(BluetoothError) {
        if let error = await close().value { throw error }
    }

    /// Closes the device: immediately on this side, then by ending the link.
    @discardableResult
    private func close(sending message: Data? = nil) -> Task<BluetoothError?, Never> {
        let message = isOpen ? message : nil
        if message == nil { exchange?.close() } else { exchange?.cancel() }
        opening?.cancel()
        let task = Task { [finder, opening, exchange, closing, device] in
            let earlier = await closing?.value
            _ = await opening?.value
            var failure: BluetoothError?
            if let message, let exchange { failure = await switchOff(device?.address, exchange, message) }
            guard let peripheral = finder?.peripheral else { return earlier }
            let error = await withCheckedContinuation { done in peripheral.disconnect { done.resume(returning: $0) } }
            // It is retained until its end has been reported.
            return withExtendedLifetime(exchange) { failure ?? error }
        }
        (finder, opening, exchange, closing) = (nil, nil, nil, task)
        return task
    }

    private func switchOff(
        _ address: BluetoothAddress?, _ exchange: Exchange<Data>, _ message: Data
    ) async -> BluetoothError? {
        let error = await withCheckedContinuation { done in
            exchange.sendAtOnce(message) { done.resume(returning: $0) }
        }
        if error == nil, device?.address == address { device?.isOn = false }
        exchange.close()
        return error
    }
}

/// An error of opening a device.
public struct ExchangeOpenError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The code, with the number of the interface.
    public let code: ExchangeOpenCode
    /// The text for users: what happened and what to do.
    public let description: String

    init(_ code: ExchangeOpenCode, _ description: String) {
        self.code = code
        self.description = description
    }

    init(_ error: BluetoothError) {
        description = error.description
        code =
            switch error.code {
            case .adapterOff: .poweredOff
            case .adapterGone, .daemonUnavailable, .busUnavailable, .accessDenied: .notSupported
            case .connectionFailed, .connectionTimedOut, .timedOut, .disconnected, .notConnected, .discoveryFailed,
                .peripheralGone, .profileNotRecognized, .attributeGone:
                .failed
            default: .unknown
            }
    }
}

extension BluetoothError {
    /// Whether the device may be off or out of range.
    fileprivate var isUnreachable: Bool {
        [.connectionFailed, .connectionTimedOut, .timedOut, .disconnected, .peripheralGone].contains(code)
    }
}
