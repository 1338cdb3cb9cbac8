import BlueZServer

/// A central in range of the simulated adapters, such as a phone. It connects to an adapter, and uses the services that
/// programs offer there.
///
/// An error of the Attribute Protocol is a value of the results. The methods throw `CentralError` if there is no link,
/// or no longer.
@SimulatorActor public final class SimulatedCentral {
    /// A value that an adapter sent.
    public struct Update: Hashable, Sendable {
        /// The handle of the characteristic's value.
        public let handle: UInt16
        /// The UUID of the characteristic, if the central had discovered it.
        public let uuid: BluetoothUUID?
        /// The bytes.
        public let value: [UInt8]
        /// Whether it was an indication.
        public let isIndication: Bool
    }

    /// The address, with uppercase digits and colons.
    public let address: String
    /// Whether the address is public or random.
    public let addressType: BluetoothAddress.Kind
    /// The name, which bluetoothd reads after the central has connected.
    public let name: String
    /// The behaviour in pairing, from the next attempt on.
    public var pairing = PairingBehaviour()
    /// A record of what the last pairing showed to the central's user.
    public internal(set) var pairingRecord = PairingRecord()
    /// The keys that the central keeps. Set nil to make it forget them.
    public var keys: PairingKeys?
    /// The services that the central found last.
    public internal(set) var services: [CentralService] = []
    /// The notifications and indications since the start or the last `forgetUpdates()`, in order.
    public private(set) var updates: [Update] = []
    /// Whether indications are confirmed as soon as they are received; true by default. When it becomes true, the
    /// one that waits is confirmed.
    public var confirmsIndications = true {
        didSet { if confirmsIndications, !oldValue { confirm() } }
    }

    /// The advertisements of adapters that the central has heard since the start or the last `forgetAdvertisements()`:
    /// the newest one of each address that can be connected to, and of each that cannot.
    public private(set) var advertisements: [SimulatedAdvertisement] = []

    weak var procedure: PairingProcedure?
    private(set) var link: CentralLink?
    private let medium: RadioMedium
    private var isConfirmationDue = false
    private var endHandlers: [@SimulatorActor () -> Void] = []
    let ownServices: [SimulatedService]

    init(_ address: String, _ addressType: BluetoothAddress.Kind, name: String, in medium: RadioMedium) {
        self.address = address
        self.addressType = addressType
        self.name = name
        self.medium = medium
        var handle: UInt16 = 1
        let own = PeripheralSpecification(name: name, address: address).genericServices
        ownServices = own.map { SimulatedService($0, nextHandle: &handle) }
    }

    /// Whether there is a link.
    public var isConnected: Bool { link != nil }
    /// The ATT MTU of the link in bytes; 23 without a link.
    public var mtu: Int { link?.mtu ?? 23 }
    /// Whether the link is encrypted.
    public var isEncrypted: Bool { link?.isEncrypted == true }

    var identity: DeviceIdentity { DeviceIdentity(address: address, addressType: addressType) }

    /// Connects to an adapter as soon as it accepts connections.
    ///
    /// - Parameters:
    ///   - address: the adapter's address; by default, that of any adapter.
    ///   - maximumMTU: the largest ATT MTU that the central accepts: 23 to 517 bytes.
    ///   - timeout: how long to wait for the adapter.
    /// - Returns: the ATT MTU of the link.
    /// - Throws: `CentralError.timedOut`, or `alreadyConnected`.
    @discardableResult
    public func connect(
        to address: String? = nil, maximumMTU: UInt16 = 517, timeout: Duration = .seconds(30)
    ) async throws(CentralError) -> Int {
        guard link == nil else { throw .alreadyConnected }
        guard let adapter = await medium.adapter(address, within: timeout) else { throw .timedOut }
        guard link == nil, let device = adapter.incomingDevice(identity) else { throw .alreadyConnected }
        let link = CentralLink(of: self, device, medium)
        let server = adapter.gatt.database.serve(link, identity, mtu: 23)
        server.exchangeMTU(Int(maximumMTU))
        link.attach(to: server)
        self.link = link
        device.accept(link)
        return link.mtu
    }

    /// Ends the link in an orderly way. Does nothing if there is none.
    public func disconnect() {
        link?.drop(.remote)
    }

    /// Moves the central out of range: the link is lost silently.
    ///
    /// - Parameter supervisionTimeout: how long the adapter does not notice.
    public func simulateRangeLoss(supervisionTimeout: Duration = .zero) {
        guard let link else { return }
        link.requests?.isSilent = true
        SimulatorActor.perform(after: supervisionTimeout) { [weak link] in link?.drop(.timeout) }
    }

    func hear(_ heard: [SimulatedAdvertisement]) {
        for advertisement in heard {
            advertisements.removeAll {
                $0.address == advertisement.address && $0.isConnectable == advertisement.isConnectable
            }
            advertisements.append(advertisement)
        }
    }

    /// Discards the advertisements. Those that are still sent are heard again.
    public func forgetAdvertisements() {
        advertisements.removeAll()
        hear(medium.audible)
    }

    /// Discards the received values.
    public func forgetUpdates() { updates.removeAll() }

    /// Ends the link, and forgets keys, values and settings.
    public func reset() {
        disconnect()
        keys = nil
        pairing = PairingBehaviour()
        pairingRecord = PairingRecord()
        services.removeAll()
        updates.removeAll()
        forgetAdvertisements()
        confirmsIndications = true
    }

    func received(_ value: [UInt8], from handle: UInt16, isIndication: Bool) {
        let characteristic = services.lazy.flatMap(\.characteristics).first { $0.handle == handle }
        updates.append(
            Update(handle: handle, uuid: characteristic?.uuid, value: value, isIndication: isIndication))
        guard isIndication else { return }
        isConfirmationDue = true
        if confirmsIndications { confirm() }
    }

    private func confirm() {
        guard isConfirmationDue else { return }
        isConfirmationDue = false
        link?.requests?.responder.confirm()
    }

    func disconnected(_ ended: CentralLink) {
        guard link === ended else { return }
        link = nil
        isConfirmationDue = false
        let handlers = endHandlers
        endHandlers.removeAll()
        handlers.forEach { $0() }
    }

    /// Calls a closure when the link ends.
    func whenLinkEnds(_ handler: @escaping @SimulatorActor () -> Void) { endHandlers.append(handler) }
}

/// The reason why a central could not do something.
public enum CentralError: Error, Hashable, Sendable, CustomStringConvertible {
    /// There is no link, or it has ended.
    case notConnected
    /// There is a link.
    case alreadyConnected
    /// No adapter accepted a connection in time.
    case timedOut

    /// A message for users.
    public var description: String {
        switch self {
        case .notConnected: "The central has no link; connect it first"
        case .alreadyConnected: "The central has a link; disconnect it first"
        case .timedOut: "No adapter accepts connections; register an application or make the adapter discoverable"
        }
    }
}
