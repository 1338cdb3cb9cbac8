import BlueZServer
import FoundationEssentials

/// The properties of a simulated peripheral.
public struct PeripheralSpecification: Hashable, Sendable {
    /// The GAP device name, which a central reads after connecting. A device without a name has an empty one.
    public var name: String
    /// The address, six bytes in hexadecimal separated by colons.
    public var address: String
    /// Whether the address is public (the default) or random.
    public var addressType: BluetoothAddress.Kind
    /// The data that the peripheral advertises. Advertising data and scan response are one, as the kernel passes them
    /// to bluetoothd.
    public var advertisement: AdvertisementData
    /// The advertisements that replace this one after some time; nil for none.
    public var advertisements: AdvertisementSeries?
    /// Whether advertisements are extended, so that they may have 251 bytes. Others have 31, and 31 more in the scan
    /// response. bluetoothd ignores manufacturer data, service data and other structures that are longer than those of
    /// 31 bytes before 5.76, and so does the simulator.
    public var usesExtendedAdvertising: Bool
    /// The time between two reports of the advertisement; by default 100 ms.
    public var advertisingInterval: Duration
    /// Whether the peripheral accepts connections, and says so in its advertisement.
    public var isConnectable: Bool
    /// The signal strength at a central in dBm.
    public var rssi: Int16
    /// The largest ATT MTU that the peripheral accepts: 23 to 517 bytes, by default 517.
    public var maximumMTU: UInt16
    /// The services, ordered by handle.
    public var services: [ServiceSpecification]
    /// Whether Generic Access (with name and appearance) and Generic Attribute (with Service Changed) precede
    /// `services`.
    public var hasGenericServices: Bool
    /// The behaviour in pairing; by default, "Just Works".
    public var pairing: PairingBehaviour
    /// The properties of a classic device; nil for LE. A classic device has no GATT `services`, and responds to
    /// inquiries with what it would advertise.
    public var classic: ClassicSpecification?

    /// Creates a specification. Without a local name in `advertisement`, the peripheral advertises `name`, unless that is
    /// empty.
    public init(
        name: String = "",
        address: String,
        addressType: BluetoothAddress.Kind = .public,
        advertisement: AdvertisementData = AdvertisementData(flags: 0x06),
        advertisements: AdvertisementSeries? = nil,
        usesExtendedAdvertising: Bool = false,
        advertisingInterval: Duration = .milliseconds(100),
        isConnectable: Bool = true,
        rssi: Int16 = -60,
        maximumMTU: UInt16 = 517,
        services: [ServiceSpecification] = [],
        hasGenericServices: Bool = true,
        pairing: PairingBehaviour = PairingBehaviour(),
        classic: ClassicSpecification? = nil
    ) {
        self.name = name
        self.address = address
        self.addressType = addressType
        self.advertisement = advertisement
        self.advertisements = advertisements
        self.usesExtendedAdvertising = usesExtendedAdvertising
        self.advertisingInterval = advertisingInterval
        self.isConnectable = isConnectable
        self.rssi = rssi
        self.maximumMTU = maximumMTU
        self.services = services
        self.hasGenericServices = hasGenericServices
        self.pairing = pairing
        self.classic = classic
        if advertisement.localName == nil, !name.isEmpty { self.advertisement.localName = name }
    }

    /// The first handle after those of all attributes, however large.
    package var endHandle: Int {
        (genericServices + services).reduce(1) { $1.endHandle(from: $0) }
    }
}

extension ServiceSpecification {
    /// The first handle after those of all attributes, however large.
    ///
    /// - Parameter handle: the first one that is free.
    func endHandle(from handle: Int) -> Int {
        let start = max(self.handle.map(Int.init) ?? handle, handle) + 1 + includes.count
        return characteristics.reduce(start) { handle, characteristic in
            max(characteristic.handle.map(Int.init) ?? handle, handle) + 2 + characteristic.allDescriptors.count
        }
    }
}

/// A service with its characteristics.
public struct ServiceSpecification: Hashable, Sendable {
    /// The service's UUID. Several services can have the same one.
    public var uuid: BluetoothUUID
    /// Whether the service is a primary one; true by default.
    public var isPrimary: Bool
    /// The declaration's handle. Nil, the default, means the next free one.
    public var handle: UInt16?
    /// The UUIDs of included services. Each means the peripheral's first service with the UUID, and uses a handle.
    public var includes: [BluetoothUUID]
    /// The characteristics, ordered by handle.
    public var characteristics: [CharacteristicSpecification]

