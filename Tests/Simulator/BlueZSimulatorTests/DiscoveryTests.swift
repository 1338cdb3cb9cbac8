import BlueZDBus
import BlueZSimulator
import TestSupport
import Testing

@Suite(.virtualTime) struct SimulatorDiscoveryTests {
    @Test("Sessions belong to clients, and wrong calls have bluetoothd's texts")
    @ClientActor func sessions() async throws {
        let fixture = try await ProbeFixture()
        let other = try await Client(fixture.bluez.address)
        let none = try await fixture.client.error(ProbeFixture.adapter, "Adapter1", "StopDiscovery")
        #expect(none == "org.bluez.Error.Failed: No discovery started")
        try await fixture.client.call(ProbeFixture.adapter, "Adapter1", "StartDiscovery")
        let twice = try await fixture.client.error(ProbeFixture.adapter, "Adapter1", "StartDiscovery")
        #expect(twice == "org.bluez.Error.InProgress: Operation already in progress")
        try await other.call(ProbeFixture.adapter, "Adapter1", "StartDiscovery")
        try await fixture.client.call(ProbeFixture.adapter, "Adapter1", "StopDiscovery")
        #expect(await fixture.isDiscovering)
        other.close()
        try await fixture.client.wait(for: "Discovering=false")
        let keys = try await fixture.client.call(ProbeFixture.adapter, "Adapter1", "GetDiscoveryFilters")
        #expect(
            keys.map(text) == ["[UUIDs,RSSI,Pathloss,Transport,DuplicateData,Discoverable,Pattern]"]
        )
    }

    @Test(
        "A bad discovery filter is refused",
        arguments: [
            ["Transport": Value.string("pigeon")], ["Transport": .uint16(1)], ["RSSI": .uint16(40)],
            ["RSSI": .int16(21)], ["Pathloss": .uint16(138)], ["UUIDs": .strings(["x"])],
            ["UUIDs": .strings(["0000180a00001000800000805f9b34fb"])], ["Nonsense": .boolean(true)],
            ["RSSI": .int16(-60), "Pathloss": .uint16(60)], ["DuplicateData": .string("yes")],
        ]
    )
    @ClientActor func badFilter(filter: [String: Value]) async throws {
        let fixture = try await ProbeFixture()
        let error = try await fixture.client.error(
            ProbeFixture.adapter, "Adapter1", "SetDiscoveryFilter", [.properties(filter)])
        #expect(error == "org.bluez.Error.InvalidArguments: Invalid arguments in method call")
    }

    @Test(
        "A filter lets through what it names",
        arguments: [
            (["UUIDs": Value.strings(["c0b10000-7a6b-4d5e-8f90-1a2b3c4d5e6f"])], true),
            (["UUIDs": .strings(["180a"])], false), (["RSSI": .int16(-60)], true), (["RSSI": .int16(-40)], false),
            (["Pattern": .string("CoreBlueZ")], true), (["Pattern": .string("Tag")], false),
            (["Transport": .string("bredr")], false),
        ]
    )
    @ClientActor func filters(filter: [String: Value], isFound: Bool) async throws {
        let fixture = try await ProbeFixture()
        // It passes every filter, and is heard after the probe: when it is reported, the probe was or never will be.
        try await fixture.simulate { bluez, _ in
            let isClassic = filter["Transport"] == .string("bredr")
            _ = try bluez.add(
                PeripheralSpecification(
                    name: filter["Pattern"] == .string("Tag") ? "Tag" : "CoreBlueZ witness",
                    address: "00:00:00:00:00:01",
                    advertisement: AdvertisementData(serviceUUIDs: [ProbeFixture.uuid("0000"), 0x180A]), rssi: -30,
                    classic: isClassic ? ClassicSpecification() : nil))
        }
        try await fixture.client.call(ProbeFixture.adapter, "Adapter1", "SetDiscoveryFilter", [.properties(filter)])
        try await fixture.client.call(ProbeFixture.adapter, "Adapter1", "StartDiscovery")
        try await fixture.client.wait(for: "InterfacesAdded / dev_00_00_00_00_00_01")
        let seen = fixture.client.record.contains { $0.contains("InterfacesAdded / dev_BC") }
        #expect(seen == isFound)
    }

    @Test("With a filter every report has the RSSI, with DuplicateData also its data")
    @ClientActor func duplicates() async throws {
        let fixture = try await ProbeFixture()
        await fixture.simulate { _, probe in probe.advertisingInterval = .milliseconds(1) }
        try await fixture.client.call(
            ProbeFixture.adapter, "Adapter1", "SetDiscoveryFilter", [options(["DuplicateData": .boolean(true)])])
        try await fixture.client.call(ProbeFixture.adapter, "Adapter1", "StartDiscovery")
        let again = "Device1 {ManufacturerData={65535=0x010203},RSSI=-50} []"
        try await fixture.client.wait("two reports") { $0.record.filter { $0.contains(again) }.count >= 2 }
    }

    @Test("Without a filter only changes of 8 dB are reported")
    @ClientActor func signalStrength() async throws {
        let fixture = try await ProbeFixture()
        await fixture.simulate { _, probe in probe.advertisingInterval = .milliseconds(1) }
        try await fixture.client.call(ProbeFixture.adapter, "Adapter1", "StartDiscovery")
        try await fixture.client.wait(for: "InterfacesAdded / dev_BC")
        // It is heard again at once, and after it the witness.
        try await fixture.simulate { bluez, probe in
            probe.rssi = -55
            probe.isAdvertising = false
            probe.isAdvertising = true
            _ = try bluez.add(PeripheralSpecification(name: "Witness", address: "00:00:00:00:00:01"))
        }
        try await fixture.client.wait(for: "InterfacesAdded / dev_00_00_00_00_00_01")
        await fixture.simulate { _, probe in probe.rssi = -58 }
        try await fixture.client.wait(for: "{RSSI=-58}")
        #expect(!fixture.client.record.contains { $0.contains("{RSSI=-55}") })
    }

    @Test("A device that is no longer heard is removed")
    @ClientActor func temporaryDevices() async throws {
        var timing = Timing.instant
        timing.temporaryDevice = .milliseconds(40)
        let fixture = try await ProbeFixture(timing: timing)
        try await fixture.find()
        await fixture.simulate { _, probe in probe.isAdvertising = false }
        try await fixture.client.wait(for: "InterfacesRemoved / dev_BC_6A_29_AB_AB_51")
        let removal =
            "InterfacesRemoved / dev_BC_6A_29_AB_AB_51 [org.freedesktop.DBus.Properties,"
            + "org.freedesktop.DBus.Introspectable,Device1]"
        #expect(fixture.client.record.contains(removal))
        let gone = try await fixture.client.error(ProbeFixture.device, "Device1", "Connect")
        #expect(gone.hasPrefix("org.freedesktop.DBus.Error.UnknownObject: Method \"Connect\""))
    }

    @Test("RemoveDevice removes children first and answers afterwards")
    @ClientActor func removeDevice() async throws {
        let fixture = try await ProbeFixture()
        try await fixture.connect()
        let device = Value.objectPath(try ObjectPath(ProbeFixture.device))
        try await fixture.client.call(ProbeFixture.adapter, "Adapter1", "RemoveDevice", [device])
        try await fixture.client.wait(for: "InterfacesRemoved / dev_BC_6A_29_AB_AB_51 ")
        let record = fixture.client.record
        #expect(record[0] == "PropertiesChanged dev_BC_6A_29_AB_AB_51 Device1 {ServicesResolved=false} []")
        #expect(record[1] == "= RemoveDevice")
        #expect(record[2] == "PropertiesChanged dev_BC_6A_29_AB_AB_51 Device1 {Connected=false} []")
        #expect(record[3].hasPrefix("InterfacesRemoved / dev_BC_6A_29_AB_AB_51/service0006/char0007/desc0009 "))
        #expect(record[4].hasPrefix("InterfacesRemoved / dev_BC_6A_29_AB_AB_51/service0006/char0007 "))
        #expect(record[5].hasPrefix("InterfacesRemoved / dev_BC_6A_29_AB_AB_51/service0006 "))
        let unknown = try await fixture.client.error(ProbeFixture.adapter, "Adapter1", "RemoveDevice", [device])
        #expect(unknown == "org.bluez.Error.DoesNotExist: Does Not Exist")
    }
}

extension ProbeFixture {
    var isDiscovering: Bool {
        get async { await simulate { bluez, _ in bluez.adapters[0].isDiscovering } }
    }
}
