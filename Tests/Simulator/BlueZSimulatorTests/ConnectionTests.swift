import BlueZDBus
import BlueZServer
import BlueZSimulator
import TestSupport
import Testing

@Suite(.virtualTime) struct SimulatorConnectionTests {
    @Test("A scan, a connection and the services arrive in bluetoothd's order")
    @ClientActor func firstConnection() async throws {
        let fixture = try await ProbeFixture()
        try await fixture.find()
        let found = fixture.client.record
        #expect(found[0...2] == ["= SetDiscoveryFilter", "= StartDiscovery", found[2]])
        #expect(found[2] == "PropertiesChanged /org/bluez/hci0 Adapter1 {Discovering=true} []")
        #expect(
            found[3]
                == "InterfacesAdded / dev_BC_6A_29_AB_AB_51 {Device1={Adapter=/org/bluez/hci0,"
                + "Address=BC:6A:29:AB:AB:51,AddressType=public,Alias=CoreBlueZ Probe,Blocked=false,Bonded=false,"
                + "Connected=false,LegacyPairing=false,ManufacturerData={65535=0x010203},Name=CoreBlueZ Probe,"
                + "Paired=false,RSSI=-50,ServicesResolved=false,Trusted=false,"
                + "UUIDs=[c0b10000-7a6b-4d5e-8f90-1a2b3c4d5e6f]},"
                + "org.freedesktop.DBus.Introspectable={},org.freedesktop.DBus.Properties={}}"
        )
        #expect(
            Array(found.suffix(3)) == [
                "= StopDiscovery",
                "PropertiesChanged dev_BC_6A_29_AB_AB_51 Device1 {} [RSSI]",
                "PropertiesChanged /org/bluez/hci0 Adapter1 {Discovering=false} []",
            ]
        )
        fixture.client.forget()
        try await fixture.client.call(ProbeFixture.device, "Device1", "Connect")
        try await fixture.client.wait(for: "ServicesResolved=true")
        let record = fixture.client.record
        #expect(record[0] == "PropertiesChanged dev_BC_6A_29_AB_AB_51 Device1 {Connected=true} []")
        #expect(record[1] == "= Connect")
        #expect(record[2].hasPrefix("InterfacesAdded / dev_BC_6A_29_AB_AB_51/service0006 "))
        #expect(record[3].hasPrefix("InterfacesAdded / dev_BC_6A_29_AB_AB_51/service0006/char0007 "))
        #expect(record[4].hasPrefix("InterfacesAdded / dev_BC_6A_29_AB_AB_51/service0006/char0007/desc0009 "))
        #expect(!record.contains { $0.contains("/service0001 ") }, "Generic Access is bluetoothd's own")
        #expect(
            record.last
                == "PropertiesChanged dev_BC_6A_29_AB_AB_51 Device1 {ServicesResolved=true,UUIDs="
                + "[00001800-0000-1000-8000-00805f9b34fb,00001801-0000-1000-8000-00805f9b34fb,"
                + "c0b10000-7a6b-4d5e-8f90-1a2b3c4d5e6f,c0b10010-7a6b-4d5e-8f90-1a2b3c4d5e6f]} []"
        )
        let updates = record.first { $0.contains("service000a/char0011 ") }
        #expect(updates?.contains("Flags=[read,notify],MTU=247,NotifyAcquired=false,Notifying=false") == true)
        #expect(updates?.contains("Value=0x}") == true)
    }

    @Test("Disconnect answers between ServicesResolved and Connected, and services stay")
    @ClientActor func disconnect() async throws {
        let fixture = try await ProbeFixture()
        try await fixture.connect()
        try await fixture.client.call(ProbeFixture.device, "Device1", "Disconnect")
        try await fixture.client.wait(for: "Connected=false")
        #expect(
            fixture.client.record == [
                "PropertiesChanged dev_BC_6A_29_AB_AB_51 Device1 {ServicesResolved=false} []",
                "= Disconnect",
                "PropertiesChanged dev_BC_6A_29_AB_AB_51 Device1 {Connected=false} []",
            ]
        )
        fixture.client.forget()
        try await fixture.client.call(ProbeFixture.device, "Device1", "Connect")
        try await fixture.client.wait(for: "ServicesResolved=true")
        #expect(
            fixture.client.record == [
                "PropertiesChanged dev_BC_6A_29_AB_AB_51 Device1 {Connected=true} []",
                "= Connect",
                "PropertiesChanged dev_BC_6A_29_AB_AB_51 Device1 {ServicesResolved=true} []",
            ]
        )
    }

    @Test("A disconnection by the peer is one signal, and calls fail from then on")
    @ClientActor func peerDisconnects() async throws {
        let fixture = try await ProbeFixture()
        try await fixture.connect()
        await fixture.simulate { _, probe in probe.simulateDisconnection() }
        try await fixture.client.wait(for: "Connected=false")
        #expect(
            fixture.client.record == [
                "PropertiesChanged dev_BC_6A_29_AB_AB_51 Device1 {Connected=false,ServicesResolved=false} []"
            ]
        )
        let read = try await fixture.client.error(
            ProbeFixture.echo, "GattCharacteristic1", "ReadValue", [options()])
        #expect(read == "org.bluez.Error.Failed: Not connected")
        let write = try await fixture.client.error(
            ProbeFixture.echo, "GattCharacteristic1", "WriteValue", [.bytes([1]), options()])
        #expect(write == "org.bluez.Error.Failed: Not connected")
    }

    @Test("A second Connect meanwhile, and Disconnect while connecting, have bluetoothd's texts")
    @ClientActor func busyConnect() async throws {
        let fixture = try await ProbeFixture()
        try await fixture.find()
        await fixture.simulate { _, probe in probe.isAdvertising = false }
        let first = try fixture.client.start(ProbeFixture.device, "Device1", "Connect")
        let second = try await fixture.client.error(ProbeFixture.device, "Device1", "Connect")
        #expect(second == "org.bluez.Error.Failed: Operation already in progress")
        fixture.client.forget()
        try await fixture.client.call(ProbeFixture.device, "Device1", "Disconnect")
        _ = await first.result
        #expect(fixture.client.record == ["! org.bluez.Error.Failed: br-connection-canceled", "= Disconnect"])
    }

    @Test("From 5.81 on, Connect and Pair refuse each other and themselves while one is in progress")
    @ClientActor func exclusiveCalls() async throws {
        let busy = "org.bluez.Error.InProgress: In Progress"
        for first in ["Connect", "Pair"] {
            for version in [BlueZVersion.v5_82, .v5_66] {
                let fixture = try await ProbeFixture(version: version)
                try await fixture.find()
                await fixture.simulate { _, probe in probe.isAdvertising = false }
                let pending = try fixture.client.start(ProbeFixture.device, "Device1", first)
                for second in ["Connect", "Pair"] {
                    let error = try await fixture.client.error(ProbeFixture.device, "Device1", second)
                    let isBusy = version == .v5_82 || first == "Pair" && second == "Pair"
                    #expect(error == (isBusy ? busy : "org.bluez.Error.Failed: Operation already in progress"))
                }
                await fixture.simulate { _, probe in probe.isAdvertising = true }
                _ = await pending.result
            }
        }
    }

    @Test("Connect to nobody fails after the kernel's time, and waits for one who returns")
    @ClientActor func nobodyThere() async throws {
        var timing = Timing.instant
        timing.connectTimeout = .milliseconds(20)
        let fixture = try await ProbeFixture(timing: timing)
        try await fixture.find()
        await fixture.simulate { _, probe in probe.simulateRangeLoss() }
        let error = try await fixture.client.error(ProbeFixture.device, "Device1", "Connect")
        #expect(error == "org.bluez.Error.Failed: le-connection-abort-by-local")
        await fixture.simulate { bluez, _ in bluez.timing.connectTimeout = .seconds(20) }
        let waiting = try fixture.client.start(ProbeFixture.device, "Device1", "Connect")
        _ = try await fixture.client.error(ProbeFixture.device, "Device1", "Connect")
        await fixture.simulate { _, probe in probe.simulateReturn() }
        #expect(try await waiting.value == [])
    }

    @Test("A request under way when the link goes fails with ATT error 0x0e, after the device says so")
    @ClientActor func linkLossUnderARead() async throws {
        let fixture = try await ProbeFixture()
        try await fixture.connect()
        await fixture.simulate { _, probe in
            probe.characteristic(ProbeFixture.uuid("0001"))?.faults.delay = .seconds(60)
        }
        let read = try fixture.client.start(ProbeFixture.echo, "GattCharacteristic1", "ReadValue", [options()])
        let behind = try fixture.client.start(ProbeFixture.long, "GattCharacteristic1", "ReadValue", [options()])
        let busy = try await fixture.client.error(
            ProbeFixture.echo, "GattCharacteristic1", "ReadValue", [options(["offset": .uint16(1)])])
        #expect(busy == "org.bluez.Error.InProgress: In Progress")
        fixture.client.forget()
        await fixture.simulate { _, probe in probe.simulateRangeLoss() }
        _ = await read.result
        _ = await behind.result
        #expect(
            fixture.client.record == [
                "PropertiesChanged dev_BC_6A_29_AB_AB_51 Device1 {Connected=false,ServicesResolved=false} []",
                "! org.bluez.Error.Failed: Operation failed with ATT error: 0x0e",
                "! org.bluez.Error.Failed: Operation failed with ATT error: 0x0e",
            ]
        )
    }
}