    /// Creates a specification of a service.
    public init(
        _ uuid: BluetoothUUID,
        isPrimary: Bool = true,
        handle: UInt16? = nil,
        includes: [BluetoothUUID] = [],
        characteristics: [CharacteristicSpecification] = []
    ) {
        self.uuid = uuid
        self.isPrimary = isPrimary
        self.handle = handle
        self.includes = includes
        self.characteristics = characteristics
    }
}

/// A characteristic with its descriptors. One that notifies or indicates gets its client configuration descriptor
/// (2902) right after the value, unless `descriptors` has one.
public struct CharacteristicSpecification: Hashable, Sendable {
    /// The characteristic's UUID. Several characteristics can have the same one.
    public var uuid: BluetoothUUID
    /// The operations that it supports.
    public var properties: CharacteristicProperties
    /// The initial value, at most 512 bytes.
    public var value: [UInt8]
    /// The declaration's handle. Nil, the default, means the next free one. The value has the handle after it.
    public var handle: UInt16?
    /// Whether only paired centrals may read and write the characteristic. Others get ATT error 0x0f.
    public var needsEncryption: Bool
    /// Whether only centrals that compared or typed a number when they paired may read and write the characteristic.
    /// Others get ATT error 0x05.
    public var needsAuthentication: Bool
    /// The descriptors, ordered by handle.
    public var descriptors: [DescriptorSpecification]
    /// The responses that the characteristic notifies or indicates after a write, as a control point does: all those
    /// with the longest prefix that matches the written value, in order.
    public var responses: [WriteResponse]
    /// The values that the characteristic sends to each central that subscribes; nil for none. If the delegate starts
    /// a series of its own, that one replaces them.
    public var notifications: NotificationSeries?
    /// The initial faults; none by default.
    public var faults: AttributeFaults

    /// Creates a specification of a characteristic.
    public init(
        _ uuid: BluetoothUUID,
        _ properties: CharacteristicProperties,
        value: [UInt8] = [],
        handle: UInt16? = nil,
        needsEncryption: Bool = false,
        needsAuthentication: Bool = false,
        descriptors: [DescriptorSpecification] = [],
        responses: [WriteResponse] = [],
        notifications: NotificationSeries? = nil,
        faults: AttributeFaults = AttributeFaults()
    ) {
        self.uuid = uuid
        self.properties = properties
        self.value = value
        self.handle = handle
        self.needsEncryption = needsEncryption
        self.needsAuthentication = needsAuthentication
        self.descriptors = descriptors
        self.responses = responses
        self.notifications = notifications
        self.faults = faults
    }

    /// The descriptors, with the client configuration.
    var allDescriptors: [DescriptorSpecification] {
        let hasConfiguration = descriptors.contains { $0.uuid == .clientConfiguration }
        guard !properties.isDisjoint(with: [.notify, .indicate]), !hasConfiguration else { return descriptors }
        return [DescriptorSpecification(.clientConfiguration, isWritable: true)] + descriptors
    }
}

/// A descriptor of a characteristic.
public struct DescriptorSpecification: Hashable, Sendable {
    /// The UUID that identifies the kind of descriptor.
    public var uuid: BluetoothUUID
    /// The initial value, at most 512 bytes.
    public var value: [UInt8]
    /// Whether the descriptor can be read; true by default.
    public var isReadable: Bool
    /// Whether the descriptor can be written; false by default.
    public var isWritable: Bool

    /// Creates a specification of a descriptor.
    public init(_ uuid: BluetoothUUID, value: [UInt8] = [], isReadable: Bool = true, isWritable: Bool = false) {
        self.uuid = uuid
        self.value = value
        self.isReadable = isReadable
        self.isWritable = isWritable
    }
}

/// The properties of a simulated device of classic Bluetooth (BR/EDR). It responds to inquiries, has no GATT services,
/// and cannot be connected over LE.
public struct ClassicSpecification: Hashable, Sendable {
    /// The Class of Device, which has 24 bits. bluetoothd derives an icon from some classes.
    public var deviceClass: UInt32
    /// The RFCOMM services of the device, which a client finds by SDP.
    public var services: [BluetoothUUID]

    /// Creates a specification; by default, of a device with the Serial Port Profile.
    ///
    /// - Parameters:
    ///   - deviceClass: the class; by default 0x001F00, "uncategorized".
    ///   - services: the RFCOMM services.
    public init(deviceClass: UInt32 = 0x00_1F00, services: [BluetoothUUID] = [.serialPort]) {
        self.deviceClass = deviceClass
        self.services = services
    }
}
