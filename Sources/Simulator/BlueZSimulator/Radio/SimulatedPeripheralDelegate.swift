/// The behaviour of a simulated peripheral. Every method has a default implementation: reads return the stored value,
/// and writes store their value.
///
/// Permissions are checked before the delegate is called. A read of a characteristic without the read property returns
/// error 0x02, and a write to one that cannot be written returns 0x03.
@SimulatorActor public protocol SimulatedPeripheralDelegate: AnyObject {
    /// A central has connected.
    func peripheralDidConnect(_ peripheral: SimulatedPeripheral)
    /// The link is gone.
    func peripheralDidDisconnect(_ peripheral: SimulatedPeripheral)
    /// A central reads a characteristic. Respond to `request` now or later.
    func peripheral(
        _ peripheral: SimulatedPeripheral,
        read characteristic: SimulatedCharacteristic,
        request: AttributeRequest
    )
    /// A central writes the whole value. Respond to `request` now or later. The delegate is responsible for storing the
    /// value.
    func peripheral(
        _ peripheral: SimulatedPeripheral,
        write value: [UInt8],
        to characteristic: SimulatedCharacteristic,
        request: AttributeRequest
    )
    /// Notifications or indications were turned on. `notify(from:every:)` sends values while they are on.
    func peripheral(_ peripheral: SimulatedPeripheral, didSubscribeTo characteristic: SimulatedCharacteristic)
    /// The central turned off notifications and indications. Not called when the link ends.
    func peripheral(_ peripheral: SimulatedPeripheral, didUnsubscribeFrom characteristic: SimulatedCharacteristic)
}

extension SimulatedPeripheralDelegate {
    /// Does nothing.
    public func peripheralDidConnect(_ peripheral: SimulatedPeripheral) {}
    /// Does nothing.
    public func peripheralDidDisconnect(_ peripheral: SimulatedPeripheral) {}
    /// Responds with the stored value.
    public func peripheral(
        _ peripheral: SimulatedPeripheral,
        read characteristic: SimulatedCharacteristic,
        request: AttributeRequest
    ) {
        request.respond(with: characteristic.value)
    }
    /// Stores the value.
    public func peripheral(
        _ peripheral: SimulatedPeripheral,
        write value: [UInt8],
        to characteristic: SimulatedCharacteristic,
        request: AttributeRequest
    ) {
        characteristic.value = value
        request.respond()
    }
    /// Does nothing.
    public func peripheral(_ peripheral: SimulatedPeripheral, didSubscribeTo characteristic: SimulatedCharacteristic) {}
    /// Does nothing.
    public func peripheral(
        _ peripheral: SimulatedPeripheral, didUnsubscribeFrom characteristic: SimulatedCharacteristic
    ) {
    }
}

/// The behaviour of a peripheral without a delegate.
final class StoringDelegate: SimulatedPeripheralDelegate {}
