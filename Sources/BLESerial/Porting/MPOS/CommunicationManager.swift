import CoreBlueZ
import FoundationEssentials

/// The calls of the MPOS Communication API 1.2.4 for payment terminals, for programs that were written for it: a thin layer
/// over `ExchangeTerminal` and `Exchange`, which new programs use.
///
/// Calls that blocked there are async here, and have a twin with a completion; time-outs are in milliseconds, as there.
/// A time-out of an exchange calls `onTimeout` and never `onError` as well.
@BluetoothActor public final class CommunicationManager {
    /// A channel to devices.
    public enum Channel: Hashable, Sendable {
        /// The audio jack; there is none here.
        case audioJack
        /// Bluetooth Low Energy.
        case bluetooth
    }

    /// How a device is used.
    public enum Mode: Hashable, Sendable {
        /// An exchange has a reply and a time-out.
        case masterSlave
        /// Data is sent without a time-out, and the device may send at any time.
        case duplex
    }

    /// The device below, with its configuration: profiles, framing, classifier, and messages to cancel and switch off.
    public let terminal: ExchangeTerminal
    private var callbacks: (any CommunicationCallBack)?
    private var mode = Mode.masterSlave
    private var search: DeviceSearch?

    private static var shared: CommunicationManager?

    /// A manager of your own, such as one for the bus of a simulator.
    public init(_ terminal: ExchangeTerminal) {
        self.terminal = terminal
    }

    /// The one manager of a channel, on the system bus.
    ///
    /// - Returns: nil for a channel that does not exist here; see `instance(_:)` for why.
    public static func sharedInstance(_ channel: Channel) -> CommunicationManager? {
        try? instance(channel)
    }

    /// The one manager of a channel, on the system bus.
    ///
    /// - Throws: `BluetoothError.Code.notSupported` for a channel that does not exist here.
    public static func instance(_ channel: Channel) throws(BluetoothError) -> CommunicationManager {
        guard channel == .bluetooth else {
            throw BluetoothError(
                .notSupported,
                "There is no audio channel: its modem is not documented, and few Linux machines have the jack. Use "
                    + "the Bluetooth channel")
        }
        if let shared { return shared }
        let manager = CommunicationManager(ExchangeTerminal(CentralManager()))
        shared = manager
        return manager
    }

    /// The version of this library.
    public func getLibVersion() -> String { CentralManager.version }

    // MARK: Searching

    /// Scans for devices. All that advertise are reported: the profile of a device shows only when it is opened.
    ///
    /// - Parameters:
    ///   - listener: gets each device once, and the end.
    ///   - detectAudioDevice: finds nothing.
    ///   - detectBluetooth: whether to look for Bluetooth devices.
    ///   - timeout: how long, in milliseconds.
    public func searchDevices(
        _ listener: any DeviceSearchListener, detectAudioDevice: Bool, detectBluetooth: Bool, timeout: Int
    ) -> ExchangeSearchCode {
        switch terminal.central.state {
        case .poweredOff: return .poweredOff
        case .unsupported, .unauthorized, .resetting: return .noBluetooth
        case .poweredOn, .unknown: break
        }
        guard detectBluetooth else { return .noBluetooth }
        guard search == nil, timeout > 0 else { return .cannotStart }
        let search = DeviceSearch(listener)
        self.search = search
        search.begin(terminal.central, .milliseconds(timeout)) { [weak self] in self?.search = nil }
        return .begun
    }

    // MARK: Opening and closing

    /// Opens a device in master-slave mode. No search is needed first.
    public func openDevice(_ identifier: String) async -> ExchangeOpenCode {
        await openDevice(identifier, cb: nil, mode: .masterSlave)
    }

    /// Opens a device in master-slave mode; `completion` gets the code.
    public func openDevice(_ identifier: String, completion: @escaping @BluetoothActor (ExchangeOpenCode) -> Void) {
        openDevice(identifier, cb: nil, mode: .masterSlave, completion: completion)
    }

    /// Opens a device. No search is needed first.
    ///
    /// - Parameters:
    ///   - identifier: its address.
    ///   - cb: gets what happens in exchanges without callbacks of their own, and what the device sends unasked.
    ///   - mode: how it is used.
    public func openDevice(
        _ identifier: String, cb: (any CommunicationCallBack)?, mode: Mode
    ) async -> ExchangeOpenCode {
        do throws(ExchangeOpenError) {
            try await terminal.open(identifier, mode: mode == .duplex ? .duplex : .masterSlave)
        } catch {
            return error.code
        }
        callbacks = cb
        self.mode = mode
        terminal.exchange?.messageHandler = { [weak self] message, kind in
            if kind == .progress {
                self?.callbacks?.onProgress(message)
            } else {
                self?.callbacks?.onReceive(message)
            }
        }
        terminal.endHandler = { [weak self] error in self?.didEnd(error) }
        return .opened
    }

    /// Opens a device; `completion` gets the code.
    public func openDevice(
        _ identifier: String,
        cb: (any CommunicationCallBack)?,
        mode: Mode,
        completion: @escaping @BluetoothActor (ExchangeOpenCode) -> Void
    ) {
        Task { completion(await openDevice(identifier, cb: cb, mode: mode)) }
    }

    /// Switches the device off, if `terminal.configuration` has a message for that, and disconnects.
    public func closeDevice() { terminal.closeDevice { _ in } }

    /// Disconnects and leaves the device on.
    public func closeResource() { terminal.closeResource { _ in } }

    /// Does nothing: there is no audio channel.
    public func closeAudioResource() {}

    /// Whether a device is open.
    public var isConnected: Bool { terminal.isOpen }

    // MARK: Exchanging

    /// Sends data; the callbacks are those given at opening.
    ///
    /// - Parameters:
    ///   - data: the data of the request.
    ///   - timeout: in milliseconds; in duplex mode there is none.
    public func exchangeData(_ data: Data, timeout: Int) -> ExchangeStartCode {
        exchange(data, timeout, callbacks)
    }

    /// Sends data.
    ///
    /// - Parameters:
    ///   - data: the data of the request.
    ///   - timeout: in milliseconds; in duplex mode there is none.
    ///   - cb: gets what happens in this exchange; in duplex mode, only how sending ends.
    public func exchangeData(_ data: Data, timeout: Int, cb: any CommunicationCallBack) -> ExchangeStartCode {
        exchange(data, timeout, cb)
    }

    private func exchange(_ data: Data, _ timeout: Int, _ callbacks: (any CommunicationCallBack)?) -> ExchangeStartCode
    {
        guard let exchange = terminal.exchange else { return .notOpened }
        if let refusal = exchange.refusal { return refusal }
        if mode == .duplex {
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

    /// Cancels the exchange; its callbacks get `onError` with 12 or 13.
    public func cancelExchange() -> ExchangeCancelCode {
        terminal.exchange?.cancel() ?? .notOpened
    }

    /// In master-slave mode an exchange reports the lost link itself.
    private func didEnd(_ error: BluetoothError?) {
        if mode == .duplex, let error { callbacks?.report(ExchangeError(error, otherwise: .read)) }
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
