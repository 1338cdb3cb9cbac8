/// The faults of an attribute, which a test sets to see how a central handles them.
public struct AttributeFaults: Hashable, Sendable {
    /// The error that reads return; nil for none.
    public var readError: ATTError?
    /// The error that writes return; nil for none.
    public var writeError: ATTError?
    /// How long the peripheral's responses are delayed. Other requests on the link wait for them, as on a real one.
    public var delay: Duration = .zero
    /// Whether bluetoothd does not reply to the client's calls.
    public var losesReplies = false
    /// Whether bluetoothd's replies to reads have a body of the wrong type.
    public var malformsReplies = false
    /// Whether the peripheral receives prepared writes incorrectly. A reliable write detects that, and nothing is
    /// written.
    public var garblesPreparedWrites = false

    /// Creates a value without faults.
    public init() {}
}

/// A service in a peripheral's GATT database.
@SimulatorActor public final class SimulatedService {
    /// The UUID that identifies the kind of service.
    public nonisolated let uuid: BluetoothUUID
    /// Whether it is a primary service.
    public nonisolated let isPrimary: Bool
    /// The handle of the service's declaration.
    public let handle: UInt16
    /// The last handle of the service.
    public let endHandle: UInt16
    /// The services that it includes, by UUID.
    public let includes: [BluetoothUUID]
    /// The characteristics, ordered by handle.
    public nonisolated let characteristics: [SimulatedCharacteristic]

    init(_ specification: ServiceSpecification, nextHandle: inout UInt16) {
        uuid = specification.uuid
        isPrimary = specification.isPrimary
        handle = max(specification.handle ?? nextHandle, nextHandle)
        includes = specification.includes
        nextHandle = handle + 1 + UInt16(clamping: includes.count)
        characteristics = specification.characteristics.map { SimulatedCharacteristic($0, nextHandle: &nextHandle) }
        endHandle = nextHandle - 1
    }

    /// Returns the first characteristic with the UUID.
    public subscript(_ uuid: BluetoothUUID) -> SimulatedCharacteristic? {
        characteristics.first { $0.uuid == uuid }
    }
}

/// A characteristic in a peripheral's GATT database.
@SimulatorActor public final class SimulatedCharacteristic {
    /// The specification from which the characteristic was created.
    public nonisolated let specification: CharacteristicSpecification
    /// The handle of the characteristic's declaration.
    public let handle: UInt16
    /// The descriptors, ordered by handle, including the client configuration.
    public nonisolated let descriptors: [SimulatedDescriptor]
    /// The value that a read returns, unless a delegate responds otherwise.
    public var value: [UInt8]
    /// The responses that the characteristic notifies or indicates, from the next write on.
    public var responses: [WriteResponse]
    /// The faults to simulate: at first, those of the specification.
    public var faults: AttributeFaults
    /// The client configuration that the central wrote. Bit 0 means notifications, bit 1 indications.
    public internal(set) var clientConfiguration: UInt16 = 0 {
        didSet { if clientConfiguration == 0 { series = nil } }
    }
    /// The notifications that the peripheral sends during this subscription.
    var series: RepeatedNotification? { didSet { oldValue?.end() } }

    init(_ specification: CharacteristicSpecification, nextHandle: inout UInt16) {
        self.specification = specification
        value = specification.value
        responses = specification.responses
        faults = specification.faults
        handle = max(specification.handle ?? nextHandle, nextHandle)
        nextHandle = handle + 2
        descriptors = specification.allDescriptors.map { SimulatedDescriptor($0, nextHandle: &nextHandle) }
    }

    /// The UUID that identifies the kind of characteristic.
    public var uuid: BluetoothUUID { specification.uuid }
    /// The operations that it supports.
    public var properties: CharacteristicProperties { specification.properties }
    /// The handle of the value, which follows that of the declaration.
    public var valueHandle: UInt16 { handle + 1 }
    /// Whether the central receives notifications or indications.
    public var isSubscribed: Bool { clientConfiguration != 0 }

    func reset() {
        value = specification.value
        responses = specification.responses
        faults = specification.faults
        clientConfiguration = 0
        descriptors.forEach { $0.reset() }
    }
}

/// A descriptor in a peripheral's GATT database.
@SimulatorActor public final class SimulatedDescriptor {
    /// The specification from which the descriptor was created.
    public nonisolated let specification: DescriptorSpecification
    /// The ATT handle of the descriptor.
    public let handle: UInt16
    /// The value that a read returns.
    public var value: [UInt8]
    /// The faults to simulate; none by default.
    public var faults = AttributeFaults()

    init(_ specification: DescriptorSpecification, nextHandle: inout UInt16) {
        self.specification = specification
        value = specification.value
        handle = nextHandle
        nextHandle += 1
    }

    /// The UUID that identifies the kind of descriptor.
    public nonisolated var uuid: BluetoothUUID { specification.uuid }

    func reset() {
        value = specification.value
        faults = AttributeFaults()
    }
}
