import CoreBlueZ
import Testing

@testable import gatt

/// The base UUIDs of drivers.
@Suite struct DriverBaseTests {
    private static let data: BluetoothUUID = "F000AA01-0451-4000-B000-000000000000"
    private static let configuration: BluetoothUUID = "F000AA02-0451-4000-B000-000000000000"
    private static let govee: [BluetoothUUID] = [
        "494E5445-4C4C-495F-524F-434B535F2011", "494E5445-4C4C-495F-524F-434B535F2012",
    ]

    @Test("UUIDs that differ in their third and fourth bytes share a base with offsets")
    func offsets() {
        let bases = DriverBase.shared(by: [Self.data, Self.configuration, 0x180F, 0xFFE0])
        #expect(bases.count == 2)
        #expect(bases[Self.data] == bases[Self.configuration])
        #expect(bases[Self.data]?.style == .offset)
        #expect(bases[Self.data]?.offset(of: Self.configuration) == 0xAA02)
        #expect(
            bases[Self.data]?.expression
                == "BluetoothUUID(high: 0xF000_0000_0451_4000, low: 0xB000_0000_0000_0000)")
    }

    @Test("UUIDs that differ in their last two bytes share a base to which offsets are added")
    func additions() {
        let bases = DriverBase.shared(by: Self.govee)
        #expect(bases[Self.govee[0]]?.style == .adding)
        #expect(bases[Self.govee[1]]?.offset(of: Self.govee[1]) == 0x2012)
        #expect(bases[Self.govee[1]].map { BluetoothUUID(high: $0.high, low: $0.low).adding(0x2012) } == Self.govee[1])
    }

    @Test(
        "What the Bluetooth SIG assigned, what is alone or twice the same, and zero have no base",
        arguments: [
            [0x180F, 0x2A19], ["12345678", "12345679"], [data], [data, data],
            ["00000001-0000-0000-0000-000000000000", "00000002-0000-0000-0000-000000000000"],
        ] as [[BluetoothUUID]])
    func none(uuids: [BluetoothUUID]) {
        #expect(DriverBase.shared(by: uuids).isEmpty)
    }

    @Test("A service uses the base of most of its UUIDs, and its own among equals")
    func best() {
        let bases = DriverBase.shared(by: [Self.data, Self.configuration] + Self.govee)
        let both = [Self.data, Self.govee[0]]
        #expect(DriverBase.best(for: both, of: bases)?.style == .offset)
        #expect(DriverBase.best(for: both.reversed(), of: bases)?.style == .adding)
        #expect(DriverBase.best(for: both + [Self.govee[1]], of: bases)?.style == .adding)
        #expect(DriverBase.best(for: [0x180F], of: bases) == nil)
    }
}
