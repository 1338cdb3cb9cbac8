import BlueZDBus
import BlueZSimulator
import TestSupport
import Testing

/// The bytes that bluetoothd and the kernel make of an advertisement's properties.
@Suite(.virtualTime) struct AdvertisingDataTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let properties: [String: Value]
        let bytes: String
    }

    private static func row(_ name: String, _ bytes: String, _ properties: [String: Value]) -> Row {
        var properties = properties
        if properties["Type"] == nil { properties["Type"] = .string("peripheral") }
        return Row(testDescription: name, properties: properties, bytes: bytes)
    }

    static func companies(_ company: UInt16, _ bytes: [UInt8]) -> Value {
        .dictionary(key: "q", value: "v", [.uint16(company): .variant(.bytes(bytes))])
    }

    static func structures(_ type: UInt8, _ bytes: [UInt8]) -> Value {
        .dictionary(key: "y", value: "v", [.byte(type): .variant(.bytes(bytes))])
    }

    static func services(_ service: String, _ bytes: [UInt8]) -> Value {
        .properties([service: .bytes(bytes)])
    }

    static let long = "C0B10000-7A6B-4D5E-8F90-1A2B3C4D5E6F"
    private static let longBytes = "6f5e4d3c2b1a908f5e4d6b7a0000b1c0"

    static let rows = [
        row("Nothing", "/", [:]),
        row("A service of 16 bits", "03030d18/", ["ServiceUUIDs": .strings(["180D"])]),
        row(
            "A service on the base is sent in 16 bits", "05030d180f18/",
            ["ServiceUUIDs": .strings(["180d", "0000180F-0000-1000-8000-00805F9B34FB"])]),
        row("A service of 32 bits", "0505010dfe00/", ["ServiceUUIDs": .strings(["00fe0d01"])]),
        row("A service of 128 bits", "1107\(longBytes)/", ["ServiceUUIDs": .strings([long])]),
        row(
            "Services are sorted by size", "03030d181107\(longBytes)/",
            ["ServiceUUIDs": .strings([long, "180D"])]),
        row("A solicited service", "03140d18/", ["SolicitUUIDs": .strings(["180D"])]),
        row("Manufacturer data", "06ffffff010203/", ["ManufacturerData": companies(0xFFFF, [1, 2, 3])]),
        row("Service data", "04160d1807/", ["ServiceData": services("180D", [7])]),
        row("Service data of 128 bits", "1221\(longBytes)07/", ["ServiceData": services(long, [7])]),
        row("A raw structure", "032617aa/", ["Data": structures(0x26, [0x17, 0xAA])]),
        row("A name is in the scan response", "/0609" + "576174636800".dropLast(2), ["LocalName": .string("Watch")]),
        row(
            "A long name is shortened", "/1e08" + String(repeating: "61", count: 29),
            ["LocalName": .string(String(repeating: "a", count: 40))]),
        row("An empty name is none", "/", ["LocalName": .string("")]),
        row(
            "The kernel adds the adapter's name and a zero byte", "/0b09" + "73696d756c61746f72" + "00",
            ["Includes": .strings(["local-name"])]),
        row(
            "The kernel adds the power at the end", "03030d18020a00/",
            [
                "ServiceUUIDs": .strings(["180D"]), "Includes": .strings(["tx-power"]),
            ]),
        row("An unknown include has no effect", "/", ["Includes": .strings(["rsi", "battery"])]),
        row("An appearance", "03194003/", ["Appearance": .uint16(0x0340)]),
        row("Discoverable is in the Flags", "020106/", ["Discoverable": .boolean(true)]),
        row("Not discoverable has no Flags", "/", ["Discoverable": .boolean(false)]),
        row(
            "Discoverable for some time is limited", "020105/",
            [
                "Discoverable": .boolean(true), "DiscoverableTimeout": .uint16(60),
            ]),
        row("DiscoverableTimeout has no effect alone", "/", ["DiscoverableTimeout": .uint16(60)]),
        row(
            "A broadcast", "06ffffff010203/",
            [
                "Type": .string("broadcast"), "ManufacturerData": companies(0xFFFF, [1, 2, 3]),
            ]),
        row("A dictionary that is none has no effect", "/", ["ManufacturerData": .strings(["x"])]),
        row("Intervals have no effect without --experimental", "/", ["MinInterval": .uint32(1)]),
        row(
            "Everything in order", "03030d1803140f1804ff01000204160d1807" + "03194003" + "020106/0309" + "4869",
            [
                "ServiceUUIDs": .strings(["180D"]), "SolicitUUIDs": .strings(["180F"]),
                "ManufacturerData": companies(1, [2]), "ServiceData": services("180D", [7]),
                "Appearance": .uint16(0x0340), "Discoverable": .boolean(true), "LocalName": .string("Hi"),
            ]),
    ]

    @Test("Properties become structures", arguments: rows)
    @ClientActor func bytes(row: Row) async throws {
        let fixture = try await AdvertiserFixture()
        try await fixture.advertise(row.properties)
        #expect(await fixture.bytes == [row.bytes])
        let sent = try #require(await fixture.sent.first)
        let isConnectable = row.properties["Type"] == .string("peripheral")
        #expect(sent.isConnectable == isConnectable)
        #expect(sent.addressType == (isConnectable ? .public : .random))
        #expect((sent.address == "00:AA:01:00:00:42") == isConnectable)
        #expect(sent.interval == .milliseconds(1280))
    }

    static let parse = "Failed: Failed to parse advertisement."
    static let register = "Failed: Failed to register advertisement"

    static let errors = [
        row("An unknown type", parse, ["Type": .string("observer")]),
        row("A type that is no string", parse, ["Type": .uint32(1)]),
        row("A service that is no UUID", parse, ["ServiceUUIDs": .strings(["heart"])]),
        row("A UUID without hyphens", parse, ["ServiceUUIDs": .strings([long.replacing("-", with: "")])]),
        row("Services that are no array", parse, ["ServiceUUIDs": .string("180D")]),
        row("Manufacturer data without bytes", parse, ["ManufacturerData": companies(1, [])]),
        row(
            "Manufacturer data that does not fit", parse,
            [
                "ManufacturerData": companies(1, Array(repeating: 0, count: 28))
            ]),
        row(
            "Service data that does not fit", parse,
            [
                "ServiceData": services("180D", Array(repeating: 0, count: 28))
            ]),
        row("Service data for no UUID", parse, ["ServiceData": services("heart", [1])]),
        row("A structure with a property of its own", parse, ["Data": structures(0x09, [1])]),
        row("Two names", parse, ["LocalName": .string("x"), "Includes": .strings(["local-name"])]),
        row("Two appearances", parse, ["Appearance": .uint16(1), "Includes": .strings(["appearance"])]),
        row("A timeout of the wrong type", parse, ["Timeout": .uint32(1)]),
        row(
            "A broadcast that is discoverable", parse,
            [
                "Type": .string("broadcast"), "Discoverable": .boolean(true),
            ]),
        row(
            "Discoverable for longer than the advertisement", parse,
            [
                "Discoverable": .boolean(true), "DiscoverableTimeout": .uint16(60), "Timeout": .uint16(30),
            ]),
        row("A secondary channel that the controller has not", parse, ["SecondaryChannel": .string("2M")]),
        row(
            "A structure for which there is no space", register,
            [
                "ServiceUUIDs": .strings(Array(repeating: "180D", count: 14)), "Data": structures(0x26, [1]),
            ]),
        row("More than 31 bytes", register, ["ServiceUUIDs": .strings(Array(repeating: "180D", count: 15))]),
        row(
            "No space for the kernel's power", register,
            [
                "ServiceUUIDs": .strings(Array(repeating: "180D", count: 14)), "Includes": .strings(["tx-power"]),
            ]),
        row("The appearance twice, by bluetoothd itself", register, ["Includes": .strings(["appearance"])]),
    ]

    @Test("What BlueZ refuses has its errors", arguments: errors)
    @ClientActor func refused(row: Row) async throws {
        let fixture = try await AdvertiserFixture()
        #expect(try await fixture.error(row.properties) == row.bytes)
        #expect(await fixture.bytes == [])
        #expect(try await fixture.properties()["ActiveInstances"] == .byte(0))
        #expect(try await fixture.error(["Type": .string("peripheral")]) == "no error")
    }

    @Test("A client without the object broadcasts nothing")
    @ClientActor func missing() async throws {
        let fixture = try await AdvertiserFixture()
        try await fixture.register("/nothing")
        #expect(await fixture.bytes == ["/"])
        #expect(await fixture.sent.map(\.isConnectable) == [false])
    }

    @Test("An adapter without BR/EDR says so in each advertisement")
    @ClientActor func lowEnergy() async throws {
        var adapter = AdapterSpecification()
        adapter.supportsBREDR = false
        let fixture = try await AdvertiserFixture(adapter)
        try await fixture.advertise(["Type": .string("broadcast")])
        try await fixture.advertise(["Type": .string("peripheral"), "Discoverable": .boolean(true)], at: "/second")
        #expect(await fixture.bytes == ["020104/", "020106/"])
    }

    @Test("With --experimental, intervals and power have an effect")
    @ClientActor func intervals() async throws {
        let fixture = try await AdvertiserFixture(isExperimental: true)
        let type = ["Type": Value.string("peripheral")]
        func with(_ more: [String: Value]) -> [String: Value] { type.merging(more) { $1 } }
        #expect(try await fixture.error(with(["MinInterval": .uint32(100)])) == Self.parse)
        #expect(
            try await fixture.error(with(["MinInterval": .uint32(19), "MaxInterval": .uint32(20)])) == Self.parse)
        #expect(try await fixture.error(with(["TxPower": .int16(21)])) == Self.parse)
        try await fixture.advertise(with(["MinInterval": .uint32(100), "MaxInterval": .uint32(200)]))
        #expect(await fixture.sent.map(\.interval) == [.milliseconds(100)])
    }

    @Test("A controller with extended advertising puts a name on a secondary channel into the data")
    @ClientActor func extended() async throws {
        var adapter = AdapterSpecification()
        adapter.supportsExtendedAdvertising = true
        adapter.maximumAdvertisingLength = 251
        let fixture = try await AdvertiserFixture(adapter)
        try await fixture.advertise([
            "Type": .string("peripheral"), "LocalName": .string("Hi"), "SecondaryChannel": .string("2M"),
            "TxPower": .int16(0),
        ])
        #expect(await fixture.bytes == ["03094869/"])
        try await fixture.client.wait(for: "? Set TxPower 8")
        #expect(
            try await fixture.properties()["SupportedSecondaryChannels"] == .strings(["1M", "2M", "Coded"]))
    }

    @Test("bluetoothd 5.55 sends the adapter's whole name, needs no power, and calls data that are too long unparsable")
    @ClientActor func old() async throws {
        let fixture = try await AdvertiserFixture(AdapterSpecification(name: "A long name", isPowered: false)) {
            $0.version = .v5_55
        }
        let type = ["Type": Value.string("peripheral"), "Includes": .strings(["local-name"])]
        try await fixture.advertise(type)
        #expect(await fixture.bytes == [])
        await SimulatorActor.run { fixture.bluez.adapters[0].simulatePower(true) }
        #expect(await fixture.bytes == ["/0c09" + "41206c6f6e67206e616d65"])
        let long = ["ServiceUUIDs": Value.strings(Array(repeating: "180D", count: 15))]
        #expect(try await fixture.error(long, at: "/second") == Self.parse)
        #expect(
            try await fixture.properties().keys == [
                "ActiveInstances", "SupportedIncludes", "SupportedInstances",
            ])
    }

    @Test("bluetoothd 5.82 has a scan response of its own, Flags without discoverability, and more than 31 bytes")
    @ClientActor func new() async throws {
        var adapter = AdapterSpecification()
        adapter.supportsExtendedAdvertising = true
        adapter.maximumAdvertisingLength = 251
        let fixture = try await AdvertiserFixture(adapter) { $0.version = .v5_82 }
        try await fixture.advertise([
            "Type": .string("peripheral"), "Discoverable": .boolean(false),
            "ScanResponseServiceUUIDs": .strings(["180D"]), "ScanResponseData": Self.structures(0x26, [1]),
            "MinInterval": .uint32(100), "MaxInterval": .uint32(100),
        ])
        #expect(await fixture.bytes == ["020104/03030d18022601"])
        #expect(await fixture.sent.map(\.interval) == [.milliseconds(100)])
        let long = ["Type": Value.string("peripheral"), "ManufacturerData": Self.companies(1, Array(0..<100))]
        try await fixture.advertise(long, at: "/second")
        #expect(await fixture.sent.map(\.data.count) == [3, 104])
        let limits = try await fixture.properties()["SupportedCapabilities"]
        #expect(limits?["MaxAdvLen"] == .byte(251))
        #expect(limits?["MaxScnRspLen"] == .byte(251))
        #expect(limits?["MinTxPower"] == .int16(-20))
    }
}
