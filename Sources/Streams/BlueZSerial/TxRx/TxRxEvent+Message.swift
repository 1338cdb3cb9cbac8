import CoreBlueZ
import FoundationEssentials

extension TxRxEvent {
    /// A description of the event for users. It is one line, in which everything that a terminal would interpret is
    /// escaped. Data are text, or hexadecimal digits if they are not valid UTF-8.
    @BluetoothActor public var message: String {
        switch self {
        case .scanBegan: "Scanning..."
        case .scanFailed(let error): "The scan failed: \(error)"
        case .scanEnded: "The scan has ended"
        case .found(let device): "Found \(device.title)  \(device.peripheral.address?.description ?? "")"
        case .connectFailed(_, let error): "Connecting failed: \(error)"
        case .connected(let device): "Connected to \(device.title)"
        case .ready(let device, let profile): "\(device.title) is ready: it has the profile \(profile.name)"
        case .disconnected(let device, nil): "Disconnected from \(device.title)"
        case .disconnected(let device, let error?): "Disconnected from \(device.title): \(error)"
        case .sent(let device, let data): "Sent to \(device.title): \(data.title)"
        case .sendFailed(_, let error): "Sending failed: \(error)"
        case .sendTimedOut(_, let error): "Sending timed out: \(error)"
        case .received(let device, let data): "Received from \(device.title): \(data.title)"
        case .receiveFailed(_, let error): "Receiving failed: \(error)"
        case .modeChanged(let device, let mode): "\(device.title) has changed its mode: \(mode)"
        case .modeFailed(_, let error): "Changing the mode failed: \(error)"
        case .event(let device, let data): "\(device.title) notifies of an event: \(data.title)"
        case .eventFailed(_, let error): "Receiving events failed: \(error)"
        case .deviceFailed(let error): "Device error: \(error)"
        case .failed(let error): "Bluetooth error: \(error)"
        }
    }
}

extension TxRxDevice: @BluetoothActor CustomStringConvertible {
    fileprivate var title: String { indexedName.escapedForTerminal() }

    /// The indexed name, the address and the state, such as "MODEM_1 (00:AA:02:00:00:77), ready".
    public var description: String {
        let state = isReady ? "ready" : isConnecting ? "connecting" : "\(peripheral.state)"
        return "\(title)\(peripheral.address.map { " (\($0))" } ?? ""), \(state)"
    }
}

extension TxRxNotification: @BluetoothActor CustomStringConvertible {
    /// The name of the event, the device, the data and the error, as far as there are any. Data are text, or
    /// hexadecimal digits if they are not valid UTF-8.
    @BluetoothActor public var description: String {
        let parts = [device?.title, data?.title, error?.description].compactMap(\.self)
        return parts.isEmpty ? name.rawValue : "\(name.rawValue): \(parts.joined(separator: ", "))"
    }
}

extension Data {
    fileprivate var title: String {
        String(validating: self, as: UTF8.self)?.escapedForTerminal() ?? String(hexadecimal: self)
    }
}
