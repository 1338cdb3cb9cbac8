import BlueZDBus
import BlueZSimulator
import Foundation
import TestSupport
import Testing

@testable import CoreBlueZ

extension Traps.Connecting {
    struct WrongBearer: Sendable, CustomTestStringConvertible {
        let name: String
        let text: String
        var testDescription: String { text }
    }

    static let wrongBearers = [
        WrongBearer(name: "org.bluez.Error.NotAvailable", text: "br-connection-profile-unavailable"),
        WrongBearer(name: "org.bluez.Error.BREDR.ProfileUnavailable", text: "No more profiles to connect to"),
        WrongBearer(name: "org.bluez.Error.Failed", text: "br-connection-page-timeout"),
    ]

    @Test(
        "Row 22: A device with two transports that BlueZ takes over BR EDR is an error of its own",
        arguments: wrongBearers)
    @BluetoothActor func wrongBearer(row: WrongBearer) async throws {
        let fixture = try await PeripheralFixture()
        let peripheral = try await fixture.find()
        await fixture.simulator.refuse("Connect", of: "org.bluez.Device1", row.name, row.text)
        let error = await fixture.failure { try await peripheral.connect() }
        #expect(error?.code == .wrongBearer)
        #expect(error?.message.contains("BR/EDR") == true)
    }

