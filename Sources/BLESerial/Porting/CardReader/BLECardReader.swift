import CoreBlueZ
import FoundationEssentials

/// The callbacks of the library for the framed card reader. All methods are optional.
@BluetoothActor public protocol BLECardReaderDelegate: AnyObject {
    /// The peripheral could not be connected to, or does not have the service.
    func didNotifyFailConnectService(_ peripheral: Peripheral, error: BluetoothError)
    /// The service does not have the characteristics, or the peripheral refuses the subscription.
    func didNotifyFailConnectChar(_ peripheral: Peripheral, error: BluetoothError)
    /// The characteristic that answers come from was found.
    func didFoundReadChar(_ characteristic: Characteristic)
    /// The characteristic that commands are written to was found.
    func didFoundWriteChar(_ characteristic: Characteristic)
    /// A characteristic of the service was found.
    func didFoundCharacteristic(_ characteristic: Characteristic, withPeripheral peripheral: Peripheral)
    /// Bytes arrived that are not a frame, a command could not be written, or the link was lost.
    func didNotifyReadError(_ error: any Error)
    /// A frame arrived: whole, checked, one for each call.
    func didNotifyReadData(_ data: Data)
}

extension BLECardReaderDelegate {
    /// Does nothing.
    public func didNotifyFailConnectService(_ peripheral: Peripheral, error: BluetoothError) {}
    /// Does nothing.
    public func didNotifyFailConnectChar(_ peripheral: Peripheral, error: BluetoothError) {}
    /// Does nothing.
    public func didFoundReadChar(_ characteristic: Characteristic) {}
    /// Does nothing.
    public func didFoundWriteChar(_ characteristic: Characteristic) {}
    /// Does nothing.
    public func didFoundCharacteristic(_ characteristic: Characteristic, withPeripheral peripheral: Peripheral) {}
    /// Does nothing.
    public func didNotifyReadError(_ error: any Error) {}
    /// Does nothing.
    public func didNotifyReadData(_ data: Data) {}
}

/// The framed card reader with the callbacks of its library, for programs that were written for it: a thin layer over
/// `SerialService` and `FramedStream`. New programs use `CardReader`.
@BluetoothActor public final class BLECardReader {
    /// Receives the callbacks.
    public weak var delegate: (any BLECardReaderDelegate)?
    /// The library's watchdog: how long connecting may take.
    public var connectTimeout = Duration.seconds(5)

    private let framing: CardReaderFraming
    private let profile: SerialProfile
    private var framed: FramedStream<CardReaderFrame>?

    /// A card reader that is not connected yet.
    public init(_ framing: CardReaderFraming = CardReaderFraming(), profile: SerialProfile = .issc) {
        self.framing = framing
        self.profile = profile
    }

    /// Connects, finds the service and its characteristics, and subscribes. The delegate is notified of each step.
    public func connect(_ peripheral: Peripheral) {
        peripheral.connect(options: ConnectOptions(timeout: connectTimeout, retries: 1)) { [weak self] error in
            guard let self else { return }
            if let error { return delegate?.didNotifyFailConnectService(peripheral, error: error) ?? () }
            discover(peripheral)
        }
    }

    private func discover(_ peripheral: Peripheral) {
        peripheral.discoverSerialService([profile]) { [weak self] service, error in
            guard let self else { return }
            guard let service else {
                let error =
                    error ?? BluetoothError(.discoveryFailed, "The service was not found; is it the right device?")
                let hasService = peripheral[profile.service]?.isDiscovered == true
                return hasService
                    ? delegate?.didNotifyFailConnectChar(peripheral, error: error) ?? ()
                    : delegate?.didNotifyFailConnectService(peripheral, error: error) ?? ()
            }
            for characteristic in service.characteristics where characteristic.isDiscovered {
                delegate?.didFoundCharacteristic(characteristic, withPeripheral: peripheral)
                if characteristic.uuid == profile.notify { delegate?.didFoundReadChar(characteristic) }
                if characteristic.uuid == profile.write { delegate?.didFoundWriteChar(characteristic) }
            }
            open(service, peripheral)
        }
    }

    private func open(_ service: SerialService, _ peripheral: Peripheral) {
        service.open { [weak self] error in
            guard let self else { return }
            if let error { return delegate?.didNotifyFailConnectChar(peripheral, error: error) ?? () }
            let framed = FramedStream(service, framing: framing)
            framed.receiveHandler = { [weak self] event in self?.receive(event) }
            framed.endHandler = { [weak self] error in
                if let error { self?.delegate?.didNotifyReadError(error) }
            }
            self.framed = framed
        }
    }

    private func receive(_ event: FramedStream<CardReaderFrame>.Event) {
        switch event {
        case .success(let frame):
            if let data = try? framing.encode(frame) { delegate?.didNotifyReadData(data) }
        case .failure(let error): delegate?.didNotifyReadError(error)
        }
    }

    /// Writes a command in one frame, with response. Leftovers of an earlier answer are discarded.
    public func write(command: UInt8, subcommand: UInt8, data: Data = Data()) {
        guard let framed else {
            let error = BluetoothError(.notConnected, "The card reader is not connected: connect first")
            return delegate?.didNotifyReadError(error) ?? ()
        }
        framed.clear()
        framed.send(CardReaderFrame(command: command, subcommand: subcommand, data: data)) { [weak self] error in
            if let error { self?.delegate?.didNotifyReadError(error) }
        }
    }

    /// Ends the notifications; the link stays.
    public func close() {
        framed?.close()
        framed = nil
    }
}
