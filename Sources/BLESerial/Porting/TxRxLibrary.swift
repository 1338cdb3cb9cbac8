import CoreBlueZ
import FoundationEssentials

/// The events of TxRxLibrary, with their names.
public enum TxRxEventName: String, CaseIterable, Sendable {
    /// A scan has begun in bluetoothd.
    case scanBegan = "TxRxScanBegan"
    /// A scan failed, or there was none to stop.
    case scanError = "TxRxScanError"
    /// A scan has ended.
    case scanEnded = "TxRxScanEnded"
    /// A request to a device made no sense, its mode or events failed, or bluetoothd did not end its link.
    case deviceError = "TxRxDeviceError"
    /// A device was found.
    case deviceFound = "TxRxDeviceFound"
    /// A device could not be connected.
    case deviceConnectError = "TxRxDeviceConnectError"
    /// The link is up.
    case deviceConnected = "TxRxDeviceConnected"
    /// The profile was recognized.
    case deviceReady = "TxRxDeviceReady"
    /// The link has ended; follows each `deviceConnected` once.
    case deviceDisconnected = "TxRxDeviceDisconnected"
    /// A command was sent.
    case deviceDataSent = "TxRxDeviceDataSent"
    /// A command could not be sent.
    case deviceDataSendError = "TxRxDeviceDataSendError"
    /// A command was not confirmed in time.
    case deviceDataSendTimeout = "TxRxDeviceDataSendTimeout"
    /// A reply, or something unsolicited, has arrived.
    case deviceDataReceived = "TxRxDeviceDataReceived"
    /// No reply came in time.
    case deviceDataReceiveError = "TxRxDeviceDataReceiveError"
    /// Bluetooth itself failed.
    case deviceInternalError = "TxRxDeviceInternalError"
}

/// A listener of a `TxRxCore`, needed to remove it; see `TxRxCore.addListener(for:_:)`.
@BluetoothActor public final class TxRxListener {
    /// The name of its events.
    public let name: TxRxEventName
    fileprivate let body: @BluetoothActor (TxRxNotification) -> Void

    fileprivate init(_ name: TxRxEventName, _ body: @escaping @BluetoothActor (TxRxNotification) -> Void) {
        self.name = name
        self.body = body
    }
}

/// A notification for a listener of `TxRxCore`.
public struct TxRxNotification: Sendable {
    /// The event.
    public let name: TxRxEventName
    /// The device concerned, if there is one.
    public let device: TxRxDevice?
    /// The bytes that were sent or received.
    public let data: Data?
    /// The data as text; nil if they are not valid UTF-8, or if there are none.
    public var text: String? { data.flatMap { String(validating: $0, as: UTF8.self) } }
    /// The error, if there is one.
    public let error: BluetoothError?
}

/// `Core` of TxRxLibrary for programs that use it: its singleton and the names of its calls, on a `TxRxCentral`.
///
/// The calls return nothing; events report their results, as in the original. The central's handlers receive them too.
/// New programs use `TxRxCentral`, whose calls have completions.
@BluetoothActor public final class TxRxCore {
    /// The central that does the work.
    public let central: TxRxCentral
    private var listeners: [TxRxListener] = []
    private static var shared: TxRxCore?

    /// Makes a separate core; usually `getCore` is enough.
    public init(_ central: TxRxCentral) {
        self.central = central
        central.addObserver(ObjectIdentifier(self)) { [weak self] in self?.take($0) }
    }

    isolated deinit { central.removeObserver(ObjectIdentifier(self)) }

    /// The core for the whole program, on the system's Bluetooth.
    public static func getCore() -> TxRxCore {
        if let shared { return shared }
        let core = TxRxCore(TxRxCentral(CentralManager()))
        shared = core
        return core
    }

    /// Calls a closure for each event with a name, from now on. Listeners of one event are called in the order in which
    /// they were added.
    ///
    /// - Returns: the listener, needed to remove it; otherwise it listens as long as the core exists.
    @discardableResult
    public func addListener(
        for name: TxRxEventName, _ listener: @escaping @BluetoothActor (TxRxNotification) -> Void
    ) -> TxRxListener {
        let listener = TxRxListener(name, listener)
        listeners.append(listener)
        return listener
    }

