import CoreBlueZ
import FoundationEssentials

/// The calls of the MPOS Communication API 1.2.4 for payment terminals, for programs that were written for it: a thin
/// layer over `ExchangeTerminal` and `Exchange`, which new programs use.
///
/// `BluetoothManager` has devices. Here, and in `AudioJackManager`, there are none: all calls return -4, as the
/// interface's audio channel does if nothing is plugged in.
///
/// Calls that block in the original are async here, and also have a form with a completion; timeouts are in
/// milliseconds, as in the original. A timeout of an exchange calls only `onTimeout`, never `onError`.
@BluetoothActor public class CommunicationManagerBase {
    init() {}

    // MARK: Class methods

    /// The one manager of a channel.
    ///
    /// - Returns: `BluetoothManager.sharedInstance()`; nil for a channel that does not exist here: `instance(_:)` says
    ///   why.
    public static func sharedInstance(_ channel: DeviceCommunicationChannel) -> CommunicationManagerBase? {
        try? instance(channel)
    }

    /// The one manager of a channel.
    ///
    /// - Throws: `BluetoothError.Code.notSupported` for a channel that does not exist here.
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

    /// The version of this library.
    public static func getLibVersion() -> String { CentralManager.version }

    /// Searches with `BluetoothManager.sharedInstance()`; see
    /// `BluetoothManager.searchDevices(_:detectAudioDevice:detectBluetooth:timeout:)`.
    public static func searchDevices(
        _ listener: any DeviceSearchListener, detectAudioDevice: Bool, detectBluetooth: Bool, timeout: Int
    ) -> ExchangeSearchCode {
        BluetoothManager.sharedInstance().searchDevices(
            listener, detectAudioDevice: detectAudioDevice, detectBluetooth: detectBluetooth, timeout: timeout)
    }

    /// Searches with `BluetoothManager.sharedInstance()`, and passes on the code once the state of Bluetooth is known;
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

    /// Searches with `BluetoothManager.sharedInstance()`, and returns once the state of Bluetooth is known; see
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

    /// Opens a device in master-slave mode; `completion` gets the code.
    public func openDevice(_ identifier: String, completion: @escaping @BluetoothActor (ExchangeOpenCode) -> Void) {
        openDevice(identifier, cb: nil, mode: .masterSlave, completion: completion)
    }

    /// Opens a device. No search is needed first. If a device is open, it is closed first, unless an exchange is in
    /// progress; a closing in progress is awaited.
    ///
    /// - Parameters:
    ///   - identifier: its address.
    ///   - cb: gets the events of exchanges without callbacks of their own, and unsolicited data from the device.
    ///   - mode: the mode of use.
    public func openDevice(
        _ identifier: String, cb: (any CommunicationCallBack)?, mode: DeviceCommunicationMode
    ) async -> ExchangeOpenCode {
        .notSupported
    }

    /// Opens a device; `completion` gets the code.
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

    /// Sends data; the callbacks are those given at opening.
    ///
    /// - Parameters:
    ///   - data: the data of the request.
    ///   - timeout: in milliseconds; in duplex mode there is none.
    public func exchangeData(_ data: Data, timeout: Int) -> ExchangeStartCode { .noDevice }

    /// Sends data.
    ///
    /// - Parameters:
    ///   - data: the data of the request.
    ///   - timeout: in milliseconds; in duplex mode there is none.
    ///   - cb: gets the events of this exchange; in duplex mode, only the end of sending.
    public func exchangeData(_ data: Data, timeout: Int, cb: any CommunicationCallBack) -> ExchangeStartCode {
        .noDevice
    }

    /// Cancels the exchange; its callbacks get `onError` with 12 or 13, or with 9 or 20 if that ended the stream.
    public func cancelExchange() -> ExchangeCancelCode { .noDevice }
}

/// The audio channel of the interface, which does not exist here: opening, exchanging and cancelling return -4, "no
/// device detected", and closing does nothing.
@BluetoothActor public final class AudioJackManager: CommunicationManagerBase {
    private static let shared = AudioJackManager()

    /// The one manager of the audio channel, so that programs that refer to it compile and find no device.
    public static func sharedInstance() -> AudioJackManager { shared }

    /// Does nothing: there is no audio channel.
    public func closeAudioResource() {}
}
