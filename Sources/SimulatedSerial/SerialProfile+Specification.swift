import BlueZSimulator

@_exported public import struct BLESerial.SerialProfile

extension SerialProfile {
    /// Returns the service for a simulated peripheral's specification.
    ///
    /// - Parameters:
    ///   - writing: how the device accepts writes.
    ///   - notifying: how the device notifies.
    public func specification(
        writing: CharacteristicProperties = [.write, .writeWithoutResponse],
        notifying: CharacteristicProperties = [.notify]
    ) -> ServiceSpecification {
        var characteristics: [CharacteristicSpecification] = []
        if write == notify {
            characteristics.append(CharacteristicSpecification(write, writing.union(notifying)))
        } else {
            characteristics.append(CharacteristicSpecification(write, writing))
            characteristics.append(CharacteristicSpecification(notify, notifying))
        }
        if let mode { characteristics.append(CharacteristicSpecification(mode, [.read, .write, .notify], value: [1])) }
        if let events { characteristics.append(CharacteristicSpecification(events, [.notify])) }
        return ServiceSpecification(service, characteristics: characteristics)
    }
}
