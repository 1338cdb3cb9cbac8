import DBus

/// A `Device1` object of bluetoothd, after src/device.c.
@SimulatorActor final class Device {
    static let interface = "org.bluez.Device1"

    let path: ObjectPath
    let adapterPath: ObjectPath
    let address: String
    let addressType: PeripheralSpecification.AddressType
    let server: ObjectServer
    let air: Air
    weak var adapter: SimulatedAdapter?

    var name = ""
    var alias: String?
    var appearance: UInt16 = 0
    /// The Class of Device of a classic one; nil for LE.
    var deviceClass: UInt32?
    var isPaired = false
    var isBonded = false
    var isTrusted = false
    var isBlocked = false
    /// 0 means none.
    var rssi: Int16 = 0
    var txPower: Int8?
    var flags: UInt8?
    var modalias: String?
    var advertisedUUIDs: [String] = []
    var uuids: [String] = []
    var manufacturerData: [UInt16: [UInt8]] = [:]
    var serviceData: [AttributeUUID: [UInt8]] = [:]
    var structures: [UInt8: [UInt8]] = [:]
    var isConnectable = true
    var isConnected = false
    /// Whether services were ever resolved: then `UUIDs` are the services'.
    var areServicesKnown = false
    var areServicesResolved = false
    private(set) var isTemporary = true
    private var temporaryTimer: ScheduledCall?

    var link: Link?
    var attempt: ConnectionAttempt?
    var connectCall: IncomingCall?
    var disconnectCalls: [(call: IncomingCall, removes: Bool)] = []
    var disconnectTimer: ScheduledCall?
    /// What a client wants of a classic device.
    var profileCall: ProfileCall?
    var connections: [ProfileConnection] = []
    var idleTimer: ScheduledCall?
    var pairing: Pairing?
    var procedure: PairingProcedure?
    /// What pairing left behind, while the device is paired.
    var keys: PairingKeys?
    var services: [RemoteService] = []
    var battery: Battery?
    private(set) var isRemoved = false

    init(address: String, type: PeripheralSpecification.AddressType, adapter: SimulatedAdapter) throws(DBusError) {
        self.address = address
        addressType = type
        adapterPath = adapter.path
        path = try adapter.path.appending("dev_" + address.split(separator: ":").joined(separator: "_"))
        server = adapter.server
        air = adapter.air
        self.adapter = adapter
    }

    var timing: Timing { air.timing }

    /// Whether `Disconnect` was called and its 2 seconds have not passed.
    var isDisconnecting: Bool { disconnectTimer != nil }

    /// Exports the object.
    func export() {
        server.register(exportedInterface, at: path)
    }

    func changed(_ properties: String...) {
        for property in properties { server.changed(property, of: Self.interface, at: path) }
    }

    /// btd_device_set_temporary(). Devices with a private address do not change.
    func setTemporary(_ value: Bool) {
        guard isTemporary != value, !hasPrivateAddress else { return }
        isTemporary = value
        if value { restartTemporaryTimer() } else { clearTemporaryTimer() }
    }

    private var hasPrivateAddress: Bool {
        guard addressType == .random, let first = UInt8(address.prefix(2), radix: 16) else { return false }
        return first & 0xC0 != 0xC0
    }

    /// Heard or seen: restarts a temporary device's time.
    func seen(connectable: Bool = true) {
        isConnectable = connectable
        if isTemporary { restartTemporaryTimer() }
    }

    private func restartTemporaryTimer() {
        temporaryTimer?.cancel()
        temporaryTimer = SimulatorActor.schedule(after: timing.temporaryDevice) { [weak self] in
            guard let self else { return }
            self.temporaryTimer = nil
            self.adapter?.remove(self)
        }
    }

    func clearTemporaryTimer() {
        temporaryTimer?.cancel()
        temporaryTimer = nil
    }

    /// device_remove() with device_free(): pending operations are cancelled without an answer, children go first.
    func remove() {
        guard !isRemoved else { return }
        isRemoved = true
        endPairing(isConnected ? BlueZError.authenticationCanceled : BlueZError.connectionAttemptFailed)
        clearTemporaryTimer()
        disconnectTimer?.cancel()
        disconnectTimer = nil
        attempt?.cancel()
        attempt = nil
        battery?.unregister()
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
        idleTimer?.cancel()
        disconnectCalls.forEach { $0.call.abandon() }
        disconnectCalls.removeAll()
        let link = link
        self.link = nil
        isConnected = false
        link?.close()
    }
}
