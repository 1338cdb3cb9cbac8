import FoundationEssentials

extension Characteristic {
    /// Reads the value; the async twin of `readValue(completion:)`.
    @discardableResult
    public func readValue() async throws(BluetoothError) -> Data {
        try await AsyncBridge.wait { startReading($0) }
    }

    /// Writes the value; the async twin of `writeValue(_:type:completion:)`.
    public func writeValue(
        _ value: Data,
        type: CharacteristicWriteType = .withResponse
    ) async throws(BluetoothError) {
        try await AsyncBridge.wait { startWriting(value, type, $0) }
    }

    /// Writes one byte with a response; the async twin of `writeByte(_:completion:)`.
    public func writeByte(_ byte: UInt8) async throws(BluetoothError) {
        try await writeValue(Data([byte]))
    }

    /// Switches notifications on or off; the async twin of `setNotifyValue(_:completion:)`.
    public func setNotifyValue(_ isOn: Bool) async throws(BluetoothError) {
        try await AsyncBridge.wait { startNotifyingAsWanted(isOn, $0) }
    }

    /// Finds the descriptors; the async twin of `discoverDescriptors(completion:)`.
    @discardableResult
    public func discoverDescriptors() async throws(BluetoothError) -> [Descriptor] {
        try await AsyncBridge.wait { startDiscoveringDescriptors($0) }
    }

    /// Switches notifications on and returns their values, one after another. The sequence ends when notifications are
    /// switched off, and throws when the link ends. With nobody left to take the values - the task was cancelled, the
    /// sequence is gone, or it has overflowed - notifications are switched off, unless `setNotifyValue` asked for them
    /// besides.
    ///
    /// - Parameter limit: how many values are kept for a consumer that is slow. One more, and the sequence ends with
    ///   `BluetoothError.Code.overflow`: nothing is dropped without a word.
    public func notifications(bufferingUpTo limit: Int = 1024) async throws(BluetoothError) -> EventSequence<Data> {
        let buffer = EventSequence<Data>.Buffer(limit: limit)
        try await AsyncBridge.wait { startSubscribing(buffer, $0) }
        buffer.whenEnded { [weak self, identifier = ObjectIdentifier(buffer)] in self?.sequenceDidEnd(identifier) }
        return EventSequence(buffer)
    }
}
