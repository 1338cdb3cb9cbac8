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
    /// A request to a device was not possible, its mode or events failed, or bluetoothd did not end its link.
    case deviceError = "TxRxDeviceError"
    /// A device was found.
    case deviceFound = "TxRxDeviceFound"
    /// A device could not be connected.
    case deviceConnectError = "TxRxDeviceConnectError"
    /// The link is up.
    case deviceConnected = "TxRxDeviceConnected"
    /// The profile was recognized.
    case deviceReady = "TxRxDeviceReady"
    /// The link has ended. This follows each `deviceConnected` once.
    case deviceDisconnected = "TxRxDeviceDisconnected"
    /// A command was sent.
    case deviceDataSent = "TxRxDeviceDataSent"
    /// A command could not be sent.
    case deviceDataSendError = "TxRxDeviceDataSendError"
    /// A command was not confirmed in time.
    case deviceDataSendTimeout = "TxRxDeviceDataSendTimeout"
    /// A reply, or unsolicited data, has arrived.
    case deviceDataReceived = "TxRxDeviceDataReceived"
    /// No reply arrived in time.
    case deviceDataReceiveError = "TxRxDeviceDataReceiveError"
    /// Bluetooth itself failed.
    case deviceInternalError = "TxRxDeviceInternalError"
}

/// A listener of a `TxRxCore`, which you need to remove it; see `TxRxCore.addListener(for:_:)`.
@BluetoothActor public final class TxRxListener {
    /// The name of the events that the listener gets.
    public let name: TxRxEventName
    fileprivate let body: @BluetoothActor (TxRxNotification) -> Void

    fileprivate init(_ name: TxRxEventName, _ body: @escaping @BluetoothActor (TxRxNotification) -> Void) {
        self.name = name
        self.body = body
    }
}

/// A notification for a listener of `TxRxCore`.
public struct TxRxNotification: Sendable {
    /// The name of the event that is reported.
    public let name: TxRxEventName
    /// The device that is concerned, or nil.
    public let device: TxRxDevice?
    /// The bytes that were sent or received, or nil.
    public let data: Data?
    /// The data as text; nil if there are no data, or they are not valid UTF-8.
    public var text: String? { data.flatMap { String(validating: $0, as: UTF8.self) } }
    /// The error that the event reports, or nil.
    public let error: BluetoothError?
}

/// `Core` of TxRxLibrary, for programs that use it: its singleton and the names of its calls, based on a `TxRxCentral`.
///
/// The calls return nothing. Events report their results, as in the original. The central's handlers get them too. For
/// new programs, use `TxRxCentral`, whose methods have completions.
@BluetoothActor public final class TxRxCore {
    /// The central that the calls use.
    public let central: TxRxCentral
    private var listeners: [TxRxListener] = []
    private static var shared: TxRxCore?

    /// Creates a separate core. Usually `getCore` is enough.
    public init(_ central: TxRxCentral) {
        self.central = central
        central.addObserver(ObjectIdentifier(self)) { [weak self] in self?.handle($0) }
    }

    isolated deinit { central.removeObserver(ObjectIdentifier(self)) }

    /// Returns the core for the whole program, which uses the system bus.
    public static func getCore() -> TxRxCore {
        if let shared { return shared }
        let core = TxRxCore(TxRxCentral(CentralManager()))
        shared = core
        return core
    }

    /// Calls a closure for each event with a name, from now on. Listeners of one event are called in the order in which
    /// they were added.
    ///
    /// - Returns: the listener, which you need to remove it. Otherwise it listens for as long as the core exists.
    @discardableResult
    public func addListener(
        for name: TxRxEventName, _ listener: @escaping @BluetoothActor (TxRxNotification) -> Void
    ) -> TxRxListener {
        let listener = TxRxListener(name, listener)
        listeners.append(listener)
        return listener
    }

    /// Removes a listener, which then gets no more events. Does nothing if it was already removed.
    public func removeListener(_ listener: TxRxListener) {
        listeners.removeAll { $0 === listener }
    }

    // MARK: TxRxLibrary's calls

    /// Whether a scan is in progress.
    public var isScanning: Bool { central.isScanning }

    /// Begins a scan. `scanBegan`, `scanEnded` and `scanError` report its progress.
    public func startScan() {
        central.startScan { _ in }
    }

    /// Ends the scan. `scanEnded` reports the end, or `scanError` if there is no scan.
    public func stopScan() {
        central.stopScan()
    }

    /// Returns the devices of the last scan, in the order in which they were found.
    public func getScannedDevices() -> [TxRxDevice] { central.devices }

    /// Connects a device of the last scan. `deviceConnected` and `deviceReady`, or `deviceConnectError`, report the
    /// result.
    public func connectDevice(_ device: TxRxDevice) {
        guard check(device) else { return }
        device.connect { _ in }
    }

    /// Sends a command as UTF-8, and adds the terminator of the device's profile. The reply is a notification, which
    /// contains its `data` and its `text`.
    public func sendData(_ device: TxRxDevice, _ text: String) {
        sendData(device, Data(text.utf8))
    }

    /// Sends a command that need not be text, and adds the terminator of the device's profile.
    public func sendData(_ device: TxRxDevice, _ data: Data) {
        guard check(device) else { return }
        device.send(data) { _, _ in }
    }

    /// Disconnects a device. `deviceDisconnected` reports the end of the link.
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

    private func handle(_ event: TxRxEvent) {
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

    /// Creates the name of an event; nil for modes and events of separate characteristics, which the original does not
    /// have.
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