    @Test("Row 22: If BlueZ can be made to prefer LE, it is, and connecting goes on", arguments: wrongBearers)
    @BluetoothActor func prefersLE(row: WrongBearer) async throws {
        let fixture = try await PeripheralFixture()
        let peripheral = try await fixture.find()
        try await fixture.simulator.deviceChanged(["PreferredBearer": .string("last-used")])
        try await fixture.central.barrier()
        await fixture.simulator.keepCalls()
        await fixture.simulator.refuse("Connect", of: "org.bluez.Device1", row.name, row.text)
        await fixture.simulator.succeedWithoutEffect("Set", of: "org.freedesktop.DBus.Properties")
        try await peripheral.connect()
        let set = await fixture.simulator.calls("Set").first?.arguments
        #expect(
            set == [
                .string("org.bluez.Device1"), .string("PreferredBearer"), .variant(.string("le")),
            ])
    }

    @Test("Row 22: An LE interface without Connect, as of BlueZ 5.84, falls back to the property")
    @BluetoothActor func oldLEInterface() async throws {
        let fixture = try await PeripheralFixture()
        let peripheral = try await fixture.find()
        try await fixture.simulator.added(
            SimulatorFixture.device, ["org.bluez.Bearer.LE1": ["Connected": .boolean(false)]])
        try await fixture.simulator.deviceChanged(["PreferredBearer": .string("bredr")])
        try await fixture.central.barrier()
        await fixture.simulator.refuse(
            "Connect", of: "org.bluez.Device1", "org.bluez.Error.NotAvailable",
            "br-connection-profile-unavailable")
        await fixture.simulator.succeedWithoutEffect("Set", of: "org.freedesktop.DBus.Properties")
        try await peripheral.connect()
        #expect(peripheral.isConnected)
    }

    @Test("Row 23: A link that another run or program made is adopted, and connect succeeds at once")
    @BluetoothActor func adopted() async throws {
        let fixture = try await PeripheralFixture()
        do {
            let other = CentralManager(bus: fixture.simulator.bus)
            try await other.firstPeripheral(timeout: .ample).connect()
        }
        let peripheral = try #require(fixture.central.retrieveKnownPeripherals().first)
        #expect(peripheral.isConnected)
        try await peripheral.connect()
        for service in try await peripheral.discoverServices() { try await service.discoverCharacteristics() }
        #expect(try await fixture.value(of: peripheral).readValue() == Data([1, 2, 3]))
    }

    // The third column ends links with their manager by default. Here they stay, unless disconnectsAtEnd: another
    // manager or program may use the same link, and a manager cannot know.
    @Test(
        "Row 23: A manager that shall end its links does so, and leaves those of others alone",
        arguments: [true, false])
    @BluetoothActor func endsLinks(isOwn: Bool) async throws {
        let fixture = try await PeripheralFixture()
        if !isOwn { try await fixture.find().connect() }
        await fixture.simulator.keepCalls()
        do {
            let other = CentralManager(bus: fixture.simulator.bus)
            other.disconnectsAtEnd = true
            let peripheral =
                isOwn
                ? try await other.firstPeripheral(timeout: .ample)
                : try #require(other.retrieveKnownPeripherals().first)
            try await peripheral.connect()
        }
        try await fixture.central.barrier()
        #expect(await fixture.simulator.calls("Disconnect").count == (isOwn ? 1 : 0))
    }

    @Test("Row 23: A link that comes by itself is there, and its end is reported")
    @BluetoothActor func unsolicited() async throws {
        let fixture = try await PeripheralFixture()
        let peripheral = try await fixture.find()
        var losses: [BluetoothError?] = []
        peripheral.disconnectHandler = { losses.append($1) }
        try await fixture.simulator.deviceChanged(["Connected": .boolean(true)])
        try await eventually("the link") { peripheral.state == .connected }
        try await fixture.simulator.deviceChanged(["Connected": .boolean(false)])
        try await eventually("its end") { losses.count == 1 }
        #expect(losses.map { $0?.code } == [.disconnected])
    }

    @Test("Row 24: A device that is only removed has ended its link, once")
    @BluetoothActor func onlyRemoved() async throws {
        let fixture = try await PeripheralFixture()
        let peripheral = try await fixture.connect()
        var losses: [BluetoothError?] = []
        peripheral.disconnectHandler = { losses.append($1) }
        try await fixture.simulator.removed(SimulatorFixture.device, ["org.bluez.Device1"])
        try await fixture.simulator.deviceChanged(["Connected": .boolean(false)])
        try await fixture.central.barrier()
        #expect(losses.map { $0?.code } == [.peripheralGone])
        #expect(peripheral.state == .disconnected)
    }

    @Test(
        "Row 24: The reason that newer versions give for a lost link is in the error",
        arguments: ["Unknown", "Timeout", "Remote", "Authentication", "Suspend"])
    @BluetoothActor func reason(name: String) async throws {
        let fixture = try await PeripheralFixture()
        let peripheral = try await fixture.connect()
        var losses: [BluetoothError?] = []
        peripheral.disconnectHandler = { losses.append($1) }
        try await fixture.simulator.bluez.simulateSignal(
            "Disconnected", of: "org.bluez.Device1", from: SimulatorFixture.device,
            [.string("org.bluez.Reason." + name), .string("Connection was ended")])
        await fixture.simulator.disconnect()
        try await eventually("the end") { losses.count == 1 }
        #expect(losses[0]?.code == .disconnected)
        #expect(losses[0]?.bluezName == "org.bluez.Reason." + name)
        #expect(losses[0]?.bluezMessage == "Connection was ended")
        // The next link's end has no such reason.
        try await peripheral.connect()
        await fixture.simulator.disconnect()
        try await eventually("the end") { losses.count == 2 }
        #expect(losses[1]?.bluezName == nil)
    }

    @Test("Row 24: bluetoothd 5.83 says before the end of a link who ended it")
    @BluetoothActor func reasons() async throws {
        var configuration = SimulatedBlueZ.Configuration(timing: .instant)
        configuration.version = .v5_83
        let fixture = try await PeripheralFixture(configuration)
        let peripheral = try await fixture.connect()
        var losses: [String?] = []
        peripheral.disconnectHandler = { losses.append($1?.bluezName) }
        await fixture.simulator.disconnect()
        try await eventually("the end by the peripheral") { losses.count == 1 }
        try await peripheral.connect()
        await fixture.simulator.perform { $0.peripheral.simulateRangeLoss() }
        try await eventually("the loss") { losses.count == 2 }
        #expect(losses == ["org.bluez.Reason.Remote", "org.bluez.Reason.Timeout"])
    }

    @Test("Row 25: A private address that is resolved changes the address, and nothing else of the peripheral")
    @BluetoothActor func resolvedAddress() async throws {
        let fixture = try await PeripheralFixture()
        let peripheral = try await fixture.connect()
        try await fixture.simulator.deviceChanged([
            "Address": .string("C0:FF:EE:00:00:01"), "AddressType": .string("random"), "Paired": .boolean(true),
        ])
        let address = try #require(BluetoothAddress("C0:FF:EE:00:00:01"))
        try await eventually("the address") { peripheral.address == address }
        #expect(peripheral.addressKind == .random)
        #expect(fixture.central.retrievePeripheral(withIdentifier: address) === peripheral)
        #expect(peripheral.path.string == SimulatorFixture.device)
        #expect(try await fixture.value(of: peripheral).readValue() == Data([1, 2, 3]))
    }
}
