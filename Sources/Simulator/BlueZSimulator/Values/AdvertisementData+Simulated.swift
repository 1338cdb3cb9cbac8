import BlueZServer
import FoundationEssentials

extension AdvertisementData {
    /// Creates the data that a simulated peripheral advertises.
    ///
    /// - Parameters:
    ///   - flags: 0x02 means general discoverable, 0x01 limited discoverable, 0x04 BR/EDR not supported. Nil omits the
    ///     field.
    ///   - localName: the complete local name.
    ///   - serviceUUIDs: the services, in order.
    ///   - manufacturerData: the manufacturer data, by company identifier.
    ///   - serviceData: the service data, by the UUID of the service.
    ///   - txPowerLevel: the transmit power, -127 to 127 dBm.
    ///   - appearance: the appearance, an assigned number.
    ///   - structures: other structures: their content by type. Those with a property of their own are ignored.
    public init(
        flags: UInt8? = 0x06,
        localName: String? = nil,
        serviceUUIDs: [BluetoothUUID] = [],
        manufacturerData: [UInt16: [UInt8]] = [:],
        serviceData: [BluetoothUUID: [UInt8]] = [:],
        txPowerLevel: Int? = nil,
        appearance: UInt16? = nil,
        structures: [UInt8: [UInt8]] = [:]
    ) {
        self.init()
        self.flags = flags.map { Data([$0]) }
        self.localName = localName
        self.serviceUUIDs = serviceUUIDs
        self.manufacturerData = manufacturerData.mapValues { Data($0) }
        self.serviceData = serviceData.mapValues { Data($0) }
        self.txPowerLevel = txPowerLevel
        self.appearance = appearance
        self.structures = structures.mapValues { Data($0) }
    }
}

extension AdvertisementData {
    /// The bytes of a legacy packet or a scan response (Core Specification, volume 6, part B, 2.3.1).
    private static let legacyLength = 31
    /// What bluetoothd takes of an extended advertisement (src/shared/ad.h: BT_EA_MAX_DATA_LEN).
    private static let extendedLength = 251
    /// The bytes of an extended inquiry response (Core Specification, volume 3, part C, 8).
    private static let inquiryResponseLength = 240

    /// The reason why a peripheral can't send the data; nil if it can.
    package func problem(for specification: PeripheralSpecification) -> String? {
        if specification.classic != nil { return problem("response to inquiries", limit: Self.inquiryResponseLength) }
        if specification.usesExtendedAdvertising { return problem("advertisement", limit: Self.extendedLength) }
        guard !fitsLegacyPackets else { return nil }
        return """
            The advertisement has \(length) bytes, which don't fit into a packet and a scan response of \
            \(Self.legacyLength) bytes each; shorten it, or make it extended
            """
    }

    private func problem(_ kind: String, limit: Int) -> String? {
        length > limit ? "The \(kind) has \(length) bytes; the limit is \(limit)" : nil
    }

    /// Whether the structures fit into a packet and a scan response. A list of UUIDs can be divided between them.
    private var fitsLegacyPackets: Bool {
        guard length <= 2 * Self.legacyLength else { return false }
        // The fewest bytes in the scan response, by those in the packet.
        var fewest = [0: 0]
        for (type, content) in fields {
            var next: [Int: Int] = [:]
            for (packet, response) in fewest {
                for part in Self.parts(type, content.count) {
                    let (packet, response) = (packet + part.packet, response + part.response)
                    guard packet <= Self.legacyLength, response <= Self.legacyLength else { continue }
                    next[packet] = min(next[packet] ?? response, response)
                }
            }
            fewest = next
        }
        return !fewest.isEmpty
    }

    /// The ways to send a structure: the bytes in the packet and in the scan response.
    private static func parts(_ type: UInt8, _ length: Int) -> [(packet: Int, response: Int)] {
        let whole = (packet: length + 2, response: 0)
        let size = [2, 4, 16].first { AdvertisingType.allUUIDs(size: $0).rawValue == type }
        guard type != AdvertisingType.flags.rawValue else { return [whole] }
        let divided = size.map { stride(from: $0, to: length, by: $0).map { ($0 + 2, length - $0 + 2) } } ?? []
        return [whole, (packet: 0, response: length + 2)] + divided
    }

    /// The data without what bluetoothd doesn't keep of an extended advertisement (src/shared/ad.c:
    /// bt_ad_add_manufacturer_data, bt_ad_add_service_data, bt_ad_add_data).
    func kept(by version: BlueZVersion) -> AdvertisementData {
        guard version < .v5_76 else { return self }
        var kept = self
        let limit = Self.legacyLength - 2
        kept.manufacturerData = manufacturerData.filter { $0.value.count <= limit - 2 }
        kept.serviceData = serviceData.filter { $0.value.count <= limit - ($0.key.short == nil ? 16 : 2) }
        kept.structures = structures.filter { $0.value.count <= limit }
        return kept
    }
}
