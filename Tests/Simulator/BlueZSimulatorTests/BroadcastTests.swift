import BlueZDBus
import BlueZSimulator
import TestSupport
import Testing

/// Devices that only advertise, and what bluetoothd reports of them.
@Suite(.virtualTime) struct BroadcastTests {
    struct Row: CustomTestStringConvertible {
        let testDescription: String
        var specification = PeripheralSpecification(address: "BC:6A:29:AB:AB:51")
        var problem: String?

        init(
            _ name: String, _ data: AdvertisementData, isExtended: Bool = false, isClassic: Bool = false,
            _ problem: String? = nil
        ) {
            testDescription = name
            specification.advertisement = data
            specification.usesExtendedAdvertising = isExtended
            specification.classic = isClassic ? ClassicSpecification() : nil
            self.problem = problem
        }
    }

    private static func zeros(_ count: Int) -> [UInt8] { Array(repeating: 0, count: count) }

    private static func misfit(_ length: Int) -> String {
        "The advertisement has \(length) bytes, which don't fit into a packet and a scan response of 31 bytes each; "
            + "shorten it, or make it extended"
    }

    private static func uuids(_ count: Int) -> [BluetoothUUID] {
        (0..<count).map { ProbeFixture.uuid("000\($0)") }
    }

    private static func shortUUIDs(_ count: UInt16) -> [BluetoothUUID] { (0..<count).map { BluetoothUUID($0) } }

    static let rows = [
        Row("31 bytes", AdvertisementData(manufacturerData: [0x0499: zeros(24)])),
        Row("a structure of 31 bytes in the scan response", AdvertisementData(manufacturerData: [0x0499: zeros(27)])),
        Row("one of 32", AdvertisementData(manufacturerData: [0x0499: zeros(28)]), misfit(35)),
        Row(
            "62 bytes", AdvertisementData(manufacturerData: [0x0499: zeros(24)], serviceData: [0xFCD2: zeros(27)])),
        Row(
            "63 bytes", AdvertisementData(manufacturerData: [0x0499: zeros(25)], serviceData: [0xFCD2: zeros(27)]),
            misfit(63)),
        Row(
            "fewer bytes in structures that can't be divided",
            AdvertisementData(
                manufacturerData: [0x0499: zeros(16)], serviceData: [0xFCD2: zeros(14), 0xFEAA: zeros(12)]),
            misfit(57)),
        Row(
            "the same without flags, of which the longest has a packet of its own",
            AdvertisementData(
                flags: nil, manufacturerData: [0x0499: zeros(16)], serviceData: [0xFCD2: zeros(11), 0xFEAA: zeros(12)]
            )),
        Row("a list of UUIDs in both", AdvertisementData(serviceUUIDs: uuids(2))),
        Row("with one more, there is no space", AdvertisementData(serviceUUIDs: uuids(3)), misfit(53)),
        Row("13 UUIDs of 16 bits beside flags", AdvertisementData(serviceUUIDs: shortUUIDs(13))),
        Row("27 of them, divided", AdvertisementData(serviceUUIDs: shortUUIDs(27))),
        Row("28 of them", AdvertisementData(serviceUUIDs: shortUUIDs(28)), misfit(61)),
        Row("a name of 29 bytes", AdvertisementData(localName: String(repeating: "é", count: 14) + "e")),
        Row("a name of 30 bytes", AdvertisementData(localName: String(repeating: "é", count: 15)), misfit(35)),
        Row("251 bytes, extended", AdvertisementData(manufacturerData: [1: zeros(244)]), isExtended: true),
        Row(
            "252 bytes, extended", AdvertisementData(manufacturerData: [1: zeros(245)]), isExtended: true,
            "The advertisement has 252 bytes; the limit is 251"),
        Row("240 bytes of a classic device", AdvertisementData(manufacturerData: [1: zeros(233)]), isClassic: true),
        Row(
            "241 bytes of a classic device", AdvertisementData(manufacturerData: [1: zeros(234)]), isClassic: true,
            "The response to inquiries has 241 bytes; the limit is 240"),
    ]

