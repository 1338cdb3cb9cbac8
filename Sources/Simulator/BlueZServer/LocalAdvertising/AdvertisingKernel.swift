import BlueZValues

/// The part of the kernel that keeps an adapter's advertisements and sends them: Add Extended Advertising Parameters
/// and Data, or Add Advertising, of net/bluetooth/mgmt.c. It survives the end of bluetoothd.
///
/// A controller without extended advertising sends one advertisement at a time, and the kernel changes it every 2 s.
/// Here, all of them are sent all the time.
@BlueZServerActor final class AdvertisingKernel {
    /// A client's settings for an advertisement, apart from its data.
    struct Parameters {
        var flags: AdvertisingFlags
        /// The minimum interval in units of 0.625 ms; nil for 0x0800, which is 1.28 s (le_adv_min_interval).
        var interval: UInt32?
        var txPower: Int8?
    }

    /// The limits that the kernel reports.
    struct Limits {
        let data: Int
        let scanResponse: Int
        /// The transmit power that a controller with extended advertising has chosen, in dBm.
        let txPower: Int8?
    }

    private struct Instance {
        var parameters: Parameters
        var txPower: Int8
        /// The sender of an advertisement that is not connectable: a private address that can't be resolved.
        let privateAddress: String
        var data: [UInt8] = []
        var scanResponse: [UInt8] = []
        var isPending = true
    }

    let capabilities: AdvertisingCapabilities
    /// The number of the next advertisements that are refused.
    var refusals = 0
    private unowned let adapter: Adapter
    private var instances: [UInt8: Instance] = [:]
    private var sent: [OutgoingAdvertisement] = []

    init(_ adapter: Adapter) {
        self.adapter = adapter
        capabilities = adapter.description.advertising
    }

    /// Adds an advertisement, or changes one. Returns nil if the kernel refuses.
    ///
    /// - Parameter needsPower: whether the adapter must be on, which Add Advertising does not require.
    func add(_ number: UInt8, _ parameters: Parameters, needsPower: Bool) -> Limits? {
        guard capabilities.flags.isSuperset(of: parameters.flags), !needsPower || adapter.isPowered else { return nil }
        if refusals > 0 {
            refusals -= 1
            return nil
        }
        let powers = AdvertisingCapabilities.powers
        let wanted = parameters.txPower ?? powers.upperBound
        let power =
            capabilities.isExtended
            ? min(max(wanted, powers.lowerBound), powers.upperBound) : AdvertisingCapabilities.power
        if instances[number] == nil {
            instances[number] = Instance(
                parameters: parameters, txPower: power, privateAddress: Self.randomAddress())
        } else {
            instances[number]?.parameters = parameters
            instances[number]?.txPower = power
        }
        return Limits(
            data: limit(parameters.flags, isScanResponse: false),
            scanResponse: limit(parameters.flags, isScanResponse: true),
            txPower: capabilities.isExtended ? power : nil)
    }

    /// Sets the data of an advertisement, and sends it. Returns false if the kernel refuses.
    func set(_ number: UInt8, data: [UInt8], scanResponse: [UInt8]) -> Bool {
        guard let instance = instances[number] else { return false }
        let flags = instance.parameters.flags
        guard isValid(data, flags, isScanResponse: false), isValid(scanResponse, flags, isScanResponse: true) else {
            if instance.isPending { instances[number] = nil }
            return false
        }
        instances[number]?.data = data
        instances[number]?.scanResponse = scanResponse
        instances[number]?.isPending = false
        update()
        return true
    }

    func remove(_ number: UInt8) {
        instances[number] = nil
        update()
    }

    func removeAll() {
        instances.removeAll()
        update()
    }

    /// tlv_data_max_len()
    private func limit(_ flags: AdvertisingFlags, isScanResponse: Bool) -> Int {
        var limit = Int(capabilities.maximumLength)
        if isScanResponse {
            if flags.contains(.localName) { limit -= localName(after: 0).count }
            if flags.contains(.appearance) { limit -= 4 }
        } else {
            if flags.contains(.discoverable) { limit -= 3 }
            if flags.contains(.txPower) { limit -= 3 }
        }
        return limit
    }

