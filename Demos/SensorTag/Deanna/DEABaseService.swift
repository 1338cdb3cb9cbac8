import CoreBlueZ
import FoundationEssentials

/// The common part of the tag's sensors: a configuration that switches them on, and data that they notify. UUIDs are
/// TI's base address with an offset.
open class DEABaseService: Service {
    /// Whether the sensor is on and sends its values.
    public private(set) var isOn = false

    /// Called when a value was decoded, and when the sensor is switched on or off.
    public var changeHandler: (@BluetoothActor () -> Void)?

    /// Declares a sensor.
    ///
    /// - Parameters:
    ///   - name: its name.
    ///   - offset: the service's offset; data and configuration have the next two.
    public init(name: String, offset: UInt16) {
        super.init(name: name, base: DEASensorTag.base, offset: offset)
        addCharacteristic("data", offset: offset + 1)
        addCharacteristic("config", offset: offset + 2)
    }

    /// Switches the sensor on, and then its notifications.
    public func turnOn(completion: @escaping @BluetoothActor (BluetoothError?) -> Void) {
        characteristic("config").writeByte(1) { [self] error in
            if let error { return completion(error) }
            characteristic("data").setNotifyValue(true) { [self] error in
                set(isOn: error == nil)
                completion(error)
            }
        }
    }

    /// Switches the notifications off, and then the sensor.
    public func turnOff(completion: @escaping @BluetoothActor (BluetoothError?) -> Void) {
        characteristic("data").setNotifyValue(false) { [self] error in
            if let error { return completion(error) }
            characteristic("config").writeByte(0) { [self] error in
                if error == nil { set(isOn: false) }
                completion(error)
            }
        }
    }

    /// Decodes a value of the data characteristic. Override it; errors that it throws are ignored until the next value.
    open func decode(_ data: Data) throws {}

    /// Decodes data with `decode(_:)`.
    override open func notificationHandler(_ characteristic: Characteristic, error: BluetoothError?) {
        guard error == nil, characteristic.name == "data", let value = characteristic.value else { return }
        guard (try? decode(value)) != nil else { return }
        changeHandler?()
    }

    /// The tag switches its sensors off when the link ends.
    override open func didDisconnect() {
        set(isOn: false)
    }

    private func set(isOn: Bool) {
        guard isOn != self.isOn else { return }
        self.isOn = isOn
        changeHandler?()
    }
}
