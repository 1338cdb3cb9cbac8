import BlueZPrintableText
import CoreBlueZ

/// A base UUID, which several UUIDs of a device share.
struct DriverBase: Hashable {
    /// The bytes in which the UUIDs differ from the base, which decide how a driver declares them.
    enum Style {
        /// In the third and fourth bytes, as vendors usually number their attributes: `offset:`.
        case offset
        /// In the last two bytes: `adding:`.
        case adding
    }

    let style: Style
    let high: UInt64
    let low: UInt64

    /// The base on which a UUID would be; nil if it is on that of the Bluetooth SIG, or on zero, which also means that.
    init?(_ uuid: BluetoothUUID, _ style: Style) {
        guard uuid.short32 == nil else { return nil }
        self.style = style
        high = style == .offset ? uuid.high & 0xFFFF_0000_FFFF_FFFF : uuid.high
        low = style == .offset ? uuid.low : uuid.low & ~0xFFFF
        guard high != 0 || low != 0 else { return nil }
    }

    /// The offset of a UUID on the base; nil if it is not on it.
    func offset(of uuid: BluetoothUUID) -> UInt16? {
        guard DriverBase(uuid, style) == self else { return nil }
        return UInt16(truncatingIfNeeded: style == .offset ? uuid.high >> 32 : uuid.low)
    }

    /// The bases of those UUIDs that share one with another.
    static func shared(by uuids: some Sequence<BluetoothUUID>) -> [BluetoothUUID: DriverBase] {
        var bases: [BluetoothUUID: DriverBase] = [:]
        let distinct = Set(uuids)
        for style in [Style.offset, .adding] {
            let rest = distinct.filter { bases[$0] == nil }
            let groups = Dictionary(grouping: rest) { DriverBase($0, style) }
            for case (let base?, let group) in groups where group.count > 1 {
                for uuid in group { bases[uuid] = base }
            }
        }
        return bases
    }

    /// The base that most of a service's UUIDs have, preferably that of the service itself, which is the first UUID.
    static func best(for uuids: [BluetoothUUID], of bases: [BluetoothUUID: DriverBase]) -> DriverBase? {
        let own = uuids.compactMap { bases[$0] }
        let counts = own.reduce(into: [DriverBase: Int]()) { $0[$1, default: 0] += 1 }
        let most = counts.values.max()
        return own.first { counts[$0] == most }
    }

    /// The expression that creates it.
    var expression: String {
        "BluetoothUUID(high: \(Self.literal(high)), low: \(Self.literal(low)))"
    }

    private static func literal(_ number: UInt64) -> String {
        let digits = Array(String(hexadecimal: number, digits: 16, uppercase: true))
        return "0x" + stride(from: 0, to: 16, by: 4).map { String(digits[$0..<$0 + 4]) }.joined(separator: "_")
    }
}
