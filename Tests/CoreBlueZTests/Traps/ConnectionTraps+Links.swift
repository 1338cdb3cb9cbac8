import BlueZSimulator
import DBus
import Foundation
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
    func wrongBearer(row: WrongBearer) async throws {
        try await TrapStage.run { stage in
            let peripheral = try await stage.find()
            await stage.world.refuse("Connect", of: "org.bluez.Device1", row.name, row.text)
            let error = await stage.failure { try await peripheral.connect() }
            #expect(error?.code == .wrongBearer)
            #expect(error?.message.contains("BR/EDR") == true)
        }
    }

    @Test("Row 22: If BlueZ can be made to prefer LE, it is, and connecting goes on", arguments: wrongBearers)
    func prefersLE(row: WrongBearer) async throws {
        try await TrapStage.run { stage in
            let peripheral = try await stage.find()
            try await stage.world.deviceChanged(["PreferredBearer": .string("last-used")])
            try await stage.central.barrier()
            await stage.world.keepCalls()
            await stage.world.refuse("Connect", of: "org.bluez.Device1", row.name, row.text)
            await stage.world.succeedWithoutEffect("Set", of: "org.freedesktop.DBus.Properties")
            try await peripheral.connect()
            let set = await stage.world.calls("Set").first?.arguments
            #expect(
                set == [
                    .string("org.bluez.Device1"), .string("PreferredBearer"), .variant(.string("le")),
                ])
        }
    }

    @Test("Row 22: An LE interface without Connect, as of BlueZ 5.84, falls back to the property")
    func oldLEInterface() async throws {
        try await TrapStage.run { stage in
            let peripheral = try await stage.find()
            try await stage.world.added(
                TrapStage.device, ["org.bluez.Bearer.LE1": ["Connected": .boolean(false)]])
            try await stage.world.deviceChanged(["PreferredBearer": .string("bredr")])
            try await stage.central.barrier()
            await stage.world.refuse(
                "Connect", of: "org.bluez.Device1", "org.bluez.Error.NotAvailable",
                "br-connection-profile-unavailable")
            await stage.world.succeedWithoutEffect("Set", of: "org.freedesktop.DBus.Properties")
            try await peripheral.connect()
            #expect(peripheral.isConnected)
        }
    }

    @Test("Row 23: A link that another run or program made is adopted, and connect succeeds at once")
    func adopted() async throws {
        try await TrapStage.run { stage in
            do {
                let other = CentralManager(bus: stage.world.bus)
                try await other.firstPeripheral(timeout: Patience.timeout).connect()
            }
            let peripheral = try #require(stage.central.retrieveKnownPeripherals().first)
            #expect(peripheral.isConnected)
            try await peripheral.connect()
            for service in try await peripheral.discoverServices() { try await service.discoverCharacteristics() }
            #expect(try await stage.value(of: peripheral).readValue() == Data([1, 2, 3]))
        }
    }

    // The third column ends links with their manager by default. Here they stay, unless disconnectsAtEnd: another
    // manager or program may use the same link, and a manager cannot know.
    @Test(
        "Row 23: A manager that shall end its links does so, and leaves those of others alone",
        arguments: [true, false])
    func endsLinks(isOwn: Bool) async throws {
        try await TrapStage.run { stage in
            if !isOwn { try await stage.find().connect() }
            await stage.world.keepCalls()
            do {
                let other = CentralManager(bus: stage.world.bus)
                other.disconnectsAtEnd = true
                let peripheral =
                    isOwn
                    ? try await other.firstPeripheral(timeout: Patience.timeout)
                    : try #require(other.retrieveKnownPeripherals().first)
                try await peripheral.connect()
            }
            try await stage.central.barrier()
            #expect(await stage.world.calls("Disconnect").count == (isOwn ? 1 : 0))
        }
    }

    @Test("Row 23: A link that comes by itself is there, and its end is reported")
    func unsolicited() async throws {
        try await TrapStage.run { stage in
            let peripheral = try await stage.find()
            var losses: [BluetoothError?] = []
            peripheral.disconnectHandler = { losses.append($1) }
            try await stage.world.deviceChanged(["Connected": .boolean(true)])
            try await Patience.wait(for: "the link") { peripheral.state == .connected }
            try await stage.world.deviceChanged(["Connected": .boolean(false)])
            try await Patience.wait(for: "its end") { losses.count == 1 }
            #expect(losses.map { $0?.code } == [.disconnected])
        }
    }

    @Test("Row 24: A device that is only removed has ended its link, once")
    func onlyRemoved() async throws {
        try await TrapStage.run { stage in
            let peripheral = try await stage.connect()
            var losses: [BluetoothError?] = []
            peripheral.disconnectHandler = { losses.append($1) }
            try await stage.world.removed(TrapStage.device, ["org.bluez.Device1"])
            try await stage.world.deviceChanged(["Connected": .boolean(false)])
            try await stage.central.barrier()
            #expect(losses.map { $0?.code } == [.peripheralGone])
            #expect(peripheral.state == .disconnected)
        }
    }

    @Test(
        "Row 24: The reason that newer versions give for a lost link is in the error",
        arguments: ["Unknown", "Timeout", "Remote", "Authentication", "Suspend"])
    func reason(name: String) async throws {
        try await TrapStage.run { stage in
            let peripheral = try await stage.connect()
            var losses: [BluetoothError?] = []
            peripheral.disconnectHandler = { losses.append($1) }
            try await stage.world.bluez.simulateSignal(
                "Disconnected", of: "org.bluez.Device1", from: TrapStage.device,
                [.string("org.bluez.Reason." + name), .string("Connection was ended")])
            await stage.world.disconnect()
            try await Patience.wait(for: "the end") { losses.count == 1 }
            #expect(losses[0]?.code == .disconnected)
            #expect(losses[0]?.bluezName == "org.bluez.Reason." + name)
            #expect(losses[0]?.bluezMessage == "Connection was ended")
            // The next link's end has no such reason.
            try await peripheral.connect()
            await stage.world.disconnect()
            try await Patience.wait(for: "the end") { losses.count == 2 }
            #expect(losses[1]?.bluezName == nil)
        }
    }

    @Test("Row 25: A private address that is resolved changes the address, and nothing else of the peripheral")
    func resolvedAddress() async throws {
        try await TrapStage.run { stage in
            let peripheral = try await stage.connect()
            try await stage.world.deviceChanged([
                "Address": .string("C0:FF:EE:00:00:01"), "AddressType": .string("random"), "Paired": .boolean(true),
            ])
            let address = try #require(BluetoothAddress("C0:FF:EE:00:00:01"))
            try await Patience.wait(for: "the address") { peripheral.address == address }
            #expect(peripheral.addressKind == .random)
            #expect(stage.central.retrievePeripheral(withIdentifier: address) === peripheral)
            #expect(peripheral.path.string == TrapStage.device)
            #expect(try await stage.value(of: peripheral).readValue() == Data([1, 2, 3]))
        }
    }
}
