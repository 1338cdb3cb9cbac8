import BlueZDBus
import BlueZSimulator
import TestSupport
import Testing

@Suite("Subscriptions to a program that offers services", .virtualTime) struct SubscriptionTests {
    @ClientActor private static func fixture(
        _ flags: [String], more: [String: Value] = [:], version: BlueZVersion = .v5_66
    ) async throws -> ServingFixture {
        var configuration = SimulatedBlueZ.Configuration(timing: .instant)
        configuration.version = version
        let fixture = try await ServingFixture(configuration)
        try fixture.application.addService()
        try fixture.application.addCharacteristic(flags, more: more)
        try await fixture.application.register()
        try await fixture.connect()
        return fixture
    }

    @Test("Only the first and the last central's subscription is a call") func count() async throws {
        try await ClientActor.run {
            let fixture = try await Self.fixture(["notify"])
            let other = await fixture.bluez.addCentral("F0:CA:FE:00:00:02")
            try await fixture.configure(1)
            try await fixture.configure(1)
            try await SimulatorActor.run {
                try await other.connect(timeout: .ample)
                try await other.discover()
                _ = try await other.configure(#require(other.characteristic(0x2A37)), 1)
            }
            try await fixture.application.report([1])
            #expect(try await fixture.updates(1).count == 1)
            try await eventually("the other's") { await other.updates.map(\.value) == [[1]] }
            try await fixture.configure(0)
            await SimulatorActor.run { other.disconnect() }
            try await fixture.application.wait(forCall: "StopNotify")
            // bluetoothd calls StartNotify for each central.
            #expect(fixture.application.calls == ["StartNotify char0", "StartNotify char0", "StopNotify char0"])
        }
    }

    @Test("A client configuration that the characteristic doesn't have is improper") func improper() async throws {
        try await ClientActor.run {
            let fixture = try await Self.fixture(["notify"])
            for value: UInt16 in [2, 3, 4] {
                #expect(try await fixture.configure(value) == .failure(ATTError(rawValue: 0xFD)))
            }
            #expect(fixture.application.calls.isEmpty)
        }
    }

    @Test("An indication waits for the confirmation of the one before") func indications() async throws {
        try await ClientActor.run {
            let fixture = try await Self.fixture(["indicate"])
            try await fixture.configure(2)
            await fixture.simulate { $0.confirmsIndications = false }
            try await fixture.application.report([1])
            try await fixture.application.report([2])
            let first = try await fixture.updates(1)
            #expect(first.map(\.value) == [[1]])
            #expect(first.map(\.isIndication) == [true])
            #expect(!fixture.application.calls.contains("Confirm char0"))
            await fixture.simulate { $0.confirmsIndications = true }
            #expect(try await fixture.updates(2).map(\.value) == [[1], [2]])
            try await eventually("both calls") {
                fixture.application.calls.filter { $0 == "Confirm char0" }.count == 2
            }
        }
    }

    @Test("An indication that is not confirmed in time ends the link") func unconfirmed() async throws {
        try await ClientActor.run {
            var timing = Timing.instant
            timing.attTransaction = .milliseconds(50)
            let fixture = try await ServingFixture(.init(timing: timing))
            try fixture.application.addService()
            try fixture.application.addCharacteristic(["indicate"])
            try await fixture.application.register()
            try await fixture.connect()
            try await fixture.configure(2)
            await fixture.simulate { $0.confirmsIndications = false }
            try await fixture.application.report([1])
            let central = fixture.central
            try await eventually("the end") { await !central.isConnected }
        }
    }

    @Test("A notification has at most MTU - 3 bytes") func cut() async throws {
        try await ClientActor.run {
            let fixture = try await Self.fixture(["notify"])
            await fixture.simulate { $0.disconnect() }
            try await fixture.connect(mtu: 23)
            try await fixture.configure(1)
            try await fixture.application.report(.init(repeating: 3, count: 30))
            #expect(try await fixture.updates(1).map(\.value) == [.init(repeating: 3, count: 20)])
        }
    }

    @Test("5.55 never notifies a characteristic that can also indicate", arguments: [true, false])
    @ClientActor func both(isOld: Bool) async throws {
        let fixture = try await Self.fixture(["notify", "indicate"], version: isOld ? .v5_55 : .v5_66)
        try await fixture.configure(1)
        try await fixture.application.report([1])
        try await fixture.configure(0)
        try await fixture.configure(2)
        try await fixture.application.report([2])
        let values = try await fixture.updates(isOld ? 1 : 2)
        #expect(values.map(\.value) == (isOld ? [[2]] : [[1], [2]]))
    }

    @Test("An acquired socket carries notifications", arguments: [BlueZVersion.v5_66, .v5_69])
    @ClientActor func acquireNotify(version: BlueZVersion) async throws {
        let fixture = try await Self.fixture(
            ["notify"], more: ["NotifyAcquired": .boolean(false)], version: version)
        let (ours, theirs) = try PacketSocket.pair()
        fixture.application.reply(
            .values([.fileDescriptor(theirs.descriptor), .uint16(517)]), to: "AcquireNotify")
        try await fixture.configure(1)
        try await fixture.application.wait(forCall: "AcquireNotify char0 {device=dev_F0_CA_FE_00_00_01")
        try await eventually("the notification") {
            ours.send([4])
            return await !fixture.central.updates.isEmpty
        }
        try await fixture.configure(0)
        try await eventually("the end of the socket") { ours.receive() == .end }
        #expect(!fixture.application.calls.contains("StopNotify char0"))
    }

    @Test("An acquired socket carries writes") @ClientActor func acquireWrite() async throws {
        let fixture = try await Self.fixture(
            ["write-without-response"], more: ["WriteAcquired": .boolean(false)])
        let (ours, theirs) = try PacketSocket.pair()
        fixture.application.reply(.values([.fileDescriptor(theirs.descriptor), .uint16(517)]), to: "AcquireWrite")
        #expect(try await fixture.write([1]) == .success([]))
        #expect(try await fixture.write([2]) == .success([]))
        #expect(ours.receive() == .bytes(.init([1])))
        #expect(ours.receive() == .bytes(.init([2])))
        #expect(fixture.application.calls.count == 1)
    }

    @Test("A bonded central's subscription stays counted after its link has ended", arguments: [true, false])
    @ClientActor func bonded(isBonded: Bool) async throws {
        let fixture = try await Self.fixture(["notify"])
        if isBonded {
            let agent = try await Client(fixture.bluez.address)
            try agent.exportAgent(at: "/agent")
            let path = Value.objectPath(try ObjectPath("/agent"))
            try await agent.call(
                "/org/bluez", "AgentManager1", "RegisterAgent", [path, .string("NoInputNoOutput")])
            #expect(try await fixture.simulate { try await $0.pair() })
        }
        try await fixture.configure(1)
        await fixture.simulate { $0.disconnect() }
        if !isBonded { try await fixture.application.wait(forCall: "StopNotify") }
        try await fixture.connect()
        #expect(!isBonded || !fixture.application.calls.contains("StopNotify char0"))
        try await fixture.simulate { central in
            let characteristic = try #require(central.characteristic(0x2A37))
            let handle = try #require(characteristic.descriptors.first { $0.value == 0x2902 }).key
            #expect(try await central.read(handle) == .success(isBonded ? [1, 0] : [0, 0]))
        }
        guard isBonded else { return }
        try await fixture.application.report([5])
        #expect(try await fixture.updates(1).map(\.value) == [[5]])
    }

    @Test("Service Changed is indicated when services come and go") @ClientActor func serviceChanged() async throws {
        let fixture = try await Self.fixture(["read"])
        try await fixture.configure(2, 0x2A05)
        try await fixture.application.unregister()
        #expect(try await fixture.updates(1).map(\.value) == [[0x15, 0, 0x17, 0]])
    }
}
