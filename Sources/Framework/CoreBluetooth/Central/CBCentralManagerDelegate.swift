/// Gets the events of a central manager, on the manager's queue. All methods but the first have defaults, which do
/// nothing.
///
/// Implement a method in the class that conforms, not in its subclass: Swift calls the default there. A misspelled
/// method is never called either.
public protocol CBCentralManagerDelegate: NSObjectProtocol {
    /// Called when the manager's state has changed, and first of all when it is known.
    func centralManagerDidUpdateState(_ central: CBCentralManager)

    /// Would be called with restored state. It never is on Linux.
    func centralManager(_ central: CBCentralManager, willRestoreState dict: [String: Any])

    /// Called when a scan has found a peripheral.
    ///
    /// - Parameters:
    ///   - central: the manager.
    ///   - peripheral: the peripheral. Keep a reference to it if you want to connect it.
    ///   - advertisementData: what it has advertised, by key, such as `CBAdvertisementDataLocalNameKey`.
    ///   - RSSI: the signal strength in dBm; 127 if it is not known.
    func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
        rssi RSSI: NSNumber)

    /// Called when a peripheral is connected.
    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral)

    /// Called when a peripheral cannot be connected, for a reason that further attempts cannot change.
    func centralManager(_ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: (any Error)?)

    /// Called when a link has ended, or an attempt was cancelled.
    ///
    /// - Parameters:
    ///   - central: the manager.
    ///   - peripheral: the peripheral. Its services are gone.
    ///   - error: nil after `cancelPeripheralConnection(_:)`, otherwise the reason, such as
    ///     `CBError.peripheralDisconnected`. It is `connectionTimeout` if the peripheral no longer answers, but only from
    ///     BlueZ 5.83 on: before, bluetoothd reports no reasons.
    func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: (any Error)?)

    /// Called when a link has ended, instead of `centralManager(_:didDisconnectPeripheral:error:)`, which the default
    /// calls.
    ///
    /// - Parameters:
    ///   - central: the manager.
    ///   - peripheral: the peripheral. Its services are gone.
    ///   - timestamp: the time of the event.
    ///   - isReconnecting: whether the manager connects it again, as `CBConnectPeripheralOptionEnableAutoReconnect` asks.
    ///   - error: as in `centralManager(_:didDisconnectPeripheral:error:)`.
    func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, timestamp: CFAbsoluteTime,
        isReconnecting: Bool, error: (any Error)?)

    /// Would be called for connections of other programs. It never is on Linux.
    func centralManager(
        _ central: CBCentralManager, connectionEventDidOccur event: CBConnectionEvent, for peripheral: CBPeripheral)

    /// Would be called when a device may get notifications of Apple's systems. It never is on Linux.
    func centralManager(_ central: CBCentralManager, didUpdateANCSAuthorizationFor peripheral: CBPeripheral)
}

extension CBCentralManagerDelegate {
    /// Does nothing.
    public func centralManager(_ central: CBCentralManager, willRestoreState dict: [String: Any]) {}

    /// Does nothing.
    public func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) {}

    /// Does nothing.
    public func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {}

    /// Does nothing.
    public func centralManager(
        _ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: (any Error)?
    ) {}

    /// Does nothing.
    public func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: (any Error)?
    ) {}

    /// Calls `centralManager(_:didDisconnectPeripheral:error:)`.
    public func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, timestamp: CFAbsoluteTime,
        isReconnecting: Bool, error: (any Error)?
    ) {
        centralManager(central, didDisconnectPeripheral: peripheral, error: error)
    }

    /// Does nothing.
    public func centralManager(
        _ central: CBCentralManager, connectionEventDidOccur event: CBConnectionEvent, for peripheral: CBPeripheral
    ) {}

    /// Does nothing.
    public func centralManager(_ central: CBCentralManager, didUpdateANCSAuthorizationFor peripheral: CBPeripheral) {}
}
