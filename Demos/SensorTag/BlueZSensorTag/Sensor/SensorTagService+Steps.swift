import CoreBlueZ
import FoundationEssentials

extension SensorTagService {
    /// Switches the sensor on; the async form of `turnOn(completion:)`.
    public func turnOn() async throws(BluetoothError) {
        try await waiting { turnOn(completion: $0) }
    }

    /// Switches the sensor off; the async form of `turnOff(completion:)`.
    public func turnOff() async throws(BluetoothError) {
        try await waiting { turnOff(completion: $0) }
    }

    func setNotifying(_ isOn: Bool, _ done: @escaping @BluetoothActor (BluetoothError?) -> Void) {
        characteristic(Self.dataName, done)?.setNotifyValue(isOn, completion: done)
    }
}

extension Service {
    /// A declared characteristic, or soon an error if the service has none with this name.
    func characteristic(
        _ name: String, _ done: @escaping @BluetoothActor (BluetoothError?) -> Void
    ) -> Characteristic? {
        if let characteristic = self[name] { return characteristic }
        let error = BluetoothError(.notSupported, "\(self.name): there is no characteristic \(name)")
        BluetoothActor.perform { done(error) }
        return nil
    }

    /// Reads a declared characteristic and decodes its value.
    func read<Value>(
        _ characteristic: String,
        _ decode: @escaping @BluetoothActor (Data) throws(SensorTagDataError) -> Value,
        _ completion: @escaping @BluetoothActor (Value?, BluetoothError?) -> Void
    ) {
        guard let source = self.characteristic(characteristic, { completion(nil, $0) }) else { return }
        source.readValue { [name] value, error in
            guard let value else { return completion(nil, error) }
            do throws(SensorTagDataError) {
                completion(try decode(value), nil)
            } catch {
                completion(nil, BluetoothError(error, name))
            }
        }
    }
}
