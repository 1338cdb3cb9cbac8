import CoreBlueZ

/// The timeouts of TxRxLibrary.
public enum TxRxTimeoutKey: String, CaseIterable, Sendable {
    /// Until a device is ready.
    case connect
    /// Until the first fragment of a reply.
    case receiveFirstPacket
    /// Until the next fragment of a reply.
    case receivePackets
    /// Until a fragment of a command is confirmed.
    case sendPackets
}

/// `TxRxManager` of TxRxLibrary, for programs that use it: looks up devices by name, and sets timeouts in milliseconds.
@BluetoothActor public final class TxRxManager {
    private let central: TxRxCentral

    /// Creates the manager of a core.
    public init(_ core: TxRxCore) {
        central = core.central
    }

    // MARK: Devices

    /// Returns the device with a name and index, such as "Tag_0", ignoring case.
    public func deviceWithIndexedName(_ name: String) -> TxRxDevice? {
        central.device(withIndexedName: name)
    }

    /// Returns the name and the index of a device, such as "Tag_0".
    public func getDeviceIndexedName(_ device: TxRxDevice) -> String { device.indexedName }

    /// Returns the first device with a name, ignoring case.
    public func deviceFromDeviceName(_ name: String) -> TxRxDevice? {
        central.device(named: name)
    }

    /// Returns the name of a device, or "Unnamed device".
    public func getDeviceName(_ device: TxRxDevice) -> String { device.name }

    // MARK: Timeouts

    /// Sets all timeouts to their defaults.
    public func setTimeoutDefaults() {
        central.timeouts = TxRxTimeouts()
    }

    /// Returns a timeout in milliseconds.
    public func getTimeoutValue(_ key: TxRxTimeoutKey) -> Int {
        let milliseconds = central.timeouts[keyPath: key.path] / .milliseconds(1)
        return milliseconds < Double(Int.max) ? Int(milliseconds) : .max
    }

    /// Sets a timeout in milliseconds, from the next command or connection on. Values below 0 count as 0.
    public func setTimeoutValue(_ key: TxRxTimeoutKey, _ milliseconds: Int) {
        central.timeouts[keyPath: key.path] = .milliseconds(max(0, milliseconds))
    }
}

extension TxRxTimeoutKey {
    fileprivate var path: WritableKeyPath<TxRxTimeouts, Duration> {
        switch self {
        case .connect: \.connect
        case .receiveFirstPacket: \.firstFragment
        case .receivePackets: \.nextFragment
        case .sendPackets: \.write
        }
    }
}
