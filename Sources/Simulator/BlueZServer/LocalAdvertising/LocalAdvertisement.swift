import BlueZDBus
import BlueZValues

/// An `LEAdvertisement1` object that a client has registered: struct btd_adv_client of src/advertising.c.
@BlueZServerActor final class LocalAdvertisement {
    static let interface = BlueZInterface.advertisement.description

    let object: ClientObject
    /// The rule by which bluetoothd gets changes of the object's properties.
    let rule: MatchRule
    /// The kernel's number of the advertisement, from 1.
    let instance: UInt8
    unowned let manager: AdvertisingManager
    /// The call that waits for the registration.
    var call: IncomingCall?

    var isPeripheral = false
    var includes: AdvertisingFlags = []
    var name: [UInt8]?
    var appearance: UInt16?
    var timeout: UInt16 = 0
    var discoverableTimeout: UInt16 = 0
    /// In units of 0.625 ms; 0 means none.
    var minimumInterval: UInt32 = 0
    var maximumInterval: UInt32 = 0
    var txPower: Int8?
    var data: AdvertisingContent
    var scanResponse: AdvertisingContent
    var timer: BlueZServerActor.ScheduledCall? { didSet { oldValue?.cancel() } }
    var discoverableTimer: BlueZServerActor.ScheduledCall? { didSet { oldValue?.cancel() } }

    init(_ object: ClientObject, instance: UInt8, manager: AdvertisingManager, call: IncomingCall) {
        self.object = object
        self.instance = instance
        self.manager = manager
        self.call = call
        rule = MatchRule(
            sender: object.owner, interface: StandardInterface.properties, member: "PropertiesChanged",
            path: object.path)
        let length = manager.version < 69 ? 31 : Int(max(31, manager.kernel.capabilities.maximumLength))
        data = AdvertisingContent(maximumLength: length)
        scanResponse = AdvertisingContent(maximumLength: length)
    }

    /// client_free(): a call that still waits fails.
    func end() {
        timer = nil
        discoverableTimer = nil
        call?.fail(BlueZError.failed("Failed to complete registration"))
        call = nil
    }

    /// get_adv_flags()
    private var flags: AdvertisingFlags {
        var flags = includes
        if isPeripheral {
            flags.insert(.connectable)
            if manager.adapter.isDiscoverable, data.flags == nil { flags.insert(.discoverable) }
        }
        if manager.version >= 76, flags.isDisjoint(with: .secondary), (data.bytes()?.count ?? .max) > 31 {
            flags.insert(.on1M)
        }
        return flags
    }

    /// refresh_advertisement(): sends what the properties say.
    func refresh() -> RefreshResult {
        manager.version < 57 ? refreshOld() : refreshExtended()
    }

    /// The result of `refresh`.
    enum RefreshResult {
        case sent
        /// bluetoothd has not asked the kernel.
        case notSent
        /// The kernel has refused, or its limits are exceeded.
        case refused
    }

    /// refresh_extended_adv() with add_adv_params_callback()
    private func refreshExtended() -> RefreshResult {
        var flags = flags
        var parameters = AdvertisingKernel.Parameters(flags: flags, txPower: txPower)
        if minimumInterval > 0, maximumInterval > 0 { parameters.interval = minimumInterval }
        guard let limits = manager.kernel.add(instance, parameters, needsPower: true) else { return .refused }
        if let power = limits.txPower { set("TxPower", .int16(Int16(power))) }
        guard let data = makeData(&flags), data.count <= limits.data else { return .refused }
        var response: [UInt8] = []
        if hasScanResponse(flags) {
            guard let bytes = makeScanResponse(), bytes.count <= limits.scanResponse else { return .refused }
            response = bytes
        }
        return manager.kernel.set(instance, data: data, scanResponse: response) ? .sent : .refused
    }

    /// refresh_legacy_adv(), which bluetoothd before 5.57 always uses, with the texts of 5.55: it sends the adapter's
    /// whole name itself.
    private func refreshOld() -> RefreshResult {
        var flags = flags
        let kernel = manager.kernel
        let managed = (flags.contains(.txPower) ? 3 : 0) + (flags.contains(.discoverable) ? 3 : 0)
        let appearance = flags.contains(.appearance) ? 4 : 0
        guard let data = makeData(&flags),
            data.count <= Int(kernel.capabilities.maximumLength) - managed - appearance
        else { return .notSent }
        var response: [UInt8] = []
        if name != nil || flags.contains(.localName) {
            let adapterName = Array((manager.adapter.alias ?? manager.adapter.description.name).utf8)
            scanResponse.name = name ?? adapterName
            flags.remove(.localName)
            guard let bytes = scanResponse.bytes() else { return .notSent }
            response = bytes
        }
        guard kernel.add(instance, .init(flags: flags), needsPower: false) != nil,
            kernel.set(instance, data: data, scanResponse: response)
        else { return .refused }
        return .sent
    }

    /// generate_adv_data()
    private func makeData(_ flags: inout AdvertisingFlags) -> [UInt8]? {
        if flags.contains(.appearance) || appearance != nil { data.appearance = appearance ?? 0 }
        // A connectable advertisement on a secondary channel can't have a scan response.
        if manager.version >= 57, flags.contains(.connectable), !flags.isDisjoint(with: .secondary), let name {
            flags.remove(.localName)
            data.name = name
        }
        return data.bytes()
    }

    /// adv_client_has_scan_response()
    private func hasScanResponse(_ flags: AdvertisingFlags) -> Bool {
        guard flags.contains(.localName) || name != nil || !scanResponse.isEmpty else { return false }
        return !flags.contains(.connectable) || flags.isDisjoint(with: .secondary)
    }

    /// generate_scan_rsp()
    private func makeScanResponse() -> [UInt8]? {
        if let name {
            scanResponse.name = name
        } else if manager.version < 80 || scanResponse.isEmpty {
            return []
        }
        return scanResponse.bytes()
    }

    /// Sets a property of the client's object, as bluetoothd does without waiting for the reply.
    func set(_ property: String, _ value: Value) {
        let properties = ClientObject(
            owner: object.owner, path: object.path, interface: StandardInterface.properties, server: object.server)
        properties.tell("Set", [.string(Self.interface), .string(property), .variant(value)])
    }
}
