import CoreBlueZ
import FoundationEssentials

/// The Bluetooth channel of the interface.
@BluetoothActor public final class BluetoothManager: CommunicationManagerBase {
    /// The device below, with its configuration: profiles, framing, classifier, and messages to cancel and switch off.
    public let terminal: ExchangeTerminal
    private var callbacks: (any CommunicationCallBack)?
    private var search: DeviceSearch?

    private static var shared: BluetoothManager?
    /// How long a search without a positive timeout lasts: 10 s. In the interface, the timeout is reserved for the
    /// future.
    public static let defaultSearchTime = Duration.seconds(10)

    /// Makes a separate manager, such as one for the bus of a simulator.
    public init(_ terminal: ExchangeTerminal) {
        self.terminal = terminal
        super.init()
        terminal.endHandler = { [weak self] error in self?.didEnd(error) }
    }

    // MARK: The shared instance

    /// The one manager of the Bluetooth channel. It is on the system bus, unless `use(_:)` gave it another terminal.
    public static func sharedInstance() -> BluetoothManager { shared ?? use(ExchangeTerminal(CentralManager())) }

    /// Makes `sharedInstance()` and the class methods use a terminal from now on, such as one for a chosen adapter or
    /// for the bus of a simulator.
    ///
    /// - Returns: the manager that `sharedInstance()` now returns.
    @discardableResult
    public static func use(_ terminal: ExchangeTerminal) -> BluetoothManager {
        let manager = BluetoothManager(terminal)
        shared = manager
        return manager
    }

    // MARK: Searching

    /// Scans for devices. All that advertise are reported: a device's profile is known only once it is opened.
    ///
    /// - Parameters:
    ///   - listener: gets each device once, and the end.
    ///   - detectAudioDevice: finds nothing.
    ///   - detectBluetooth: whether to look for Bluetooth devices.
    ///   - timeout: how long, in milliseconds; `defaultSearchTime` if it is not positive.
    /// - Returns: `begun` also while the state of Bluetooth is unknown. If no search can begin then, the listener only
    ///   gets the end; the forms below return the reason.
    public func searchDevices(
        _ listener: any DeviceSearchListener, detectAudioDevice: Bool, detectBluetooth: Bool, timeout: Int
    ) -> ExchangeSearchCode {
        begin(listener, detectBluetooth, timeout) { if $0 != .begun { listener.discoverComplete() } } ?? .begun
    }

    /// Scans for devices, as `searchDevices(_:detectAudioDevice:detectBluetooth:timeout:)` does.
    ///
    /// - Parameters:
    ///   - listener: gets each device once, and the end.
    ///   - detectAudioDevice: finds nothing.
    ///   - detectBluetooth: whether to look for Bluetooth devices.
    ///   - timeout: how long, in milliseconds; `defaultSearchTime` if it is not positive.
    ///   - completion: gets the code when bluetoothd has begun to scan, or as soon as it is known that it can't. If the
    ///     code isn't `begun`, the listener gets nothing. Runs exactly once.
    public func searchDevices(
        _ listener: any DeviceSearchListener,
        detectAudioDevice: Bool,
        detectBluetooth: Bool,
        timeout: Int,
        completion: @escaping @BluetoothActor (ExchangeSearchCode) -> Void
    ) {
        if let refusal = begin(listener, detectBluetooth, timeout, completion) {
            BluetoothActor.later { completion(refusal) }
        }
    }

    /// Scans for devices; the async form of
    /// `searchDevices(_:detectAudioDevice:detectBluetooth:timeout:completion:)`.
    public func searchDevices(
        _ listener: any DeviceSearchListener, detectAudioDevice: Bool, detectBluetooth: Bool, timeout: Int
    ) async -> ExchangeSearchCode {
        await withCheckedContinuation { continuation in
            searchDevices(
                listener, detectAudioDevice: detectAudioDevice, detectBluetooth: detectBluetooth, timeout: timeout
            ) { continuation.resume(returning: $0) }
        }
    }

    /// Returns why no search begins; nil if one does, as far as is known: then `began` gets the code.
    private func begin(
        _ listener: any DeviceSearchListener,
        _ detectBluetooth: Bool,
        _ timeout: Int,
        _ began: @escaping @BluetoothActor (ExchangeSearchCode) -> Void
    ) -> ExchangeSearchCode? {
        guard detectBluetooth else { return .noBluetooth }
        if let refusal = ExchangeSearchCode(terminal.central.state) { return refusal }
        guard search == nil else { return .cannotStart }
        let search = DeviceSearch(listener, terminal, began: began) { [weak self] in self?.search = nil }
        self.search = search
        search.begin(timeout > 0 ? .milliseconds(timeout) : Self.defaultSearchTime)
        return nil
    }

    // MARK: Opening and closing

    /// Opens a device; see `CommunicationManagerBase`.
    public override func openDevice(
        _ identifier: String, cb: (any CommunicationCallBack)?, mode: DeviceCommunicationMode
    ) async -> ExchangeOpenCode {
        do throws(ExchangeOpenError) {
            try await terminal.open(identifier, mode: mode) { message, kind in
                if kind == .progress { cb?.onProgress(message) } else { cb?.onReceive(message) }
            }
        } catch {
            return error.code
        }
        callbacks = cb
        return .opened
    }

    /// Switches the device off, if `terminal.configuration` has a message for that, and disconnects.
    public override func closeDevice() { terminal.closeDevice { _ in } }

    /// Disconnects and leaves the device on.
    public override func closeResource() { terminal.closeResource { _ in } }

    /// Whether a device is open.
    public override var isConnected: Bool { terminal.isOpen }

    // MARK: Exchanging

    /// Sends data; the callbacks are those given at opening. See `CommunicationManagerBase`.
    public override func exchangeData(_ data: Data, timeout: Int) -> ExchangeStartCode {
        exchange(data, timeout, callbacks)
    }

    /// Sends data; see `CommunicationManagerBase`.
    public override func exchangeData(
        _ data: Data, timeout: Int, cb: any CommunicationCallBack
    ) -> ExchangeStartCode {
        exchange(data, timeout, cb)
    }

    private func exchange(
        _ data: Data, _ timeout: Int, _ callbacks: (any CommunicationCallBack)?
    ) -> ExchangeStartCode {
        guard let exchange = terminal.exchange else { return .notOpened }
        if let refusal = exchange.refusal { return refusal }
        if exchange.mode == .duplex {
            exchange.send(data) { error in
                if let error { callbacks?.report(error) } else { callbacks?.onSendOK() }
            }
        } else {
            exchange.exchange(data, timeout: .milliseconds(max(0, timeout))) {
                callbacks?.onSendOK()
            } progress: {
                callbacks?.onProgress($0)
            } completion: { reply, error in
                if let reply { callbacks?.onReceive(reply) } else if let error { callbacks?.report(error) }
            }
        }
        return .accepted
    }

    /// Cancels the exchange; see `CommunicationManagerBase`.
    public override func cancelExchange() -> ExchangeCancelCode {
        terminal.exchange?.cancel() ?? .notOpened
    }

    /// In master-slave mode, an exchange reports the lost link itself.
    private func didEnd(_ error: BluetoothError?) {
        guard terminal.exchange?.mode == .duplex, let error else { return }
        callbacks?.report(ExchangeError(error, otherwise: .read))
    }
}

extension CommunicationCallBack {
    fileprivate func report(_ error: ExchangeError) {
        if error.code == .timedOut {
            onTimeout()
        } else {
            onError(error.code?.rawValue ?? 8, message: error.description)
        }
    }
}