    @Test("An advertisement that can't be sent is refused with its length", arguments: rows)
    @SimulatorActor func length(row: Row) async throws {
        let bluez = try await SimulatorFixture.start()
        let expected = row.problem.map { "BC:6A:29:AB:AB:51: \($0)" }
        func problem(_ specification: PeripheralSpecification) -> String? {
            do {
                bluez.remove(try bluez.add(specification))
                return nil
            } catch {
                return (error as? DBusError)?.message
            }
        }
        #expect(problem(row.specification) == expected)
        var specification = row.specification
        specification.advertisement = AdvertisementData()
        specification.advertisements = AdvertisementSeries([AdvertisementData(), row.specification.advertisement])
        #expect(problem(specification) == expected)
    }

    @Test(
        "A name loses the white space around it from 5.84 on",
        arguments: [
            ("Tag", "Tag", "Tag"), (" \tTag \r\n", " \tTag \r\n", "Tag"), ("\u{b}Tag ", "\u{b}Tag ", "\u{b}Tag"),
            (" a b\u{a0}", " a b\u{a0}", "a b\u{a0}"), ("Tag\0 x", "Tag", "Tag"), ("  ", "  ", nil), ("", nil, nil),
        ] as [(String, String?, String?)])
    @ClientActor func names(name: String, old: String?, new: String?) async throws {
        for (version, shown) in [(BlueZVersion.v5_82, old), (.v5_84, new)] {
            let properties = try await properties(Self.peripheral(name), version)
            #expect(properties["Name"] == shown.map { .string($0) })
            #expect(properties["Alias"] == .string(shown ?? "BC-6A-29-AB-AB-51"))
        }
    }

    @Test(
        "A name that is not UTF-8 gets spaces, and ends in front of the first wrong byte from 5.84 on",
        arguments: [
            ([0x41, 0xFF, 0x42], "A B", "A"), ([0x20, 0xFF, 0x42, 0xFF], "B", nil), ([0x41, 0xC3], "A", "A"),
            ([0xFF], nil, nil), ([0x41, 0, 0xFF], "A", "A"),
        ] as [([UInt8], String?, String?)])
    @ClientActor func invalidNames(name: [UInt8], old: String?, new: String?) async throws {
        for (version, shown) in [(BlueZVersion.v5_82, old), (.v5_84, new)] {
            let fixture = try await ProbeFixture(version: version, peripheral: Self.peripheral("Tag"))
            await fixture.simulate { _, peripheral in peripheral.characteristic(.deviceName)?.value = name }
            try await fixture.connect()
            try await eventually("the name") { try await properties(fixture)["Name"] == shown.map { .string($0) } }
        }
    }

    @Test("From 5.69 on, the UUIDs of service data are also advertised services")
    @ClientActor func services() async throws {
        let data = AdvertisementData(serviceUUIDs: [0x180F], serviceData: [0xFCD2: [0x40]])
        let uuids = ["0000180f-0000-1000-8000-00805f9b34fb", "0000fcd2-0000-1000-8000-00805f9b34fb"]
        for (version, count) in [(BlueZVersion.v5_66, 1), (.v5_69, 2)] {
            let properties = try await properties(Self.peripheral(data), version)
            #expect(properties["UUIDs"] == .strings(Array(uuids.prefix(count))))
        }
    }

    @Test("Before 5.76, data of an extended advertisement that are longer than in another one are ignored")
    @ClientActor func longData() async throws {
        var specification = Self.peripheral(
            AdvertisementData(
                manufacturerData: [1: Self.zeros(27), 2: Self.zeros(28)],
                serviceData: [0xFCD2: Self.zeros(27), 0xFEAA: Self.zeros(28), Self.uuids(1)[0]: Self.zeros(14)]))
        specification.usesExtendedAdvertising = true
        for (version, companies, services) in [(BlueZVersion.v5_66, 1, 1), (.v5_76, 2, 3)] {
            let properties = try await properties(specification, version)
            #expect(properties["ManufacturerData"]?.keys.count == companies)
            #expect(properties["ServiceData"]?.keys.count == services)
        }
    }

