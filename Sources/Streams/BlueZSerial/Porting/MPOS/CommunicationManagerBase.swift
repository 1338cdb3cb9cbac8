import CoreBlueZ
import FoundationEssentials

/// The calls of the MPOS Communication API 1.2.4 for payment terminals, for programs that were written for it. It is a
/// thin layer over `ExchangeTerminal` and `Exchange`, which new programs use.
///
/// `BluetoothManager` finds devices. This class and `AudioJackManager` have none: all calls return -4, as the
/// interface's audio channel does if nothing is plugged in.
///
/// Calls that block in the original are async here, and also have a form with a completion. Timeouts are in
/// milliseconds: the manual does not say in which unit they are. The timeout of an exchange calls only `onTimeout`, never `onError`.
@BluetoothActor public class CommunicationManagerBase {
    init() {}

    // MARK: Class methods

    /// Returns the only manager of a channel.
    ///
    /// - Returns: `BluetoothManager.sharedInstance()`, or nil for a channel that is not supported. The error of
    ///   `instance(_:)` says why.
    public static func sharedInstance(_ channel: DeviceCommunicationChannel) -> CommunicationManagerBase? {
        try? instance(channel)
    }

    /// Returns the only manager of a channel.
    ///
    /// - Throws: `BluetoothError.Code.notSupported` for a channel that is not supported.
    public static func instance(
        _ channel: DeviceCommunicationChannel
    ) throws(BluetoothError) -> CommunicationManagerBase {
        guard channel == .bluetooth else {
            throw BluetoothError(
                .notSupported,
                "There is no audio channel: its modem is not documented, and few Linux machines have the jack. Use "
                    + "the Bluetooth channel")
        }
        return BluetoothManager.sharedInstance()
    }

    /// Returns the version of this library; see `CentralManager.version`.
    public static func getLibVersion() -> String { CentralManager.version }

    /// Searches with `BluetoothManager.sharedInstance()`; see
    /// `BluetoothManager.searchDevices(_:detectAudioDevice:detectBluetooth:timeout:)`.
    public static func searchDevices(
        _ listener: any DeviceSearchListener, detectAudioDevice: Bool, detectBluetooth: Bool, timeout: Int
    ) -> ExchangeSearchCode {
        BluetoothManager.sharedInstance().searchDevices(
            listener, detectAudioDevice: detectAudioDevice, detectBluetooth: detectBluetooth, timeout: timeout)
    }

    /// Searches with `BluetoothManager.sharedInstance()`, and passes on the code when the state of Bluetooth is known;
    /// see `BluetoothManager.searchDevices(_:detectAudioDevice:detectBluetooth:timeout:completion:)`.
    public static func searchDevices(
        _ listener: any DeviceSearchListener,
        detectAudioDevice: Bool,
        detectBluetooth: Bool,
        timeout: Int,
        completion: @escaping @BluetoothActor (ExchangeSearchCode) -> Void
    ) {
        BluetoothManager.sharedInstance().searchDevices(
            listener, detectAudioDevice: detectAudioDevice, detectBluetooth: detectBluetooth, timeout: timeout,
            completion: completion)
    }

    /// Searches with `BluetoothManager.sharedInstance()`, and returns when the state of Bluetooth is known; see
    /// `BluetoothManager.searchDevices(_:detectAudioDevice:detectBluetooth:timeout:completion:)`.
    public static func searchDevices(
        _ listener: any DeviceSearchListener, detectAudioDevice: Bool, detectBluetooth: Bool, timeout: Int
    ) async -> ExchangeSearchCode {
        await BluetoothManager.sharedInstance().searchDevices(
            listener, detectAudioDevice: detectAudioDevice, detectBluetooth: detectBluetooth, timeout: timeout)
    }

    // MARK: Opening and closing

    /// Opens a device in master-slave mode. No search is needed first.
    public func openDevice(_ identifier: String) async -> ExchangeOpenCode {
        await openDevice(identifier, cb: nil, mode: .masterSlave)
    }

    /// Opens a device in master-slave mode, and passes the code to `completion`.
    public func openDevice(_ identifier: String, completion: @escaping @BluetoothActor (ExchangeOpenCode) -> Void) {
        openDevice(identifier, cb: nil, mode: .masterSlave, completion: completion)
    }

    /// Opens a device. No search is needed first. An open device is closed first, unless an exchange is in progress. If
    /// a device is being closed, opening waits for that.
    ///
    /// - Parameters:
    ///   - identifier: the address of the device.
    ///   - cb: gets the events of exchanges that have no callbacks of their own, and unsolicited data from the device.
    ///   - mode: the order in which the two sides may send.
    public func openDevice(
        _ identifier: String, cb: (any CommunicationCallBack)?, mode: DeviceCommunicationMode
    ) async -> ExchangeOpenCode {
        .notSupported
    }

    /// Opens a device, and passes the code to `completion`.
    public func openDevice(
        _ identifier: String,
        cb: (any CommunicationCallBack)?,
        mode: DeviceCommunicationMode,
        completion: @escaping @BluetoothActor (ExchangeOpenCode) -> Void
    ) {
        Task { completion(await openDevice(identifier, cb: cb, mode: mode)) }
    }

    /// Switches the device off, if `BluetoothManager.terminal` has a message for that, and disconnects.
    public func closeDevice() {}

    /// Disconnects and leaves the device on.
    public func closeResource() {}

    /// Whether a device is open.
    public var isConnected: Bool { false }

    // MARK: Exchanging

    /// Sends data, with the callbacks that were passed to `openDevice`.
    ///
    /// - Parameters:
    ///   - data: the data of the request.
    ///   - timeout: the timeout in milliseconds, which duplex mode does not have.
    public func exchangeData(_ data: Data, timeout: Int) -> ExchangeStartCode { .noDevice }

    /// Sends data.
    ///
    /// - Parameters:
    ///   - data: the data of the request.
    ///   - timeout: the timeout in milliseconds, which duplex mode does not have.
    ///   - cb: gets the events of this exchange, which in duplex mode is only the end of sending.
    public func exchangeData(_ data: Data, timeout: Int, cb: any CommunicationCallBack) -> ExchangeStartCode {
        .noDevice
    }

    /// Cancels the exchange. Its callbacks get `onError` with 12 or 13, or with 9 or 20 if that ended the stream.
    public func cancelExchange() -> ExchangeCancelCode { .noDevice }
}

/// The audio channel of the interface, which is not supported. Opening, exchanging and cancelling return -4, "no device
/// detected", and closing does nothing.
@BluetoothActor public final class AudioJackManager: CommunicationManagerBase {
    private static let shared = AudioJackManager()

    /// Returns the only manager of the audio channel, so that programs that use it compile, and find no device.
    public static func sharedInstance() -> AudioJackManager { shared }

    /// Does nothing, because there is no audio channel.
    public func closeAudioResource() {}
}
