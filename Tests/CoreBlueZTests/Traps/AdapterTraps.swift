import BlueZSimulator
import DBus
import Foundation
import Testing

@testable import CoreBlueZ

extension Traps {
    @Suite struct Adapters {
        @Test("Row 7: An adapter that is unplugged takes its devices with it, even if nothing is said of them")
        func cascade() async throws {
            try await TrapStage.run { stage in
                let peripheral = try await stage.connect()
                var lost: [BluetoothError?] = []
                peripheral.disconnectHandler = { lost.append($1) }
                try await stage.world.removed("/org/bluez/hci0", ["org.bluez.Adapter1"])
                try await Patience.wait(for: "the end") { lost.count == 1 }
                let mirror = stage.central.client.mirror
                #expect(mirror.devices.isEmpty && mirror.services.isEmpty && mirror.characteristics.isEmpty)
                #expect(stage.central.state == .unsupported)
                #expect(stage.central.stateError?.code == .adapterGone)
            }
        }

        @Test("Row 7: An adapter chosen by its address is found again as hci1")
        func replug() async throws {
            let world = try await World(
                .init(adapters: [AdapterSpecification(address: "00:AA:01:00:00:42")], timing: .instant))
            try await BluetoothActor.run {
                let stage = TrapStage(world, adapter: "00:AA:01:00:00:42")
                let peripheral = try await stage.connect()
                await world.bluez.adapters[0].simulateUnplug()
                try await Patience.wait(for: "the adapter to go") { stage.central.state == .unsupported }
                let gone = await stage.failure { try await peripheral.connect() }
                #expect(gone?.code == .peripheralGone)
                await world.bluez.adapters[0].simulateReplug(asNumber: 1)
                try await stage.central.waitUntilPoweredOn(timeout: Patience.timeout)
                let again = try await stage.connect()
                #expect(again.path.string.hasPrefix("/org/bluez/hci1/"))
                #expect(try await stage.value(of: again).readValue() == Data([1, 2, 3]))
            }
        }

        @Test("Row 7: A call to an adapter that is gone says adapterGone")
        func unknownAdapter() async throws {
            try await TrapStage.run { stage in
                await stage.world.refuse(
                    "SetDiscoveryFilter", of: "org.bluez.Adapter1", "org.freedesktop.DBus.Error.UnknownObject",
                    """
                    Method "SetDiscoveryFilter" with signature "a{sv}" on interface "org.bluez.Adapter1" doesn't exist

                    """)
                let error = await stage.failure { try await stage.central.scanForPeripherals { _, _, _ in } }
                #expect(error?.code == .adapterGone)
            }
        }

        @Test("Row 8: An adapter that goes off ends links and scans, and connecting says that it is off")
        func off() async throws {
            try await TrapStage.run { stage in
                let peripheral = try await stage.connect()
                var ended: [BluetoothError?] = []
                var lost: [BluetoothError?] = []
                peripheral.disconnectHandler = { lost.append($1) }
                stage.central.scanForPeripherals { _, _, _ in
                } completion: {
                    ended.append($0)
                }
                try await stage.central.barrier()
                await stage.world.bluez.adapters[0].simulatePower(false)
                try await Patience.wait(for: "the end") { ended.count == 1 && lost.count == 1 }
                #expect(ended.map { $0?.code } == [.adapterOff])
                #expect(stage.central.state == .poweredOff)
                #expect(await stage.failure { try await peripheral.connect() }?.code == .adapterOff)
                let scan = await stage.failure { try await stage.central.scanForPeripherals { _, _, _ in } }
                #expect(scan?.code == .adapterOff)
            }
        }

        @Test(
            "Row 8: What bluetoothd says of an adapter that is off becomes adapterOff",
            arguments: [
                ("NotReady", "Resource Not Ready"), ("Blocked", "Blocked through rfkill"),
                ("Failed", "le-connection-adapter-not-powered"),
            ])
        func offTexts(name: String, text: String) {
            let error = DBusError(name: "org.bluez.Error.\(name)", message: text)
            #expect(BluetoothError(error, in: .discovery, "Scanning").code == .adapterOff)
        }

        @Test("Row 8: Input output error of Connect is tried again if the power is on")
        func inputOutput() async throws {
            try await TrapStage.run { stage in
                let peripheral = try await stage.find()
                await stage.world.keepCalls()
                await stage.world.refuse(
                    "Connect", of: "org.bluez.Device1", "org.bluez.Error.Failed", "Input/output error")
                // With the power on it is as any other failure of a link: another try gets it.
                try await peripheral.connect()
                #expect(await stage.world.calls("Connect").count == 2)
            }
        }

        @Test("Row 8: rfkill is named, with the command that unblocks")
        func rfkill() async throws {
            try await TrapStage.run(.init(timing: .instant, isExperimental: true)) { stage in
                await stage.world.bluez.adapters[0].simulateRFKill(true)
                try await Patience.wait(for: "the block") {
                    stage.central.stateError?.message.contains("rfkill") == true
                }
                #expect(stage.central.state == .poweredOff)
                #expect(stage.central.stateError?.message.contains("rfkill unblock bluetooth") == true)
                await stage.world.bluez.adapters[0].simulateRFKill(false)
                try await stage.central.waitUntilPoweredOn(timeout: Patience.timeout)
            }
        }

        @Test("Row 8: A scan that resumes sets its filter and starts again when the power is back")
        func resumes() async throws {
            try await TrapStage.run { stage in
                var found = 0
                var ended: [BluetoothError?] = []
                stage.central.scanForPeripherals(options: ScanOptions(resumes: true)) { _, _, _ in
                    found += 1
                } completion: {
                    ended.append($0)
                }
                try await Patience.wait(for: "the peripheral") { found == 1 }
                await stage.world.bluez.adapters[0].simulatePower(false)
                try await Patience.wait(for: "the loss") { stage.central.state == .poweredOff }
                await stage.world.keepCalls()
                await stage.world.bluez.adapters[0].simulatePower(true)
                try await Patience.wait(for: "the peripheral again") { found == 2 }
                #expect(await stage.world.members.prefix(2) == ["SetDiscoveryFilter", "StartDiscovery"])
                #expect(ended.isEmpty)
            }
        }
    }
}
