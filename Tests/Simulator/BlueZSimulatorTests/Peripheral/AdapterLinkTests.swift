import BlueZDBus
import BlueZSimulator
import TestSupport
import Testing

@Suite("A link between two adapters", .virtualTime) struct AdapterLinkTests {
    private static let device = "/org/bluez/hci1/dev_00_AA_01_00_00_42"
    private static let central = "dev_00_AA_01_00_00_43"
    private static let characteristic = device + "/service0015/char0016"

    /// An application on hci0, and a client of hci1 that has connected to it.
    @ClientActor private static func fixture(
        _ flags: [String] = ["read", "write", "notify"]
    ) async throws -> (fixture: ServingFixture, client: Client) {
        let adapters = [AdapterSpecification(), AdapterSpecification(address: "00:AA:01:00:00:43", name: "other")]
        let fixture = try await ServingFixture(.init(adapters: adapters, timing: .instant))
        try fixture.application.addService()
        try fixture.application.addCharacteristic(flags)
        try await fixture.application.register()
        let client = try await Client(fixture.bluez.address)
        let bluez = fixture.bluez
        await SimulatorActor.run { bluez.adapters[1].find(bluez.adapters[0]) }
        try await client.call(device, "Device1", "Connect")
        try await wait(client, device, "ServicesResolved=true")
        try await wait(client, central, "ServicesResolved=true")
        return (fixture, client)
    }

    /// Waits until bluetoothd has reported a change of a device.
    @ClientActor private static func wait(_ client: Client, _ device: String, _ change: String) async throws {
        try await client.wait("\(change) of \(device)") { client in
            client.record.contains { $0.contains("\(device) Device1 {") && $0.contains(change) }
        }
    }

    @Test("A client of the other adapter reads, writes and subscribes") func all() async throws {
        try await ClientActor.run {
            let (fixture, client) = try await Self.fixture()
            let value = try await client.call(Self.characteristic, "GattCharacteristic1", "ReadValue", [options()])
            #expect(value == [.bytes([1, 2, 3])])
            try await client.call(Self.characteristic, "GattCharacteristic1", "WriteValue", [.bytes([7]), options()])
            try await client.call(Self.characteristic, "GattCharacteristic1", "StartNotify")
            try await fixture.application.wait(forCall: "StartNotify")
            try await fixture.application.report([9])
            try await client.wait(for: "Value=0x09")
            let device = Self.central
            #expect(
                fixture.application.calls == [
                    "ReadValue char0 {device=\(device),link=LE,mtu=517}",
                    "WriteValue char0 0x07 {device=\(device),link=LE,mtu=517}", "StartNotify char0",
                ])
        }
    }

    @Test("A long value is read and written in parts") func long() async throws {
        try await ClientActor.run {
            let (fixture, client) = try await Self.fixture()
            try await client.call(
                Self.characteristic, "GattCharacteristic1", "WriteValue",
                [.bytes([1, 2]), options(["offset": .uint16(4)])])
            #expect(
                fixture.application.calls == [
                    "WriteValue char0 0x0102 {device=\(Self.central),link=LE,mtu=517,offset=4}"
                ])
        }
    }

    @Test(
        "A read ends at the 512th byte, whatever the offset and the application's responses", arguments: [500, 65500])
    @ClientActor func longest(_ offset: UInt16) async throws {
        let (fixture, client) = try await Self.fixture()
        fixture.application.reply(.values([.bytes([UInt8](repeating: 7, count: 600))]), to: "ReadValue")
        let value = try await client.call(
            Self.characteristic, "GattCharacteristic1", "ReadValue", [options(["offset": .uint16(offset)])])
        #expect(value == [.bytes([UInt8](repeating: 7, count: offset < 512 ? 512 - Int(offset) : 0))])
        #expect(fixture.application.calls.count == 1)
    }

    @Test("The device's name is that of the adapter") @ClientActor func name() async throws {
        let (_, client) = try await Self.fixture()
        try await Self.wait(client, Self.central, "Name=other")
        try await Self.wait(client, Self.device, "Name=simulator")
    }

    /// What ends a link.
    enum End: CaseIterable, Sendable {
        case disconnectCentral
        case disconnectPeripheral
        case powerCentral
        case powerPeripheral
        case unplugPeripheral
        case unplugCentral
        case range
    }

    @Test("Either side ends the link", arguments: End.allCases) @ClientActor func end(_ end: End) async throws {
        let (fixture, client) = try await Self.fixture()
        client.forget()
        let bluez = fixture.bluez
        switch end {
        case .disconnectCentral: try await client.call(Self.device, "Device1", "Disconnect")
        case .disconnectPeripheral:
            try await client.call(ProbeFixture.adapter + "/" + Self.central, "Device1", "Disconnect")
        case .powerCentral: await SimulatorActor.run { bluez.adapters[1].simulatePower(false) }
        case .powerPeripheral: await SimulatorActor.run { bluez.adapters[0].simulatePower(false) }
        case .unplugPeripheral: await SimulatorActor.run { bluez.adapters[0].simulateUnplug() }
        case .range: await SimulatorActor.run { bluez.adapters[0].simulateRangeLoss() }
        case .unplugCentral: await SimulatorActor.run { bluez.adapters[1].simulateUnplug() }
        }
        if end != .unplugCentral { try await Self.wait(client, Self.device, "Connected=false") }
        if end != .unplugPeripheral { try await Self.wait(client, Self.central, "Connected=false") }
    }

    @Test("A new service appears on the other adapter") @ClientActor func serviceChanged() async throws {
        let (fixture, client) = try await Self.fixture()
        client.forget()
        try await fixture.application.unregister()
        try await client.wait(for: "InterfacesRemoved / \(Self.device)/service0015")
        try await fixture.application.register()
        try await client.wait(for: "InterfacesAdded / \(Self.device)/service0019")
    }

    @Test("An attribute that needs it makes both adapters pair") @ClientActor func pairing() async throws {
        let (fixture, client) = try await Self.fixture(["encrypt-read"])
        try client.exportAgent(at: "/agent")
        let path = Value.objectPath(try ObjectPath("/agent"))
        try await client.call("/org/bluez", "AgentManager1", "RegisterAgent", [path, .string("NoInputNoOutput")])
        try await client.call(Self.characteristic, "GattCharacteristic1", "ReadValue", [options()])
        try await Self.wait(client, Self.central, "Bonded=true")
        try await Self.wait(client, Self.device, "Bonded=true")
        #expect(fixture.application.calls.count == 1)
    }

    @Test("A crash of bluetoothd ends the link of a central, which connects again") @ClientActor func crash()
        async throws
    {
        let (fixture, _) = try await Self.fixture()
        try await fixture.connect()
        let bluez = fixture.bluez
        try await fixture.simulate { central in
            bluez.simulateCrash()
            #expect(!central.isConnected)
            try await bluez.restart()
        }
        await #expect(throws: CentralError.timedOut) {
            try await fixture.simulate { try await $0.connect(timeout: .milliseconds(10)) }
        }
        try await fixture.application.register()
        try await fixture.connect()
        #expect(try await fixture.read() == .success([1, 2, 3]))
    }
}