    @Test(
        "A series of advertisements changes what is signalled, but equal data are not signalled",
        arguments: [true, false])
    @ClientActor func series(repeats: Bool) async throws {
        func data(_ byte: UInt8) -> AdvertisementData { AdvertisementData(serviceData: [0xFCD2: [byte]]) }
        var specification = Self.peripheral(data(0))
        let interval = Duration.milliseconds(200)
        specification.advertisements = AdvertisementSeries(
            [data(1), data(2), data(2)], every: interval, repeats: repeats)
        let fixture = try await ProbeFixture(peripheral: specification)
        try await fixture.client.call(ProbeFixture.adapter, "Adapter1", "StartDiscovery")
        let values = repeats ? ["01", "02", "01", "02"] : ["01", "02"]
        try await fixture.client.wait("the values") { Self.serviceData($0).count >= values.count }
        let end = MonotonicInstant.now.advanced(by: interval * (repeats ? 0 : 6))
        try await eventually("the end", until: { MonotonicInstant.now >= end })
        #expect(Self.serviceData(fixture.client).prefix(values.count) == values[...])
        if !repeats { #expect(Self.serviceData(fixture.client).count == values.count) }
    }

    @Test("With a filter, a device whose data don't change is signalled by its RSSI alone")
    @ClientActor func unchanged() async throws {
        let fixture = try await ProbeFixture(
            peripheral: Self.peripheral(AdvertisementData(serviceData: [0xFCD2: [1]])))
        try await fixture.client.call(
            ProbeFixture.adapter, "Adapter1", "SetDiscoveryFilter", [options(["Transport": .string("le")])])
        try await fixture.client.call(ProbeFixture.adapter, "Adapter1", "StartDiscovery")
        try await fixture.client.wait("three reports") { $0.record.filter { $0.contains("{RSSI=-60}") }.count >= 3 }
        let changes = fixture.client.record.filter { $0.hasPrefix("PropertiesChanged dev") }
        #expect(changes.allSatisfy { $0.contains("Device1 {RSSI=-60} []") })
    }

    @Test("A name in a series renames the device and its GAP service, until it is reset")
    @ClientActor func renaming() async throws {
        var specification = Self.peripheral("Old")
        specification.advertisements = AdvertisementSeries(
            [AdvertisementData(localName: "New")], every: .milliseconds(200), repeats: false)
        let fixture = try await ProbeFixture(peripheral: specification)
        func name() async -> String {
            await fixture.simulate { String(decoding: $1.characteristic(.deviceName)?.value ?? [], as: UTF8.self) }
        }
        try await fixture.client.call(ProbeFixture.adapter, "Adapter1", "StartDiscovery")
        try await fixture.client.wait(for: "InterfacesAdded / dev_BC")
        try await fixture.client.wait(for: "Name=New")
        #expect(await name() == "New")
        await fixture.simulate { $1.reset() }
        #expect(await name() == "Old")
        try await fixture.client.wait("the second renaming") { client in
            client.record.filter { $0.contains("Name=New") }.count == 2
        }
    }

    @Test("A device whose name becomes empty loses it")
    @ClientActor func emptyName() async throws {
        let fixture = try await ProbeFixture(peripheral: Self.peripheral("Old"))
        try await fixture.client.call(ProbeFixture.adapter, "Adapter1", "StartDiscovery")
        try await fixture.client.wait(for: "InterfacesAdded / dev_BC")
        await fixture.simulate { $1.advertisement.localName = "" }
        try await fixture.client.wait(for: "Device1 {Alias=BC-6A-29-AB-AB-51} [Name]")
    }

    // MARK: Helpers

    private static func peripheral(
        _ name: String = "", _ data: AdvertisementData = AdvertisementData(flags: 0x06)
    ) -> PeripheralSpecification {
        PeripheralSpecification(
            name: name, address: "BC:6A:29:AB:AB:51", advertisement: data,
            advertisingInterval: SimulatorFixture.interval)
    }

    private static func peripheral(_ data: AdvertisementData) -> PeripheralSpecification { peripheral("", data) }

    /// The device's properties, after it was found.
    @ClientActor private func properties(
        _ specification: PeripheralSpecification, _ version: BlueZVersion
    ) async throws -> Value {
        let fixture = try await ProbeFixture(version: version, peripheral: specification)
        try await fixture.find()
        return try await properties(fixture)
    }

    @ClientActor private func properties(_ fixture: ProbeFixture) async throws -> Value {
        try await fixture.client.call(
            ProbeFixture.device, "org.freedesktop.DBus.Properties", "GetAll", [.string("org.bluez.Device1")])[0]
    }

    /// The bytes of service data that were signalled, in hexadecimal digits.
    @ClientActor private static func serviceData(_ client: Client) -> [String] {
        client.record.filter { $0.hasPrefix("PropertiesChanged") }.compactMap { line in
            line.split(separator: "ServiceData={").dropFirst().first?.split(separator: "=0x").dropFirst().first
                .map { String($0.prefix(2)) }
        }
    }
}
