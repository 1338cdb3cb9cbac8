import BlueZServer

/// A peripheral in range of the simulated adapters.
@SimulatorActor public final class SimulatedPeripheral {
    /// An entry of the peripheral's log.
    public struct LogEntry: Hashable, Sendable {
        /// An action of the central, or something sent to it.
        public enum Operation: String, Hashable, Sendable {
            /// A read request.
            case read
            /// A write request.
            case write
            /// A write command.
            case command
            /// The client configuration was turned on.
            case subscribe
            /// The client configuration was turned off.
            case unsubscribe
            /// A notification or indication was sent.
            case notify
        }

        /// The action of the central, or `notify`.
        public let operation: Operation
        /// The characteristic or descriptor concerned.
        public let uuid: BluetoothUUID
        /// The value that was written or sent; empty for other operations.
        public let value: [UInt8]
    }

    /// The specification from which the peripheral was created.
    public let specification: PeripheralSpecification
    /// The address, with uppercase digits and colons.
    public let address: String
    /// The delegate that defines the behaviour. It is not retained.
    public weak var delegate: (any SimulatedPeripheralDelegate)?
    /// The services, ordered by handle.
    public private(set) var services: [SimulatedService] = [] { didSet { attributes = Self.attributes(services) } }
    /// The attributes by handle, as a central finds them.
    private(set) var attributes: [UInt16: SimulatedAttribute] = [:]
    /// The data that the peripheral advertises, from the next report on. Their length is not checked.
    public var advertisement: AdvertisementData
    /// The advertisements that follow. Setting a series starts it, and nil ends it. A local name that differs from the
    /// one before also becomes the GAP device name.
    public var advertisements: AdvertisementSeries? { didSet { startAdvertisements() } }
    /// The time between two reports, from the next one on.
    public var advertisingInterval: Duration
    /// Whether the peripheral accepts connections; its advertisement says so from the next report on.
    public var isConnectable: Bool
    /// The signal strength at a central in dBm, from the next report on.
    public var rssi: Int16
    /// Whether the peripheral advertises while it is not connected.
    public var isAdvertising = true { didSet { if isAdvertising != oldValue { medium?.advertisingChanged(self) } } }
    /// The fault when a central connects; nil lets it connect.
    public var connectionFault: ConnectionFault?
    /// The events since the start or the last `reset`. At least the newest 100,000 entries are kept.
    public internal(set) var log: [LogEntry] = []

    /// Called for each RFCOMM channel that either side opens. Without it, nothing is read.
    public var channelHandler: (@SimulatorActor (SimulatedRFCOMMChannel) -> Void)?
    /// The RFCOMM channels that are open, and those that ended after the last one was opened.
    public private(set) var channels: [SimulatedRFCOMMChannel] = []

    /// The behaviour in pairing, from the next attempt on.
    public var pairing: PairingBehaviour
    /// A record of what the last pairing showed to its user.
    public internal(set) var pairingRecord = PairingRecord()
    /// The keys that the peripheral keeps. Set nil to make it forget them.
    public var keys: PairingKeys?

    weak var procedure: PairingProcedure?
    weak var medium: RadioMedium?
    var advertisementTimer: SimulatorActor.ScheduledCall?
    weak var link: (any PeripheralLink)?
    static let logLimit = 100_000
    private let initialServices: [SimulatedService]
    private var nextHandle: UInt16 = 1

    /// Creates a peripheral that is not in range of anything.
    package init(_ specification: PeripheralSpecification) {
        self.specification = specification
        address = specification.address.uppercased()
        advertisement = specification.advertisement
        advertisements = specification.advertisements
        advertisingInterval = specification.advertisingInterval
        isConnectable = specification.isConnectable
        rssi = specification.rssi
        pairing = specification.pairing
        var handle: UInt16 = 1
        let all = specification.classic == nil ? specification.genericServices + specification.services : []
        initialServices = all.map { SimulatedService($0, nextHandle: &handle) }
        services = initialServices
        attributes = Self.attributes(services)
        nextHandle = handle
    }

