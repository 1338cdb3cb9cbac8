import CoreBlueZ
import FoundationEssentials

extension Service {
    /// Reads a declared characteristic and decodes its value.
    func read<Value>(
        _ characteristic: String,
        _ decode: @escaping @BluetoothActor (Data) throws(SensorTagDataError) -> Value,
        _ completion: @escaping @BluetoothActor (Value?, BluetoothError?) -> Void
    ) {
        guard let source = self[characteristic] else {
            return completion(
                nil, BluetoothError(.notSupported, "\(name): there is no characteristic \(characteristic)"))
        }
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
