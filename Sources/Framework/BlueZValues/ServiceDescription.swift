/// A service of a device with all that it contains, as a value: what a discovery finds, a recording has, and a gateway
/// sends.
package struct ServiceDescription: Hashable, Sendable {
    /// The declaration's handle.
    package var handle: UInt16
    /// The last handle, if it is known.
    package var end: UInt16?
    package var uuid: BluetoothUUID
    package var isPrimary: Bool
    package var includes: [IncludedService]
    /// The characteristics, ordered by handle.
    package var characteristics: [CharacteristicDescription]

    package init(
        handle: UInt16, end: UInt16? = nil, uuid: BluetoothUUID, isPrimary: Bool = true,
        includes: [IncludedService] = [], characteristics: [CharacteristicDescription] = []
    ) {
        self.handle = handle
        self.end = end
        self.uuid = uuid
        self.isPrimary = isPrimary
        self.includes = includes
        self.characteristics = characteristics
    }

    /// How many attributes it describes, without those of values.
    package var attributeCount: Int {
        characteristics.reduce(1 + includes.count) { $0 + 1 + $1.descriptors.count }
    }
}

/// A service that another one includes.
package struct IncludedService: Hashable, Sendable {
    package var handle: UInt16
    /// The last handle, if it is known.
    package var end: UInt16?
    /// The UUID, if it is known.
    package var uuid: BluetoothUUID?

    package init(handle: UInt16, end: UInt16? = nil, uuid: BluetoothUUID? = nil) {
        self.handle = handle
        self.end = end
        self.uuid = uuid
    }
}

/// A characteristic of a device.
package struct CharacteristicDescription: Hashable, Sendable {
    /// The declaration's handle.
    package var handle: UInt16
    /// The handle of the value: usually the next.
    package var valueHandle: UInt16
    package var uuid: BluetoothUUID
    package var properties: CharacteristicProperties
    /// The link's ATT MTU in bytes, where bluetoothd reports it.
    package var mtu: Int?
    /// The descriptors, ordered by handle.
    package var descriptors: [DescriptorDescription]

    /// Creates a characteristic.
    ///
    /// - Parameter valueHandle: that of the value, if it isn't the next.
    package init(
        handle: UInt16, valueHandle: UInt16? = nil, uuid: BluetoothUUID, properties: CharacteristicProperties,
        mtu: Int? = nil, descriptors: [DescriptorDescription] = []
    ) {
        self.handle = handle
        self.valueHandle = valueHandle ?? handle &+ 1
        self.uuid = uuid
        self.properties = properties
        self.mtu = mtu
        self.descriptors = descriptors
    }
}

/// A descriptor of a device.
package struct DescriptorDescription: Hashable, Sendable {
    package var handle: UInt16
    package var uuid: BluetoothUUID

    package init(handle: UInt16, uuid: BluetoothUUID) {
        self.handle = handle
        self.uuid = uuid
    }
}