    func opened(_ channel: SimulatedRFCOMMChannel) {
        channels.removeAll { !$0.isOpen }
        channels.append(channel)
        channelHandler?(channel)
    }

    /// Whether a central is connected.
    public var isConnected: Bool { link != nil }

    /// The first service with the UUID.
    public subscript(_ uuid: BluetoothUUID) -> SimulatedService? {
        services.first { $0.uuid == uuid }
    }

    /// The first characteristic, ordered by handle, with the UUID, in any service.
    public func characteristic(_ uuid: BluetoothUUID) -> SimulatedCharacteristic? {
        services.lazy.compactMap { $0[uuid] }.first
    }

    /// Adds a service after all others, with new handles, and notifies the central with Service Changed. Handles of
    /// services that were removed are not used again.
    ///
    /// - Returns: the service, or nil if its attributes need handles above 65534. Nothing is added then.
    @discardableResult
    public func addService(_ specification: ServiceSpecification) -> SimulatedService? {
        guard specification.endHandle(from: Int(nextHandle)) <= UInt16.max else { return nil }
        let service = SimulatedService(specification, nextHandle: &nextHandle)
        services.append(service)
        link?.servicesChanged()
        return service
    }

    /// Removes a service from the database, and notifies the central with Service Changed.
    public func removeService(_ service: SimulatedService) {
        services.removeAll { $0 === service }
        link?.servicesChanged()
    }

    /// Restores the specification. The link is dropped, the database, values and faults are the initial ones, the log
    /// is empty, and the peripheral advertises.
    public func reset() {
        simulateDisconnection()
        services = initialServices
        for characteristic in services.flatMap(\.characteristics) { characteristic.reset() }
        advertisement = specification.advertisement
        advertisements = specification.advertisements
        advertisingInterval = specification.advertisingInterval
        isConnectable = specification.isConnectable
        rssi = specification.rssi
        connectionFault = nil
        pairing = specification.pairing
        pairingRecord = PairingRecord()
        keys = nil
        isAdvertising = true
        log.removeAll()
    }

    /// Adds an entry to the log, whose length is limited because a simulator may run for days.
    func addEntry(_ operation: LogEntry.Operation, _ uuid: BluetoothUUID, _ value: [UInt8] = []) {
        if log.count >= 2 * Self.logLimit { log.removeFirst(Self.logLimit) }
        log.append(LogEntry(operation: operation, uuid: uuid, value: value))
    }
}

/// A fault that occurs when a central connects.
public enum ConnectionFault: Hashable, Sendable {
    /// Connect fails after the time with this text, such as `le-connection-abort-by-local`.
    case failure(String, after: Duration)
    /// The link comes up, and is immediately lost (HCI error 0x3e). `Connected` becomes true and false, then the call
    /// fails with this text.
    case shortLink(String)
    /// The link comes up and the call succeeds, but `Connected` becomes true without a signal, as sometimes happens
    /// from bluetoothd 5.66 on (src/device.c: att_connect_cb, device_add_connection).
    case unsignalledLink
    /// The link comes up, but the call never gets a reply.
    case lostReply
    /// The link comes up, but services are never resolved.
    case stalledDiscovery
    /// Services are reported as resolved, but there are none, as with bluetoothd if their discovery failed.
    case emptyDiscovery
    /// `ServicesResolved` is signalled before the services' objects.
    case earlyResolution
}

extension PeripheralSpecification {
    /// The services Generic Access (0x1800) and Generic Attribute (0x1801), which nearly every peripheral has.
    var genericServices: [ServiceSpecification] {
        guard hasGenericServices else { return [] }
        let appearance = advertisement.appearance ?? 0
        return [
            ServiceSpecification(
                .genericAccess,
                characteristics: [
                    CharacteristicSpecification(.deviceName, .read, value: Array(name.utf8)),
                    CharacteristicSpecification(
                        .appearance, .read, value: [UInt8(appearance & 0xFF), UInt8(appearance >> 8)]),
                ]
            ),
            ServiceSpecification(
                .genericAttribute,
                characteristics: [CharacteristicSpecification(.serviceChanged, .indicate)]
            ),
        ]
    }
}