    /// tlv_data_is_valid(): refuses what the kernel adds itself.
    private func isValid(_ bytes: [UInt8], _ flags: AdvertisingFlags, isScanResponse: Bool) -> Bool {
        guard bytes.count <= limit(flags, isScanResponse: isScanResponse) else { return false }
        var index = 0
        while index < bytes.count {
            let length = Int(bytes[index])
            defer { index += length + 1 }
            guard length > 0 else { continue }
            guard index + length < bytes.count else { return false }
            switch bytes[index + 1] {
            case 0x01: if isScanResponse || flags.contains(.discoverable) { return false }
            case 0x0A: if flags.contains(.txPower) { return false }
            case 0x08, 0x09: if flags.contains(.localName) { return false }
            case 0x19: if flags.contains(.appearance) { return false }
            default: break
            }
        }
        return true
    }

    /// Sends the advertisements, as far as they have changed.
    func update() {
        let outgoing = outgoing
        guard outgoing != sent else { return }
        sent = outgoing
        adapter.radio.advertise(outgoing)
        adapter.radio.acceptanceChanged()
    }

    /// What is sent now. Advertisements survive that the adapter is off, because bluetoothd sets no timeout for them
    /// (hci_clear_adv_instance_sync).
    var outgoing: [OutgoingAdvertisement] {
        guard adapter.isPowered, !adapter.isUnplugged else { return [] }
        return instances.sorted { $0.key < $1.key }.compactMap { number, instance in
            instance.isPending ? nil : self.outgoing(number, instance)
        }
    }

    private func outgoing(_ number: UInt8, _ instance: Instance) -> OutgoingAdvertisement {
        let isConnectable = instance.parameters.flags.contains(.connectable)
        // hci_update_random_address(): what is not connectable has a random address.
        let identity =
            isConnectable
            ? DeviceIdentity(address: adapter.description.address, addressType: .public)
            : DeviceIdentity(address: instance.privateAddress, addressType: .random)
        return OutgoingAdvertisement(
            instance: number, identity: identity, data: data(of: instance), scanResponse: scanResponse(of: instance),
            isConnectable: isConnectable, interval: .microseconds(Int(instance.parameters.interval ?? 0x0800) * 625))
    }

    /// eir_create_adv_data()
    private func data(of instance: Instance) -> [UInt8] {
        var data = instance.data
        if !AdvertisingStructures(data[...]).contains(where: { $0.type == 0x01 }) {
            var flags: UInt8 = instance.parameters.flags.contains(.discoverable) ? 0x02 : 0
            if !capabilities.hasBREDR { flags |= 0x04 }
            if flags != 0 { data = [2, 0x01, flags] + data }
        }
        if instance.parameters.flags.contains(.txPower) { data += [2, 0x0A, UInt8(bitPattern: instance.txPower)] }
        return data
    }

    /// eir_create_scan_rsp(). The adapter's appearance is 0.
    private func scanResponse(of instance: Instance) -> [UInt8] {
        let flags = instance.parameters.flags
        let response = (flags.contains(.appearance) ? [3, 0x19, 0, 0] : []) + instance.scanResponse
        return response + (flags.contains(.localName) ? localName(after: response.count) : [])
    }

    /// eir_append_local_name(): the name with a zero byte, of which 10 bytes at most are sent (HCI_MAX_SHORT_NAME_LENGTH).
    private func localName(after length: Int) -> [UInt8] {
        let name = Array((adapter.alias ?? adapter.description.name).utf8)
        guard Int(capabilities.maximumLength) - length >= 13, !name.isEmpty else { return [] }
        let bytes = Array(name.prefix(10)) + [0]
        return AdvertisingStructures.bytes(name.count > 10 ? 0x08 : 0x09, bytes)
    }

    /// A private address that can't be resolved: its two most significant bits are 0.
    private static func randomAddress() -> String {
        var bytes = (0..<6).map { _ in UInt8.random(in: .min ... .max) }
        bytes[0] &= 0x3F
        return bytes.map { String(hexadecimal: $0, digits: 2, uppercase: true) }.joined(separator: ":")
    }
}
