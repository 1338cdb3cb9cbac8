/// The faults that a test requests for a central's use of an attribute.
public struct AttributeFaults: Hashable, Sendable {
    /// Reads return this error.
    public var readError: ATTError?
    /// Writes return this error.
    public var writeError: ATTError?
    /// The peripheral's responses are delayed this long. Other requests on the link wait for them, as on a real one.
    public var delay: Duration = .zero
    /// bluetoothd does not reply to the client's calls (a reply is not a reliable completion).
    public var losesReplies = false
    /// bluetoothd's replies to reads have a body of the wrong type.
    public var malformsReplies = false
    /// The peripheral receives prepared writes wrongly: a reliable write detects that, and nothing is written.
    public var garblesPreparedWrites = false

    /// No faults.
    public init() {}
}

/// A service in a peripheral's GATT database.
@SimulatorActor public final class SimulatedService {
    /// The service's UUID.
    public let uuid: BluetoothUUID
    /// Whether it is a primary service.
    public let isPrimary: Bool
    /// The declaration's handle.
    public let handle: UInt16
    /// The last handle that belongs to it.
    public let endHandle: UInt16
    /// The services that it includes, by UUID.
    public let includes: [BluetoothUUID]
    /// The characteristics, ordered by handle.
    public let characteristics: [SimulatedCharacteristic]

    init(_ specification: ServiceSpecification, nextHandle: inout UInt16) {
        uuid = specification.uuid
        isPrimary = specification.isPrimary
        handle = max(specification.handle ?? nextHandle, nextHandle)
        includes = specification.includes
        nextHandle = handle + 1 + UInt16(clamping: includes.count)
        characteristics = specification.characteristics.map { SimulatedCharacteristic($0, nextHandle: &nextHandle) }
        endHandle = nextHandle - 1
    }

    /// The first characteristic with the UUID.
    public subscript(_ uuid: BluetoothUUID) -> SimulatedCharacteristic? {
        characteristics.first { $0.uuid == uuid }
    }
}

/// A characteristic in a peripheral's GATT database.
@SimulatorActor public final class SimulatedCharacteristic {
    /// The specification it was made from.
    public let specification: CharacteristicSpecification
    /// The declaration's handle.
    public let handle: UInt16
    /// The descriptors, ordered by handle, including the client configuration.
    public let descriptors: [SimulatedDescriptor]
    /// The value that a read returns, unless a delegate responds otherwise.
    public var value: [UInt8]
    /// What it notifies or indicates, from the next write on.
    public var responses: [WriteResponse]
    /// The faults to simulate.
    public var faults = AttributeFaults()
    /// The client configuration that the central wrote: bit 0 notifications, bit 1 indications.
    public internal(set) var clientConfiguration: UInt16 = 0 {
        didSet { if clientConfiguration == 0 { series = nil } }
    }
    /// The notifications that the peripheral sends during this subscription.
    var series: RepeatedNotification? { didSet { oldValue?.end() } }

    init(_ specification: CharacteristicSpecification, nextHandle: inout UInt16) {
        self.specification = specification
        value = specification.value
        responses = specification.responses
        handle = max(specification.handle ?? nextHandle, nextHandle)
        nextHandle = handle + 2
        descriptors = specification.allDescriptors.map { SimulatedDescriptor($0, nextHandle: &nextHandle) }
    }

    /// The characteristic's UUID.
    public var uuid: BluetoothUUID { specification.uuid }
    /// The operations that it supports.
    public var properties: CharacteristicProperties { specification.properties }
    /// The handle of the value.
    public var valueHandle: UInt16 { handle + 1 }
    /// Whether the central receives notifications or indications.
    public var isSubscribed: Bool { clientConfiguration != 0 }

    /// Whether it has a client configuration descriptor.
    var hasClientConfiguration: Bool { descriptors.contains { $0.uuid == .clientConfiguration } }

    func reset() {
        value = specification.value
        responses = specification.responses
        faults = AttributeFaults()
        clientConfiguration = 0
        descriptors.forEach { $0.reset() }
    }
}

/// A descriptor in a peripheral's GATT database.
@SimulatorActor public final class SimulatedDescriptor {
    /// The specification it was made from.
    public let specification: DescriptorSpecification
    /// The descriptor's handle.
    public let handle: UInt16
    /// The value that a read returns.
    public var value: [UInt8]
    /// The faults to simulate.
    public var faults = AttributeFaults()

    init(_ specification: DescriptorSpecification, nextHandle: inout UInt16) {
        self.specification = specification
        value = specification.value
        handle = nextHandle
        nextHandle += 1
    }

    /// The descriptor's UUID.
    public var uuid: BluetoothUUID { specification.uuid }

    func reset() {
        value = specification.value
        faults = AttributeFaults()
    }
}
