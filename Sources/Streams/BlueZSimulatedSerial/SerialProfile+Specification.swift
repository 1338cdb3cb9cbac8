import BlueZSimulator

@_exported public import struct BlueZSerial.SerialProfile

extension SerialProfile {
    /// Returns the service for a simulated peripheral's specification, without the `notifyService` if there is one.
    ///
    /// - Parameters:
    ///   - writing: how the device accepts writes.
    ///   - notifying: how the device notifies.
    public func specification(
        writing: CharacteristicProperties = [.write, .writeWithoutResponse],
        notifying: CharacteristicProperties = [.notify]
    ) -> ServiceSpecification {
        var characteristics: [CharacteristicSpecification] = []
        if notifyService != nil {
            characteristics.append(CharacteristicSpecification(write, writing))
        } else if write == notify {
            characteristics.append(CharacteristicSpecification(write, writing.union(notifying)))
        } else {
            characteristics.append(CharacteristicSpecification(write, writing))
            characteristics.append(CharacteristicSpecification(notify, notifying))
        }
        if let mode { characteristics.append(CharacteristicSpecification(mode, [.read, .write, .notify], value: [1])) }
        if let events { characteristics.append(CharacteristicSpecification(events, [.notify])) }
        return ServiceSpecification(service, characteristics: characteristics)
    }

    /// Returns the services for a simulated peripheral's specification: one or, with a `notifyService`, two.
    ///
    /// - Parameters:
    ///   - writing: how the device accepts writes.
    ///   - notifying: how the device notifies.
    public func specifications(
        writing: CharacteristicProperties = [.write, .writeWithoutResponse],
        notifying: CharacteristicProperties = [.notify]
    ) -> [ServiceSpecification] {
        let other = notifyService.map {
            ServiceSpecification($0, characteristics: [CharacteristicSpecification(notify, notifying)])
        }
        return [specification(writing: writing, notifying: notifying)] + (other.map { [$0] } ?? [])
    }
}
