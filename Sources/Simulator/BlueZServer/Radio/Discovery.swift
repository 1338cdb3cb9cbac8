import BlueZValues

/// The result of discovering services.
package struct Discovery: Hashable, Sendable {
    /// The services, ordered by handle.
    package var services: [ServiceDescription]
    /// The device's services, whether they are among `services` or not.
    package var uuids: [BluetoothUUID]
    /// Whether `ServicesResolved` precedes the objects, which happens only in tests.
    package var isReportedEarly = false

    package init(services: [ServiceDescription], uuids: [BluetoothUUID]? = nil) {
        self.services = services
        self.uuids = uuids ?? services.map(\.uuid)
    }
}

/// A service of a device.
package struct ServiceDescription: Hashable, Sendable {
    /// The declaration's handle.
    package var handle: UInt16
    package var uuid: BluetoothUUID
    package var isPrimary: Bool
    /// The handles of the services that it includes.
    package var includes: [UInt16]
    /// The characteristics, ordered by handle.
    package var characteristics: [CharacteristicDescription]

    /// The maximum number of bytes of the service's objects in a list of objects. Each may have a value of 512 bytes.
    var size: Int {
        characteristics.reduce(512 + 64 * includes.count) { sum, characteristic in
            sum + 1024 + 32 * characteristic.flags.count + 1024 * characteristic.descriptors.count
        }
    }

    /// Returns whether this is the same service. Its includes may differ.
    func isSame(as other: ServiceDescription) -> Bool {
        var other = other
        other.includes = includes
        return self == other
    }

    package init(
        handle: UInt16, uuid: BluetoothUUID, isPrimary: Bool, includes: [UInt16],
        characteristics: [CharacteristicDescription]
    ) {
        self.handle = handle
        self.uuid = uuid
        self.isPrimary = isPrimary
        self.includes = includes
        self.characteristics = characteristics
    }
}

/// A characteristic of a device.
package struct CharacteristicDescription: Hashable, Sendable {
    /// The flags that the server evaluates.
    package enum Flag: String, Sendable {
        case write
        case writeWithoutResponse = "write-without-response"
        case reliableWrite = "reliable-write"
        case notify
        case indicate
    }

    /// The declaration's handle.
    package var handle: UInt16
    package var uuid: BluetoothUUID
    /// BlueZ's `Flags`.
    package var flags: [String]
    /// Whether notifications must be switched on, because there is a client configuration.
    package var hasClientConfiguration: Bool
    /// The descriptors, ordered by handle.
    package var descriptors: [DescriptorDescription]

    package init(
        handle: UInt16, uuid: BluetoothUUID, flags: [String], hasClientConfiguration: Bool,
        descriptors: [DescriptorDescription]
    ) {
        self.handle = handle
        self.uuid = uuid
        self.flags = flags
        self.hasClientConfiguration = hasClientConfiguration
        self.descriptors = descriptors
    }

    package func has(_ flag: Flag) -> Bool { flags.contains(flag.rawValue) }
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
