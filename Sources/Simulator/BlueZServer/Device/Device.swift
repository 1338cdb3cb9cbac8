import BlueZDBus
import BlueZValues
import FoundationEssentials

/// A `Device1` object of bluetoothd, modelled on src/device.c.
@BlueZServerActor package final class Device: BusObject {
    package static let interface = BlueZInterface.device.description

    package let path: ObjectPath
    let adapterPath: ObjectPath
    package let identity: DeviceIdentity
    /// The device's position among those of the adapter.
    var number = 0
    /// The device's position among those of a discovery; nil if it was not found.
    var foundNumber: Int?
    /// The reserved space, in bytes of a list of objects.
    private(set) var size = 0
    /// The part of the reserved space that is for advertising data.
    var advertisedSize = 0
    let server: ObjectServer
    private let settings: DaemonSettings
    weak var adapter: Adapter?

    var name = ""
    var alias: String?
    var appearance: UInt16 = 0
    package var isPaired = false
    var isBonded = false
    var isTrusted = false
    package var isBlocked = false
    /// The signal strength in dBm; 0 means none.
    var rssi: Int16 = 0
    var txPower: Int8?
    var flags: UInt8?
    var modalias: String?
    var advertisedUUIDs: [String] = []
    var uuids: [String] = []
    var manufacturerData: [UInt16: Data] = [:]
    var serviceData: [BluetoothUUID: Data] = [:]
    var structures: [UInt8: Data] = [:]
    var isConnectable = true
    var isConnected = false
    /// Whether services were ever resolved, so that `UUIDs` are those of the services.
    var areServicesKnown = false
    var areServicesResolved = false
    private(set) var isTemporary = true
    var temporaryTimer: BlueZServerActor.ScheduledCall? { didSet { oldValue?.cancel() } }

    var link: (any RadioLink)?
    var attempt: (any RadioOperation)? { didSet { oldValue?.cancel() } }
    /// The client for which the attempt began.
    var attemptMaker: LinkMaker?
    /// The side that has made the link.
    var madeBy: LinkMaker?
    var connectCall: IncomingCall?
    var disconnectCalls: [(call: IncomingCall, removes: Bool)] = []
    /// The orderly end of the link that `Disconnect` requested.
    var ending: (any RadioOperation)? { didSet { oldValue?.cancel() } }
    /// A client's call for a classic device.
    var profileCall: ProfileCall?
    var connections: [ProfileConnection] = []
    var idleTimer: BlueZServerActor.ScheduledCall? { didSet { oldValue?.cancel() } }
    var pairing: Pairing?
    var procedure: (any RadioPairing)?
    /// The requests for security that wait for the end of the procedure.
    var securityRequests: [(needsAuthentication: Bool, completion: @BlueZServerActor (Bool) -> Void)] = []
    /// Whether a number was compared or typed when the device was paired.
    package var isAuthenticated = false
    package internal(set) var services: [RemoteService] = []
    /// The services of a classic device, as last browsed.
    var classicServices: [BluetoothUUID] = []
    var battery: Battery? { didSet { oldValue?.unregister() } }
    private(set) var isRemoved = false

    init(_ identity: DeviceIdentity, adapter: Adapter) throws(DBusError) {
        self.identity = identity
        adapterPath = adapter.path
        path = try adapter.path.appending("dev_" + identity.address.split(separator: ":").joined(separator: "_"))
        server = adapter.server
        settings = adapter.settings
        self.adapter = adapter
        guard reserve(Self.ownSize) else {
            throw DBusError(name: DBusError.Name.limitsExceeded, message: "There is no space for another device")
        }
    }

    /// The space for a device without advertising data in a list of objects, with a margin.
    private static let ownSize = 2048

    /// Reserves space for more data or objects.
    func reserve(_ bytes: Int) -> Bool {
        guard adapter?.radio.reserve(bytes, for: identity) ?? true else { return false }
        size += bytes
        return true
    }

    /// Releases reserved space.
    func release(_ bytes: Int) {
        adapter?.radio.release(bytes, for: identity)
        size -= bytes
    }

    var address: String { identity.address }
    var timing: DaemonTiming { settings.timing }
    var version: BlueZVersion { settings.version }
    var reportsLinkEnds: Bool { version >= .v5_83 }
    /// Whether a device for which pairing fails becomes temporary even while it is connected.
    var forgetsConnected: Bool { version < .v5_77 }
    /// Whether `Connect` and `Pair` refuse each other, and `Connect` another `Connect`. Before, only bluetoothd's socket
    /// in progress refuses them, with another error.
    var excludesCalls: Bool { version >= .v5_81 }

    /// Whether `Disconnect` was called and the link has not ended.
    var isDisconnecting: Bool { ending != nil }

    /// btd_device_set_temporary(). Devices with a private address do not change.
    func setTemporary(_ value: Bool) {
        guard isTemporary != value, !hasPrivateAddress else { return }
        isTemporary = value
        if value { restartTemporaryTimer() } else { temporaryTimer = nil }
    }

    private var hasPrivateAddress: Bool {
        guard identity.addressType == .random, let first = UInt8(address.prefix(2), radix: 16) else { return false }
        return first & 0xC0 != 0xC0
    }

    /// Notes that the device was heard or used, which restarts a temporary device's timer.
    func seen(connectable: Bool = true) {
        isConnectable = connectable
        if isTemporary { restartTemporaryTimer() }
    }

    private func restartTemporaryTimer() {
        temporaryTimer = BlueZServerActor.schedule(after: timing.temporaryDevice) { [weak self] in
            if let self { self.adapter?.remove(self) }
        }
    }

    /// device_remove() with device_free(): pending operations are cancelled without a reply, and children are removed
    /// first.
    func remove() {
        guard !isRemoved else { return }
        isRemoved = true
        endPairing(isConnected ? BlueZError.authenticationCanceled : BlueZError.connectionAttemptFailed)
        temporaryTimer = nil
        ending = nil
        attempt = nil
        battery = nil
        server.unregister(Self.interface, at: path) {
            for service in services { service.unregister() }
            services.removeAll()
        }
        connectCall?.abandon()
        connectCall = nil
        profileCall?.call.abandon()
        profileCall = nil
        closeConnections()
        idleTimer = nil
        disconnectCalls.forEach { $0.call.abandon() }
        disconnectCalls.removeAll()
        let link = self.link.take()
        isConnected = false
        link?.close()
        release(size)
    }
}
