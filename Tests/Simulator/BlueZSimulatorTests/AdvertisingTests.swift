import BlueZDBus
import BlueZSimulator
import TestSupport
import Testing

/// Registrations of advertisements, and what others hear of them.
@Suite(.virtualTime) struct AdvertisingTests {
    private static let peripheral: [String: Value] = [
        "Type": .string("peripheral"), "ServiceUUIDs": .strings(["180D"]),
    ]
    private static let bytes = "03030d18/"

    @Test("Registering and unregistering change the numbers of instances before their replies")
    @ClientActor func numbers() async throws {
        let fixture = try await AdvertiserFixture()
        let properties = try await fixture.properties()
        #expect(properties.keys == ["ActiveInstances", "SupportedIncludes", "SupportedInstances"])
        #expect(properties["SupportedInstances"] == .byte(5))
        #expect(properties["SupportedIncludes"] == .strings(["tx-power", "appearance", "local-name"]))
        fixture.client.forget()
        try await fixture.advertise(Self.peripheral)
        try await fixture.unregister()
        #expect(
            fixture.client.record == [
                "PropertiesChanged /org/bluez/hci0 LEAdvertisingManager1"
                    + " {ActiveInstances=1,SupportedInstances=4} []",
                "= RegisterAdvertisement",
                "PropertiesChanged /org/bluez/hci0 LEAdvertisingManager1"
                    + " {ActiveInstances=0,SupportedInstances=5} []",
                "= UnregisterAdvertisement",
            ])
        #expect(await fixture.bytes == [])
    }

    @Test("With --experimental, features and capabilities are listed")
    @ClientActor func capabilities() async throws {
        let fixture = try await AdvertiserFixture(isExperimental: true)
        let properties = try await fixture.properties()
        #expect(properties["SupportedFeatures"] == .strings([]))
        #expect(properties["SupportedCapabilities"]?.keys == ["MaxAdvLen", "MaxScnRspLen"])
        #expect(properties["SupportedCapabilities"]?["MaxAdvLen"] == .byte(31))
    }

    @Test("The same object again, one too many, and one that is unknown have their errors")
    @ClientActor func registration() async throws {
        var adapter = AdapterSpecification()
        adapter.advertisingInstances = 2
        let fixture = try await AdvertiserFixture(adapter)
        try await fixture.advertise(Self.peripheral)
        #expect(try await fixture.error(Self.peripheral) == "AlreadyExists: Already Exists")
        try await fixture.advertise(["Type": .string("broadcast")], at: "/second")
        #expect(
            try await fixture.error(Self.peripheral, at: "/third") == "NotPermitted: Maximum advertisements reached"
        )
        #expect(await fixture.bytes == [Self.bytes, "/"])
        try await fixture.unregister()
        await #expect(throws: DBusError.self) { try await fixture.unregister() }
        #expect(fixture.client.record.last == "! org.bluez.Error.DoesNotExist: Does Not Exist")
        try await fixture.advertise(Self.peripheral, at: "/third")
        #expect(await fixture.bytes == [Self.bytes, "/"])
    }

    @Test("A registration fails if the kernel refuses it, or the adapter is off")
    @ClientActor func kernel() async throws {
        let fixture = try await AdvertiserFixture()
        await SimulatorActor.run { fixture.bluez.adapters[0].simulateAdvertisingRefusal() }
        #expect(try await fixture.error(Self.peripheral) == AdvertisingDataTests.register)
        #expect(try await fixture.error(Self.peripheral) == "no error")
        await SimulatorActor.run { fixture.bluez.adapters[0].simulatePower(false) }
        #expect(try await fixture.error(Self.peripheral, at: "/second") == AdvertisingDataTests.register)
    }

    @Test("Another adapter's discovery reports the advertisement")
    @ClientActor func discovery() async throws {
        let fixture = try await AdvertiserFixture(isExperimental: true)
        try await fixture.advertise(
            Self.peripheral.merging([
                "LocalName": .string("Watch"), "Discoverable": .boolean(true), "Appearance": .uint16(0x00C0),
                "ManufacturerData": AdvertisingDataTests.companies(0xFFFF, [1, 2]),
                "ServiceData": AdvertisingDataTests.services("180D", [3]), "Includes": .strings(["tx-power"]),
            ]) { $1 })
        let observer = try await Client(fixture.bluez.address)
        try await observer.call(AdvertiserFixture.other, "Adapter1", "StartDiscovery")
        let path = AdvertiserFixture.other + "/dev_00_AA_01_00_00_42"
        try await observer.wait(for: "InterfacesAdded / \(path)")
        let device = try await observer.call(
            path, "org.freedesktop.DBus.Properties", "GetAll", [.string("org.bluez.Device1")])[0]
        #expect(device["Name"] == .string("Watch"))
        #expect(device["AddressType"] == .string("public"))
        #expect(device["UUIDs"] == .strings(["0000180d-0000-1000-8000-00805f9b34fb"]))
        #expect(device["Appearance"] == .uint16(0x00C0))
        #expect(device["TxPower"] == .int16(0))
        #expect(device["RSSI"] == .int16(-40))
        #expect(device["AdvertisingFlags"] == .bytes([0x06]))
        #expect(device["ManufacturerData"].map(text) == "{65535=0x0102}")
        #expect(device["ServiceData"].map(text) == "{0000180d-0000-1000-8000-00805f9b34fb=0x03}")
        #expect(!observer.record.contains { $0.contains("InterfacesAdded / dev_") })
        try fixture.change(["ManufacturerData": AdvertisingDataTests.companies(0xFFFF, [9])])
        try await observer.wait(for: "ManufacturerData={65535=0x09}")
    }

    @Test("Changes of the client's properties are sent, and those that are refused are not")
    @ClientActor func changes() async throws {
        let fixture = try await AdvertiserFixture()
        try await fixture.advertise(Self.peripheral)
        try fixture.change(["LocalName": .string("Hi")])
        try await fixture.waitForBytes(["03030d18/03094869"])
        try fixture.change(["ServiceUUIDs": .strings(Array(repeating: "180D", count: 15))])
        try fixture.change([:], invalidated: ["ServiceUUIDs", "LocalName"])
        try await fixture.waitForBytes(["/"])
        await SimulatorActor.run { fixture.bluez.adapters[0].simulateAdvertisingRefusal() }
        try fixture.change(["Appearance": .uint16(1)])
        try fixture.change(["ServiceUUIDs": .strings(["180F"])])
        try await fixture.waitForBytes(["03030f1803190100/"])
    }

    @Test("The adapter's discoverability is in the Flags, and its alias in an included name")
    @ClientActor func adapterChanges() async throws {
        let fixture = try await AdvertiserFixture()
        try await fixture.advertise(["Type": .string("peripheral"), "Includes": .strings(["local-name"])])
        func set(_ name: String, _ value: Value) async throws {
            try await fixture.client.call(
                ProbeFixture.adapter, "org.freedesktop.DBus.Properties", "Set",
                [.string("org.bluez.Adapter1"), .string(name), .variant(value)])
        }
        try await set("Alias", .string("Hello, world"))
        try await fixture.waitForBytes(["/0c08" + "48656c6c6f2c20776f72" + "00"])
        try await set("Discoverable", .boolean(true))
        try await fixture.waitForBytes(["020102/0c08" + "48656c6c6f2c20776f72" + "00"])
    }

    @Test("A client that leaves the bus loses its advertisements only")
    @ClientActor func leaving() async throws {
        let fixture = try await AdvertiserFixture()
        let other = try await Client(fixture.bluez.address)
        try await fixture.advertise(["Type": .string("broadcast")], by: other)
        try await fixture.advertise(Self.peripheral)
        #expect(await fixture.bytes == ["/", Self.bytes])
        other.close()
        try await fixture.waitForBytes([Self.bytes])
        try await fixture.client.wait(for: "{ActiveInstances=1,SupportedInstances=4}")
    }

    @Test("Timeouts release the advertisement, and end discoverability")
    @ClientActor func timeouts() async throws {
        let fixture = try await AdvertiserFixture()
        try await fixture.advertise([
            "Type": .string("peripheral"), "Timeout": .uint16(6), "Discoverable": .boolean(true),
            "DiscoverableTimeout": .uint16(2),
        ])
        #expect(await fixture.bytes == ["020105/"])
        try await fixture.waitForBytes(["/"])
        try await fixture.client.wait(for: "? Release /ad")
        try await fixture.client.wait(for: "{ActiveInstances=0,SupportedInstances=5}")
        #expect(await fixture.bytes == [])
    }

    @Test("An adapter that is off sends nothing, and goes on when it is on")
    @ClientActor func power() async throws {
        let fixture = try await AdvertiserFixture()
        try await fixture.advertise(Self.peripheral)
        for isOn in [false, true] {
            try await fixture.client.call(
                ProbeFixture.adapter, "org.freedesktop.DBus.Properties", "Set",
                [.string("org.bluez.Adapter1"), .string("Powered"), .variant(.boolean(isOn))])
            #expect(await fixture.bytes == (isOn ? [Self.bytes] : []))
            #expect(try await fixture.properties()["ActiveInstances"] == .byte(1))
        }
        #expect(!fixture.client.record.contains("? Release /ad"))
    }

    @Test("Unplugging the adapter, and an orderly end of bluetoothd, release the advertisement")
    @ClientActor func release() async throws {
        let fixture = try await AdvertiserFixture()
        try await fixture.advertise(Self.peripheral)
        await SimulatorActor.run { fixture.bluez.adapters[0].simulateUnplug() }
        try await fixture.client.wait(for: "? Release /ad")
        #expect(await fixture.bytes == [])
        await SimulatorActor.run { fixture.bluez.adapters[0].simulateReplug() }
        fixture.client.forget()
        try await fixture.register()
        await SimulatorActor.run { fixture.bluez.adapters[0].simulateAdvertisementRelease() }
        try await fixture.client.wait(for: "? Release /ad")
        #expect(await fixture.bytes == [])
    }

    @Test("The kernel sends the advertisement of a bluetoothd that was killed until the next one starts")
    @ClientActor func crash() async throws {
        let fixture = try await AdvertiserFixture()
        try await fixture.advertise(Self.peripheral)
        await SimulatorActor.run { fixture.bluez.simulateCrash() }
        #expect(await fixture.bytes == [Self.bytes])
        try await SimulatorActor.run { try await fixture.bluez.restart() }
        #expect(await fixture.bytes == [])
        try await fixture.register()
        #expect(await fixture.bytes == [Self.bytes])
        #expect(!fixture.client.record.contains("? Release /ad"))
    }

    @Test("Unregistering during the registration ends it with an error")
    @ClientActor func unfinished() async throws {
        let fixture = try await AdvertiserFixture()
        // An object that never answers GetManagedObjects.
        let silent = ExportedInterface.Method("GetManagedObjects", output: "a{oa{sa{sv}}}") { $0.abandon() }
        try fixture.client.export(
            ExportedInterface("org.freedesktop.DBus.ObjectManager", methods: [silent]), at: "/ad")
        let registration = try fixture.client.start(
            ProbeFixture.adapter, AdvertiserFixture.manager, "RegisterAdvertisement",
            [.objectPath(ObjectPath("/ad")), options()])
        try await fixture.unregister()
        await #expect(throws: DBusError.self) { _ = try await registration.value }
        #expect(
            fixture.client.record.last == "! org.bluez.Error.Failed: Failed to complete registration")
    }
}
