import BlueZDBus
import BlueZSimulator
import TestSupport
import Testing

@Suite(.virtualTime) struct SimulatorLifecycleTests {
    @Test("Power off ends links and discovery, and calls are refused")
    @ClientActor func powerOff() async throws {
        let fixture = try await ProbeFixture()
        try await fixture.connect()
        try await fixture.client.call(ProbeFixture.adapter, "Adapter1", "StartDiscovery")
        try await fixture.client.wait(for: "Discovering=true")
        fixture.client.forget()
        try await fixture.setPowered(.boolean(false))
        try await fixture.client.wait(for: "Powered=false")
        #expect(
            fixture.client.record == [
                "PropertiesChanged dev_BC_6A_29_AB_AB_51 Device1 {Connected=false,ServicesResolved=false} []",
                "= Set", "PropertiesChanged /org/bluez/hci0 Adapter1 {Discovering=false,Powered=false} []",
            ]
        )
        let start = try await fixture.client.error(ProbeFixture.adapter, "Adapter1", "StartDiscovery")
        #expect(start == "org.bluez.Error.NotReady: Resource Not Ready")
        let connect = try await fixture.client.error(ProbeFixture.device, "Device1", "Connect")
        #expect(connect == "org.bluez.Error.Failed: Input/output error")
        fixture.client.forget()
        try await fixture.setPowered(.boolean(true))
        try await fixture.client.wait(for: "Powered=true")
        #expect(
            fixture.client.record == ["= Set", "PropertiesChanged /org/bluez/hci0 Adapter1 {Powered=true} []"])
    }

    @Test("Set has the errors of gdbus")
    @ClientActor func wrongSet() async throws {
        let fixture = try await ProbeFixture()
        await #expect(throws: DBusError.self) { try await fixture.setPowered(.string("x")) }
        #expect(
            fixture.client.record.last
                == "! org.freedesktop.DBus.Error.InvalidSignature: Invalid signature for 'Powered'")
        let arguments = [Value.string("org.bluez.Adapter1"), .string("Address"), .variant(.string("x"))]
        let error = try await fixture.client.error(
            ProbeFixture.adapter, "org.freedesktop.DBus.Properties", "Set", arguments)
        #expect(error == "org.freedesktop.DBus.Error.PropertyReadOnly: Property 'Address' is not writable")
    }

    @Test("rfkill turns the adapter off and Powered is refused as blocked")
    @ClientActor func blocked() async throws {
        let fixture = try await ProbeFixture(isExperimental: true)
        await fixture.simulate { bluez, _ in bluez.adapters[0].simulateRFKill(true) }
        try await fixture.client.wait(for: "PowerState=off-blocked")
        await #expect(throws: DBusError.self) { try await fixture.setPowered(.boolean(true)) }
        #expect(fixture.client.record.last == "! org.bluez.Error.Blocked: Blocked through rfkill")
        await fixture.simulate { bluez, _ in bluez.adapters[0].simulateRFKill(false) }
        try await fixture.client.wait(for: "Powered=true")
    }

    @Test("An adapter that is unplugged takes its devices along, and remembers them")
    @ClientActor func unplugged() async throws {
        let fixture = try await ProbeFixture()
        try await fixture.connect()
        await fixture.simulate { bluez, _ in bluez.adapters[0].simulateUnplug() }
        try await fixture.client.wait(for: "InterfacesRemoved / /org/bluez/hci0 ")
        let last = fixture.client.record.suffix(2).map { $0.split(separator: " ")[2] }
        #expect(last == ["dev_BC_6A_29_AB_AB_51", "/org/bluez/hci0"])
        let start = try await fixture.client.error(ProbeFixture.adapter, "Adapter1", "StartDiscovery")
        #expect(start.hasPrefix("org.freedesktop.DBus.Error.UnknownObject"))
        await fixture.simulate { bluez, _ in bluez.adapters[0].simulateReplug() }
        try await fixture.client.wait(for: "InterfacesAdded / dev_BC_6A_29_AB_AB_51")
        try await fixture.client.call(ProbeFixture.device, "Device1", "Connect")
        try await fixture.client.wait(for: "ServicesResolved=true")
    }

    @Test("A crash drops the name and pending calls, and a restart knows the device without services")
    @ClientActor func crash() async throws {
        let fixture = try await ProbeFixture()
        try await fixture.connect()
        await fixture.simulate { _, probe in
            probe.characteristic(ProbeFixture.uuid("0001"))?.faults.delay = .seconds(60)
        }
        let read = try fixture.client.start(ProbeFixture.echo, "GattCharacteristic1", "ReadValue", [options()])
        _ = try await fixture.client.call(ProbeFixture.long, "org.freedesktop.DBus.Peer", "Ping")
        await fixture.simulate { bluez, _ in bluez.simulateCrash() }
        _ = await read.result
        #expect(fixture.client.record.contains { $0.hasPrefix("! org.freedesktop.DBus.Error.NoReply") })
        #expect(fixture.client.record.contains { $0.hasPrefix("NameOwnerChanged") })
        #expect(await fixture.simulate { bluez, probe in !bluez.isRunning && !probe.isConnected })
        try await fixture.bluez.restart()
        let objects = try await fixture.client.call(
            "/", "org.freedesktop.DBus.ObjectManager", "GetManagedObjects")[0]
        let added = fixture.client.record.filter { $0.hasPrefix("InterfacesAdded") }.map {
            $0.split(separator: " ")[2]
        }
        #expect(added == ["/org/bluez", "/org/bluez/hci0", "dev_BC_6A_29_AB_AB_51"])
        #expect(objects.keys == ["/org/bluez", "/org/bluez/hci0", "dev_BC_6A_29_AB_AB_51"])
        try await fixture.client.call(ProbeFixture.device, "Device1", "Connect")
        try await fixture.client.wait(for: "ServicesResolved=true")
    }

    @Test("The end of the bus is the end of every connection")
    @ClientActor func busLoss() async throws {
        let fixture = try await ProbeFixture()
        await fixture.simulate { bluez, _ in bluez.simulateBusLoss() }
        try await fixture.client.wait("the loss") { $0.isLost }
    }

    @Test("A simulator and its peripherals end with its last reference, also under a connection")
    @ClientActor func release() async throws {
        var fixture: ProbeFixture? = try await ProbeFixture()
        try await fixture?.connect()
        try await fixture?.client.call(ProbeFixture.updates, "GattCharacteristic1", "StartNotify")
        let client = try #require(fixture?.client)
        weak let probe = fixture?.probe
        fixture = nil
        try await client.wait("the loss") { $0.isLost }
        try await eventually("the end of the peripheral") { probe == nil }
    }

    @Test("A central that is connected ends with the simulator's last reference")
    @ClientActor func releaseOfCentral() async throws {
        var fixture: ServingFixture? = try await ServingFixture()
        try fixture?.application.addService()
        try fixture?.application.addCharacteristic(["read"])
        try await fixture?.application.register()
        try await fixture?.connect()
        weak let central = fixture?.central
        fixture = nil
        try await eventually("the end of the central") { central == nil }
    }

    @Test("Calls pending on a device that is removed are never answered")
    @ClientActor func removalUnderARead() async throws {
        let fixture = try await ProbeFixture()
        try await fixture.connect()
        await fixture.simulate { _, probe in
            probe.characteristic(ProbeFixture.uuid("0001"))?.faults.delay = .seconds(60)
        }
        let read = try fixture.client.start(
            ProbeFixture.echo, "GattCharacteristic1", "ReadValue", [options()], limit: .seconds(1))
        _ = try await fixture.client.call(ProbeFixture.long, "org.freedesktop.DBus.Peer", "Ping")
        await fixture.simulate { bluez, probe in bluez.simulateDeviceRemoval(of: probe) }
        try await fixture.client.wait(for: "InterfacesRemoved / dev_BC_6A_29_AB_AB_51 ")
        let result = await read.result
        #expect(throws: DBusError.timedOut("ReadValue got no reply within 1 second")) { try result.get() }
    }

    @Test("Service Changed removes and adds objects while the link stays")
    @ClientActor func serviceChanged() async throws {
        let fixture = try await ProbeFixture()
        try await fixture.connect()
        await fixture.simulate { _, probe in
            probe.addService(
                ServiceSpecification(
                    0x1815, characteristics: [CharacteristicSpecification(0x2A56, .read, value: [1])]))
        }
        try await fixture.client.wait(for: "00001815-0000-1000-8000-00805f9b34fb,c0b1")
        let added = "dev_BC_6A_29_AB_AB_51/service0023"
        try await fixture.client.wait(for: "InterfacesAdded / \(added) ")
        let value = try await fixture.client.call(
            "/org/bluez/hci0/\(added)/char0024", "GattCharacteristic1", "ReadValue", [options()])
        #expect(value == [.bytes([1])])
        fixture.client.forget()
        await fixture.simulate { _, probe in
            if let service = probe[0x1815] { probe.removeService(service) }
        }
        try await fixture.client.wait(for: "InterfacesRemoved / \(added) ")
        #expect(fixture.client.record[0].hasPrefix("InterfacesRemoved / \(added)/char0024 "))
        #expect(!fixture.client.record.contains { $0.contains("ServicesResolved") })
    }

    @Test("Pair needs an agent, then reports Bonded and Paired before it answers")
    @ClientActor func pairing() async throws {
        let fixture = try await ProbeFixture()
        try await fixture.connect()
        let alone = try await fixture.client.error(ProbeFixture.device, "Device1", "Pair")
        #expect(alone == "org.bluez.Error.AuthenticationFailed: Authentication Failed")
        let agent = Value.objectPath(try ObjectPath("/agent"))
        let wrong = try await fixture.client.error(
            "/org/bluez", "AgentManager1", "RegisterAgent", [agent, .string("Telepathy")])
        #expect(wrong == "org.bluez.Error.InvalidArguments: Invalid arguments in method call")
        try await fixture.client.call(
            "/org/bluez", "AgentManager1", "RegisterAgent", [agent, .string("NoInputNoOutput")])
        try await fixture.client.call("/org/bluez", "AgentManager1", "RequestDefaultAgent", [agent])
        fixture.client.forget()
        try await fixture.client.call(ProbeFixture.device, "Device1", "Pair")
        #expect(
            fixture.client.record == [
                "PropertiesChanged dev_BC_6A_29_AB_AB_51 Device1 {Bonded=true,Paired=true} []", "= Pair",
            ]
        )
        let again = try await fixture.client.error(ProbeFixture.device, "Device1", "Pair")
        #expect(again == "org.bluez.Error.AlreadyExists: Already Exists")
    }

    @Test("The plug-ins report the GAP name, the PnP identifier and the battery")
    @ClientActor func plugins() async throws {
        let fixture = try await ProbeFixture()
        try await fixture.simulate { bluez, _ in
            try bluez.add(
                PeripheralSpecification(
                    name: "Long name\u{0}", address: "00:00:00:00:00:02",
                    advertisement: AdvertisementData(localName: "Short"),
                    services: [
                        ServiceSpecification(
                            0x180A,
                            characteristics: [
                                CharacteristicSpecification(0x2A50, .read, value: [1, 0x0D, 0, 0, 0, 0x10, 1])
                            ]),
                        ServiceSpecification(
                            0x180F,
                            characteristics: [CharacteristicSpecification(0x2A19, [.read, .notify], value: [77])]
                        ),
                    ]
                )
            )
        }
        try await fixture.client.call(ProbeFixture.adapter, "Adapter1", "StartDiscovery")
        try await fixture.client.wait(for: "InterfacesAdded / dev_00_00_00_00_00_02")
        try await fixture.client.call("/org/bluez/hci0/dev_00_00_00_00_00_02", "Device1", "Connect")
        try await fixture.client.wait(for: "Device1 {Alias=Long name,Name=Long name} []")
        try await fixture.client.wait(for: "Device1 {Modalias=bluetooth:v000Dp0000d0110} []")
        try await fixture.client.wait(for: "InterfacesAdded / dev_00_00_00_00_00_02 {Battery1={Percentage=77}}")
    }

    @Test("A read that wants security is never answered without an agent, and the device is removed; with one it pairs")
    @ClientActor func security() async throws {
        let fixture = try await ProbeFixture()
        try await fixture.connect()
        await fixture.simulate { bluez, probe in
            bluez.timing.temporaryDevice = .milliseconds(30)
            probe.characteristic(ProbeFixture.uuid("0001"))?.faults.readError = .insufficientAuthentication
        }
        let read = try fixture.client.start(
            ProbeFixture.echo, "GattCharacteristic1", "ReadValue", [options()], limit: .seconds(1))
        try await fixture.client.wait(for: "InterfacesRemoved / dev_BC_6A_29_AB_AB_51 ")
        let result = await read.result
        #expect(throws: DBusError.timedOut("ReadValue got no reply within 1 second")) { try result.get() }
        #expect(await fixture.simulate { _, probe in !probe.isConnected })

        await fixture.simulate { bluez, probe in
            bluez.timing.temporaryDevice = .seconds(30)
            probe.reset()
        }
        try fixture.client.exportAgent(at: "/agent")
        let agent = Value.objectPath(try ObjectPath("/agent"))
        try await fixture.client.call("/org/bluez", "AgentManager1", "RegisterAgent", [agent, .string("")])
        try await fixture.connect()
        await fixture.simulate { _, probe in
            probe.characteristic(ProbeFixture.uuid("0001"))?.faults.readError = .insufficientEncryption
        }
        let error = try await fixture.client.error(
            ProbeFixture.echo, "GattCharacteristic1", "ReadValue", [options()])
        #expect(error == "org.bluez.Error.NotPermitted: Not paired")
        #expect(fixture.client.record.first == "? RequestAuthorization")
        #expect(fixture.client.record.dropFirst().first?.contains("{Bonded=true,Paired=true}") == true)
    }

    @Test("Malformed signals and replies leave the simulator well")
    @ClientActor func malformed() async throws {
        let fixture = try await ProbeFixture()
        try await fixture.connect()
        try await fixture.simulate { bluez, probe in
            try bluez.simulateMalformedSignals(about: ProbeFixture.device)
            probe.characteristic(ProbeFixture.uuid("0001"))?.faults.malformsReplies = true
            probe.characteristic(ProbeFixture.uuid("0005"))?.faults.losesReplies = true
        }
        let value = try await fixture.client.call(
            ProbeFixture.echo, "GattCharacteristic1", "ReadValue", [options()])
        #expect(value == [.string("malformed")])
        let lost = try fixture.client.start(
            ProbeFixture.sink, "GattCharacteristic1", "WriteValue", [.bytes([1]), options()],
            limit: Duration.milliseconds(300).stretched)
        let result = await lost.result
        #expect(throws: DBusError.self) { try result.get() }
        #expect(
            await fixture.simulate { _, probe in probe.characteristic(ProbeFixture.uuid("0005"))?.value } == [1])
    }
}

extension ProbeFixture {
    func setPowered(_ value: Value) async throws {
        try await client.call(
            Self.adapter, "org.freedesktop.DBus.Properties", "Set",
            [.string("org.bluez.Adapter1"), .string("Powered"), .variant(value)]
        )
    }
}
