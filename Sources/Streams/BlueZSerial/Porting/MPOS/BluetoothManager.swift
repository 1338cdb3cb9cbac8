import CoreBlueZ
import FoundationEssentials

/// The Bluetooth channel of the MPOS interface.
@BluetoothActor public final class BluetoothManager: CommunicationManagerBase {
    /// The terminal that the channel uses, with its configuration: profiles, framing, classifier, and messages to
    /// cancel and to switch the device off.
    public let terminal: ExchangeTerminal
    private var callbacks: (any CommunicationCallBack)?
    private var search: DeviceSearch?

    private static var shared: BluetoothManager?
    /// The duration of a search without a positive timeout: 10 s. In the interface, the timeout is reserved for the
    /// future.
    public static let defaultSearchTime = Duration.seconds(10)

    /// Creates a separate manager, such as one for the bus of a simulator.
    public init(_ terminal: ExchangeTerminal) {
        self.terminal = terminal
        super.init()
        terminal.endHandler = { [weak self] error in self?.didEnd(error) }
    }

    // MARK: The shared instance

    /// Returns the only manager of the Bluetooth channel. It uses the system bus, unless `use(_:)` has set another
    /// terminal.
    public static func sharedInstance() -> BluetoothManager { shared ?? use(ExchangeTerminal(CentralManager())) }

    /// Sets the terminal that `sharedInstance()` and the class methods use from now on, such as one for a chosen
    /// adapter or for the bus of a simulator.
    ///
    /// - Returns: the manager that `sharedInstance()` now returns.
    @discardableResult
    public static func use(_ terminal: ExchangeTerminal) -> BluetoothManager {
        let manager = BluetoothManager(terminal)
        shared = manager
        return manager
    }

    // MARK: Searching

    /// Scans for devices. All devices that advertise are reported, because a device's profile is known only when it is
    /// opened.
    ///
    /// - Parameters:
    ///   - listener: gets each device once, and the end of the search.
    ///   - detectAudioDevice: whether to look for audio devices, of which none are found.
    ///   - detectBluetooth: whether to look for Bluetooth devices.
    ///   - timeout: the duration of the search in milliseconds. If it is not positive, `defaultSearchTime` applies.
    /// - Returns: why the search cannot begin, or `begun`, also while the state of Bluetooth is unknown. If it then
    ///   cannot begin, the listener gets only the end. The forms below return the reason.
    public func searchDevices(
        _ listener: any DeviceSearchListener, detectAudioDevice: Bool, detectBluetooth: Bool, timeout: Int
    ) -> ExchangeSearchCode {
        begin(listener, detectBluetooth, timeout) { if $0 != .begun { listener.discoverComplete() } } ?? .begun
    }

    /// Scans for devices, as `searchDevices(_:detectAudioDevice:detectBluetooth:timeout:)` does.
    ///
    /// - Parameters:
    ///   - listener: gets each device once, and the end of the search.
    ///   - detectAudioDevice: whether to look for audio devices, of which none are found.
    ///   - detectBluetooth: whether to look for Bluetooth devices.
    ///   - timeout: the duration of the search in milliseconds. If it is not positive, `defaultSearchTime` applies.
    ///   - completion: gets the code when bluetoothd has begun to scan, or when it is known that it cannot. If the code
    ///     isn't `begun`, the listener is not called. Called exactly once.
    public func searchDevices(
        _ listener: any DeviceSearchListener,
        detectAudioDevice: Bool,
        detectBluetooth: Bool,
        timeout: Int,
        completion: @escaping @BluetoothActor (ExchangeSearchCode) -> Void
    ) {
        if let refusal = begin(listener, detectBluetooth, timeout, completion) {
            BluetoothActor.perform { completion(refusal) }
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

    /// Returns why no search begins, or nil if one does, as far as is known. In that case, `began` gets the code.
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

    /// Sends data, with the callbacks that were passed to `openDevice`; see `CommunicationManagerBase`.
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

    /// Handles the end of the device. In master-slave mode, an exchange reports the lost link itself.
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
