// A device that has to be set up after each connection, also after one that came back by itself.
import BlueZScript
import CoreBlueZ

/// A SensorTag's barometer is off when the tag was switched on, or was out of range for a while.
final class Barometer: Peripheral {
    /// Called when the barometer can't be switched on.
    var failureHandler: (@BluetoothActor (BluetoothError) -> Void)?
    private let base = BluetoothUUID(high: 0xF000_0000_0451_4000, low: 0xB000_0000_0000_0000)

    /// The link is back, and so are subscriptions. What was written to the device may be lost.
    override func didReconnect(_ error: BluetoothError?) {
        super.didReconnect(error)
        if let error { failureHandler?(error) }
        setUp()
    }

    func setUp() {
        discoverServices { [self] _, error in
            if let error {
                failureHandler?(error)
                return
            }
            service(base.replacingShort(with: 0xAA40)).characteristic(base.replacingShort(with: 0xAA42))
                .writeByte(1) { [self] error in
                    if let error { failureHandler?(error) }
                }
        }
    }
}

BluetoothScript.runUntilEnd { script in
    script.central.peripheralBuilder = { Barometer($0) }
    script.central.firstPeripheral(as: Barometer.self) { device, _ in
        device.name == "SensorTag" || device.name == "TI BLE Sensor Tag"
    } completion: { tag, error in
        guard let tag else { return script.end(error) }
        tag.failureHandler = { error in print(error) }
        // Without a subclass, set `reconnectHandler`.
        tag.keepConnected()
    }
}
