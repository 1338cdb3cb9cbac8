import CoreBlueZ
import FoundationEssentials

extension SensorTagService {
    /// Switches the sensor on; the async twin of `turnOn(completion:)`.
    public func turnOn() async throws(BluetoothError) {
        try await waiting { turnOn(completion: $0) }
    }

    /// Switches the sensor off; the async twin of `turnOff(completion:)`.
    public func turnOff() async throws(BluetoothError) {
        try await waiting { turnOff(completion: $0) }
    }

    /// A declared characteristic, or the error that says that the service has none of this name.
    func characteristic(_ name: String, _ done: @BluetoothActor (BluetoothError?) -> Void) -> Characteristic? {
        if let characteristic = self[name] { return characteristic }
        done(BluetoothError(.notSupported, "\(self.name): there is no characteristic \(name)"))
        return nil
    }

    func setNotifying(_ isOn: Bool, _ done: @escaping @BluetoothActor (BluetoothError?) -> Void) {
        characteristic(Self.dataName, done)?.setNotifyValue(isOn, completion: done)
    }

    /// Writes the configuration. Keys, battery and connection have none: they are on while there is a subscription.
    func configure(_ value: Data, _ done: @escaping @BluetoothActor (BluetoothError?) -> Void) {
        guard let configuration = self[Self.configurationName] else { return done(nil) }
        configuration.writeValue(value, completion: done)
    }

    /// The tag accepts the configuration of a sensor that does not work, and says so only when it is read: 0xFF.
    func checkSelfTest(_ done: @escaping @BluetoothActor (BluetoothError?) -> Void) {
        guard let configuration = self[Self.configurationName] else { return done(nil) }
        configuration.readValue { [name] value, error in
            guard let value else { return done(error) }
            guard value.count == 1, value.first == 0xFF else { return done(nil) }
            done(BluetoothError(.failed, "\(name): the tag says that the sensor failed its self-test"))
        }
    }
}
