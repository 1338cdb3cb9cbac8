import CoreBlueZ
import FoundationEssentials

/// The meaning of a sensor's configuration byte when it is read: AA02, AA12 and so on. (Movement has its own.)
public enum SensorConfiguration: Sendable, Hashable {
    /// 0: the sensor is off.
    case off
    /// The sensor is on, with the byte that was written.
    case on(UInt8)
    /// 0xFF: the sensor failed its self-test or did not respond.
    case failed

    /// Decodes a configuration byte.
    ///
    /// - Throws: `wrongLength` unless there is exactly 1 byte.
    public init(from payload: some Collection<UInt8>) throws(SensorTagDataError) {
        let payload = try Payload(payload, of: .configuration, length: .exactly(1))
        self =
            switch payload.bytes[0] {
            case 0x00: .off
            case 0xFF: .failed
            case let byte: .on(byte)
            }
    }
}

extension SensorTagService {
    /// Writes the configuration. Keys, battery and connection have none: they are on while there is a subscription.
    func configure(_ value: Data, _ done: @escaping @BluetoothActor (BluetoothError?) -> Void) {
        guard let configuration = self[Self.configurationName] else { return done(nil) }
        configuration.writeValue(value, completion: done)
    }

    /// The tag accepts the configuration of a broken sensor, and reports the failure only when it is read: 0xFF.
    func checkSelfTest(_ done: @escaping @BluetoothActor (BluetoothError?) -> Void) {
        guard let configuration = self[Self.configurationName] else { return done(nil) }
        configuration.readValue { [name] value, error in
            guard let value else { return done(error) }
            guard (try? SensorConfiguration(from: value)) == .failed else { return done(nil) }
            done(BluetoothError(.failed, "\(name): the tag reports that the sensor failed its self-test"))
        }
    }
}
