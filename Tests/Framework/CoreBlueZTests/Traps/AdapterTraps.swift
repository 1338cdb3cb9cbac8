import BlueZSimulator
import Foundation
import TestSupport
import Testing

@testable import CoreBlueZ

extension Traps {
    @Suite struct Adapters {
        @Test("Row 7: An adapter that is unplugged takes its devices with it, even if nothing is said of them")
        @BluetoothActor func cascade() async throws {
            let fixture = try await PeripheralFixture()
            let peripheral = try await fixture.connect()
            var lost: [BluetoothError?] = []
            peripheral.disconnectHandler = { lost.append($1) }
            try await fixture.simulator.removed("/org/bluez/hci0", ["org.bluez.Adapter1"])
            try await eventually("the end") { lost.count == 1 }
            let mirror = fixture.central.client.mirror
            #expect(mirror.devices.isEmpty && mirror.services.isEmpty && mirror.characteristics.isEmpty)
            #expect(fixture.central.state == .unsupported)
            #expect(fixture.central.stateError?.code == .adapterGone)
        }

        @Test("Row 7: An adapter chosen by its address is found again as hci1")
        @BluetoothActor func replug() async throws {
            let simulator = try await SimulatorFixture(
                .init(adapters: [AdapterSpecification(address: "00:AA:01:00:00:42")], timing: .instant))
            let fixture = PeripheralFixture(simulator, adapter: "00:AA:01:00:00:42")
            let peripheral = try await fixture.connect()
            await simulator.bluez.adapters[0].simulateUnplug()
            try await eventually("the adapter to go") { fixture.central.state == .unsupported }
            let gone = await fixture.failure { try await peripheral.connect() }
            #expect(gone?.code == .peripheralGone)
            await simulator.bluez.adapters[0].simulateReplug(asNumber: 1)
            try await fixture.central.waitUntilPoweredOn(timeout: .ample)
            let again = try await fixture.connect()
            #expect(again.path.string.hasPrefix("/org/bluez/hci1/"))
            #expect(try await fixture.value(of: again).readValue() == Data([1, 2, 3]))
        }

        @Test("Row 7: A call to an adapter that is gone says adapterGone")
        @BluetoothActor func unknownAdapter() async throws {
            let fixture = try await PeripheralFixture()
            await fixture.simulator.refuse(
                "SetDiscoveryFilter", of: "org.bluez.Adapter1", "org.freedesktop.DBus.Error.UnknownObject",
                """
                Method "SetDiscoveryFilter" with signature "a{sv}" on interface "org.bluez.Adapter1" doesn't exist

                """)
            let error = await fixture.failure { try await fixture.central.scanForPeripherals { _, _, _ in } }
            #expect(error?.code == .adapterGone)
        }

        @Test("Row 8: An adapter that goes off ends links and scans, and connecting says that it is off")
        @BluetoothActor func off() async throws {
            let fixture = try await PeripheralFixture()
            let peripheral = try await fixture.connect()
            var ended: [BluetoothError?] = []
            var lost: [BluetoothError?] = []
            peripheral.disconnectHandler = { lost.append($1) }
            fixture.central.scanForPeripherals { _, _, _ in
            } completion: {
                ended.append($0)
            }
            try await fixture.central.barrier()
            await fixture.simulator.bluez.adapters[0].simulatePower(false)
            try await eventually("the end") { ended.count == 1 && lost.count == 1 }
            #expect(ended.map { $0?.code } == [.adapterOff])
            #expect(fixture.central.state == .poweredOff)
            #expect(await fixture.failure { try await peripheral.connect() }?.code == .adapterOff)
            let scan = await fixture.failure { try await fixture.central.scanForPeripherals { _, _, _ in } }
            #expect(scan?.code == .adapterOff)
        }

        @Test("Row 8: Input output error of Connect is tried again if the power is on")
        @BluetoothActor func inputOutput() async throws {
            let fixture = try await PeripheralFixture()
            let peripheral = try await fixture.find()
            await fixture.simulator.keepCalls()
            await fixture.simulator.refuse(
                "Connect", of: "org.bluez.Device1", "org.bluez.Error.Failed", "Input/output error")
            // With the power on it is as any other failure of a link: another try gets it.
            try await peripheral.connect()
            #expect(await fixture.simulator.calls("Connect").count == 2)
        }

        @Test("Row 8: rfkill is named, with the command that unblocks")
        @BluetoothActor func rfkill() async throws {
            let fixture = try await PeripheralFixture(.init(timing: .instant, isExperimental: true))
            await fixture.simulator.bluez.adapters[0].simulateRFKill(true)
            try await eventually("the block") {
                fixture.central.stateError?.message.contains("rfkill") == true
            }
            #expect(fixture.central.state == .poweredOff)
            #expect(fixture.central.stateError?.message.contains("rfkill unblock bluetooth") == true)
            await fixture.simulator.bluez.adapters[0].simulateRFKill(false)
            try await fixture.central.waitUntilPoweredOn(timeout: .ample)
        }

        @Test("Row 8: A scan that resumes sets its filter and starts again when the power is back")
        @BluetoothActor func resumes() async throws {
            let fixture = try await PeripheralFixture()
            var found = 0
            var ended: [BluetoothError?] = []
            fixture.central.scanForPeripherals(options: ScanOptions(resumes: true)) { _, _, _ in
                found += 1
            } completion: {
                ended.append($0)
            }
            try await eventually("the peripheral") { found == 1 }
            await fixture.simulator.bluez.adapters[0].simulatePower(false)
            try await eventually("the loss") { fixture.central.state == .poweredOff }
            await fixture.simulator.keepCalls()
            await fixture.simulator.bluez.adapters[0].simulatePower(true)
            try await eventually("the peripheral again") { found == 2 }
            #expect(await fixture.simulator.members.prefix(2) == ["SetDiscoveryFilter", "StartDiscovery"])
            #expect(ended.isEmpty)
        }
    }
}
