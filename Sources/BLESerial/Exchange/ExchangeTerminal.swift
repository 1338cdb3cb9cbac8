import CoreBlueZ
import FoundationEssentials
import PrintableText

/// A device that answers requests, such as a payment terminal: opens it by its address, reports the states of both
/// sides, and closes it.
///
/// Opening connects, recognizes the serial profile and subscribes. Then use `exchange`.
@BluetoothActor public final class ExchangeTerminal {
    /// The properties of the device's protocol.
    public struct Configuration: Sendable {
        /// The serial profiles that the device may have.
        public var profiles = SerialProfile.recognizable
        /// How its messages are delimited; by default by pauses of 0.2 s.
        public var framing: any Framing<Data> = IdleGapFraming(gap: .milliseconds(200))
        /// Distinguishes replies, progress and other messages; by default each message is a reply.
        public var classify: Exchange<Data>.Classifier = { _, _ in .reply }
        /// The message that switches the device off. The interface does not document it; without it, `closeDevice` only
        /// disconnects.
        public var powerOffMessage: Data?
        /// The message that tells the device to cancel, if there is one.
        public var cancelMessage: Data?
        /// How long the next request waits for a late reply; see `Exchange.lateReplyWindow`.
        public var lateReplyWindow: Duration? = .seconds(2)
        /// How long connecting may take.
        public var connectTimeout = Duration.seconds(20)

        /// The defaults.
        public init() {}
    }

    /// The manager that finds the device.
    public let central: CentralManager
    /// The properties of the device's protocol, for the next opening.
    public var configuration: Configuration
    /// The exchanges with the open device; nil if none is open.
    public private(set) var exchange: Exchange<Data>?
    /// Called once for each device that was open, when it no longer is: nil if it was closed, otherwise why.
    public var endHandler: (@BluetoothActor (BluetoothError?) -> Void)?

    /// What opens the device, or opened it.
    private var finder: SerialFinder?
    private var isOpening = false

    private var peripheral: Peripheral? { finder?.peripheral }

    /// A terminal that is not open yet.
    public init(_ central: CentralManager, _ configuration: Configuration = Configuration()) {
        self.central = central
        self.configuration = configuration
    }

    /// Whether the device is open.
    public var isOpen: Bool { exchange.map { $0.refusal == nil || $0.refusal == .notFinished } ?? false }

    /// The state of this side.
    public var hostState: ExchangeHostState {
        if isOpen { return exchange?.isExchanging == true ? .exchanging : .idle }
        return isOpening || !central.peripherals.isEmpty ? .deviceDetected : .waitingForDevice
    }

    /// The state of the device.
    public var deviceState: ExchangeDeviceState {
        if isOpen { return exchange?.isExchanging == true ? .processing : .idle }
        return peripheral?.isConnected == true ? .ready : .notReady
    }

    /// Opens the device with an identifier. No search is needed first.
    ///
    /// - Parameters:
    ///   - identifier: its address, such as "00:AA:02:00:00:77".
    ///   - mode: how messages and replies follow one another.
    ///   - completion: gets nil when the device is open, or why it is not. Runs exactly once.
    public func open(
        _ identifier: String,
        mode: ExchangeMode = .masterSlave,
        completion: @escaping @BluetoothActor (ExchangeOpenError?) -> Void
    ) {
        Task {
            do throws(ExchangeOpenError) {
                try await open(identifier, mode: mode)
                completion(nil)
            } catch {
                completion(error)
            }
        }
    }

    /// Opens the device with an identifier; the async form of `open(_:mode:completion:)`.
    public func open(_ identifier: String, mode: ExchangeMode = .masterSlave) async throws(ExchangeOpenError) {
        guard let address = BluetoothAddress(identifier) else {
            let advice = "give one such as 00:AA:02:00:00:77"
            throw ExchangeOpenError(.illegalAddress, "\(identifier.escapedForTerminal()) is not an address: \(advice)")
        }
        guard !isOpen, !isOpening else {
            throw ExchangeOpenError(.failed, "A device is already open or being opened: close it first")
        }
        isOpening = true
        defer { isOpening = false }
        do throws(BluetoothError) {
            let finder = SerialFinder(central, profiles: configuration.profiles)
            self.finder = finder
            finder.connectTimeout = configuration.connectTimeout
            let service = try await finder.find(address, timeout: configuration.connectTimeout)
            try await service.open()
            let exchange = Exchange(
                FramedStream(service, framing: configuration.framing), mode: mode, classify: configuration.classify)
            exchange.cancelMessage = configuration.cancelMessage
            exchange.lateReplyWindow = configuration.lateReplyWindow
            exchange.endHandler = { [weak self] error in self?.didEnd(error) }
            self.exchange = exchange
        } catch {
            if finder?.hasMadeLink == true {
                await withCheckedContinuation { done in closeResource { _ in done.resume() } }
            }
            finder = nil
            throw ExchangeOpenError(error)
        }
    }

    /// Switches the device off, if the configuration has a message for that, and disconnects.
    ///
    /// - Parameter completion: gets nil, or why the device may still be on or connected. Runs exactly once.
    public func closeDevice(completion: @escaping @BluetoothActor (BluetoothError?) -> Void) {
        guard isOpen, let exchange, let message = configuration.powerOffMessage else {
            return closeResource(completion: completion)
        }
        exchange.cancel()
        exchange.sendAtOnce(message) { [self] error in
            closeResource { completion(error ?? $0) }
        }
    }

    /// Switches the device off and disconnects; the async form of `closeDevice(completion:)`.
    public func closeDevice() async throws(BluetoothError) {
        let error = await withCheckedContinuation { done in closeDevice { done.resume(returning: $0) } }
        if let error { throw error }
    }

    /// Disconnects, and leaves the device on. After a reset of the pin pad: call this, then open again.
    ///
    /// - Parameter completion: gets nil when there is no link. Runs exactly once.
    public func closeResource(completion: @escaping @BluetoothActor (BluetoothError?) -> Void) {
        let closing = exchange
        exchange = nil
        closing?.close()
        guard let peripheral else { return BluetoothActor.later { completion(nil) } }
        finder = nil
        peripheral.disconnect { error in
            // It lives until its end has been reported.
            withExtendedLifetime(closing) { completion(error) }
        }
    }

    /// Disconnects, and leaves the device on; the async form of `closeResource(completion:)`.
    public func closeResource() async throws(BluetoothError) {
        let error = await withCheckedContinuation { done in closeResource { done.resume(returning: $0) } }
        if let error { throw error }
    }

    private func didEnd(_ error: BluetoothError?) {
        endHandler?(error)
    }
}

/// Why a device could not be opened.
public struct ExchangeOpenError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The interface's number.
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