    /// Removes a listener, which gets no more events. Does nothing if it was removed before.
    public func removeListener(_ listener: TxRxListener) {
        listeners.removeAll { $0 === listener }
    }

    // MARK: TxRxLibrary's calls

    /// Whether a scan is in progress.
    public var isScanning: Bool { central.isScanning }

    /// Begins a scan.
    public func startScan() {
        central.startScan { _ in }
    }

    /// Ends the scan.
    public func stopScan() {
        central.stopScan()
    }

    /// The devices of the last scan.
    public func getScannedDevices() -> [TxRxDevice] { central.devices }

    /// Connects a device of the last scan.
    public func connectDevice(_ device: TxRxDevice) {
        guard check(device) else { return }
        device.connect { _ in }
    }

    /// Sends a command as UTF-8; the terminator of the device's profile is added. The reply is a notification, with its
    /// `data` and its `text`.
    public func sendData(_ device: TxRxDevice, _ text: String) {
        sendData(device, Data(text.utf8))
    }

    /// Sends a command that need not be text; the terminator of the device's profile is added.
    public func sendData(_ device: TxRxDevice, _ data: Data) {
        guard check(device) else { return }
        device.send(data) { _, _ in }
    }

    /// Disconnects a device.
    public func disconnectDevice(_ device: TxRxDevice) {
        guard check(device) else { return }
        device.disconnect { _ in }
    }

    private func check(_ device: TxRxDevice) -> Bool {
        let isKnown = central.devices.contains { $0 === device } || device.isInUse
        if !isKnown {
            central.report(.deviceFailed(BluetoothError(.deviceUnknown, "No scan has found \(device.name)")))
        }
        return isKnown
    }

    // MARK: Events

    private func take(_ event: TxRxEvent) {
        guard let notification = TxRxNotification(event) else { return }
        // A listener may remove others.
        for listener in listeners where listener.name == notification.name {
            if listeners.contains(where: { $0 === listener }) { listener.body(notification) }
        }
    }
}

extension TxRxNotification {
    private init(
        name: TxRxEventName, _ device: TxRxDevice? = nil, _ data: Data? = nil, error: BluetoothError? = nil
    ) {
        self.name = name
        self.device = device
        self.data = data
        self.error = error
    }

    /// The name of the event; nil for modes and events of separate characteristics, which the original doesn't have.
    init?(_ event: TxRxEvent) {
        switch event {
        case .scanBegan: self.init(name: .scanBegan)
        case .scanFailed(let error): self.init(name: .scanError, error: error)
        case .scanEnded: self.init(name: .scanEnded)
        case .found(let device): self.init(name: .deviceFound, device)
        case .connectFailed(let device, let error): self.init(name: .deviceConnectError, device, error: error)
        case .connected(let device): self.init(name: .deviceConnected, device)
        case .ready(let device, _): self.init(name: .deviceReady, device)
        case .disconnected(let device, let error): self.init(name: .deviceDisconnected, device, error: error)
        case .sent(let device, let data): self.init(name: .deviceDataSent, device, data)
        case .sendFailed(let device, let error): self.init(name: .deviceDataSendError, device, error: error)
        case .sendTimedOut(let device, let error): self.init(name: .deviceDataSendTimeout, device, error: error)
        case .received(let device, let data): self.init(name: .deviceDataReceived, device, data)
        case .receiveFailed(let device, let error): self.init(name: .deviceDataReceiveError, device, error: error)
        case .deviceFailed(let error): self.init(name: .deviceError, error: error)
        case .failed(let error): self.init(name: .deviceInternalError, error: error)
        case .modeFailed(let device, let error), .eventFailed(let device, let error):
            self.init(name: .deviceError, device, error: error)
        case .modeChanged, .event: return nil
        }
    }
}
