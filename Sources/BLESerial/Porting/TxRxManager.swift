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

/// `TxRxManager` of TxRxLibrary for programs that use it: devices by name, and timeouts in milliseconds.
@BluetoothActor public final class TxRxManager {
    private let central: TxRxCentral

    /// Makes the manager of a core.
    public init(_ core: TxRxCore) {
        central = core.central
    }

    // MARK: Devices

    /// The device with a name and index, such as "Tag_0"; case does not matter.
    public func deviceWithIndexedName(_ name: String) -> TxRxDevice? {
        central.device(withIndexedName: name)
    }

    /// The name and index of a device.
    public func getDeviceIndexedName(_ device: TxRxDevice) -> String { device.indexedName }

    /// The first device with a name; case does not matter.
    public func deviceFromDeviceName(_ name: String) -> TxRxDevice? {
        central.device(named: name)
    }

    /// The name of a device, or "Unnamed device".
    public func getDeviceName(_ device: TxRxDevice) -> String { device.name }

    // MARK: Timeouts

    /// Sets all timeouts to their defaults.
    public func setTimeoutDefaults() {
        central.timeouts = TxRxTimeouts()
    }

    /// A timeout in milliseconds.
    public func getTimeoutValue(_ key: TxRxTimeoutKey) -> Int {
        Int(central.timeouts[keyPath: key.path] / .milliseconds(1))
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
