import BlueZDBus
import BlueZSimulator
import Foundation
import TestSupport
import Testing

@testable import CoreBlueZ

extension Traps {
    @Suite struct Scanning {
        @Test("Row 9: All scans of a process share one session: nothing is started twice")
        @BluetoothActor func shared() async throws {
            let fixture = try await PeripheralFixture()
            await fixture.simulator.keepCalls()
            let other = CentralManager(bus: fixture.simulator.bus)
            async let first = fixture.central.firstPeripheral(timeout: .ample)
            async let second = fixture.central.firstPeripheral(timeout: .ample)
            async let third = other.firstPeripheral(timeout: .ample)
            _ = try await (first, second, third)
            try await fixture.central.barrier()
            let members = await fixture.simulator.members.filter { $0.hasSuffix("Discovery") }
            #expect(!members.isEmpty)
            // Starts and stops alternate.
            #expect(members == members.indices.map { $0.isMultiple(of: 2) ? "StartDiscovery" : "StopDiscovery" })
        }

        @Test("Row 9: InProgress at the start is tried again until it passes")
        @BluetoothActor func passes() async throws {
            let fixture = try await PeripheralFixture()
            fixture.central.client.timeouts.discoveryBackOff = .milliseconds(5)
            await fixture.simulator.refuse(
                "StartDiscovery", of: "org.bluez.Adapter1", "org.bluez.Error.InProgress",
                "Operation already in progress", times: 9)
            _ = try await fixture.find()
        }

        @Test("Row 9: InProgress that stays says that the adapter is busy or stuck, and what to do")
        @BluetoothActor func stays() async throws {
            let fixture = try await PeripheralFixture()
            fixture.central.client.timeouts.discoveryBackOff = .milliseconds(1)
            await fixture.simulator.refuse(
                "StartDiscovery", of: "org.bluez.Adapter1", "org.bluez.Error.InProgress",
                "Operation already in progress", times: 20)
            let error = await fixture.failure { try await fixture.central.scanForPeripherals { _, _, _ in } }
            #expect(error?.code == .busy)
            #expect(error?.message.contains("stuck") == true)
            #expect(error?.bluezMessage == "Operation already in progress")
        }

        @Test(
            "Row 10: A stop that fails has stopped all the same, and the next scan starts",
            arguments: [
                ("org.bluez.Error.Failed", "No discovery started"),
                ("org.bluez.Error.NotReady", "Resource Not Ready"),
                ("org.bluez.Error.InProgress", "Operation already in progress"),
                ("org.freedesktop.DBus.Error.UnknownObject", "Method \"StopDiscovery\" doesn't exist"),
            ])
        @BluetoothActor func stop(name: String, text: String) async throws {
            let fixture = try await PeripheralFixture()
            fixture.central.client.timeouts.discoveryBackOff = .milliseconds(5)
            await fixture.simulator.refuse("StopDiscovery", of: "org.bluez.Adapter1", name, text)
            var ends: [BluetoothError?] = []
            fixture.central.scanForPeripherals { _, _, _ in
                fixture.central.stopScan()
            } completion: {
                ends.append($0)
            }
            try await eventually("the end") { ends.count == 1 }
            #expect(ends == [nil])
            // The session is gone as far as bluetoothd knows; here the refusal was only pretended, so it is not.
            await fixture.simulator.succeedWithoutEffect("StartDiscovery", of: "org.bluez.Adapter1")
            _ = try await fixture.find()
        }

        @Test("Row 10: Discovering that stays true, by another program, is not taken for a scan of ours")
        @BluetoothActor func foreign() async throws {
            let fixture = try await PeripheralFixture()
            try await fixture.simulator.propertiesChanged(
                "/org/bluez/hci0", "org.bluez.Adapter1", ["Discovering": .boolean(true)])
            try await fixture.central.barrier()
            #expect(!fixture.central.isScanning)
            await fixture.simulator.keepCalls()
            _ = try await fixture.find()
            #expect(await fixture.simulator.members.contains("StartDiscovery"))
        }

        @Test("Row 11: The transport is set to LE before each start, so that a device without flags is found")
        @BluetoothActor func filterFirst() async throws {
            let fixture = try await PeripheralFixture()
            await fixture.simulator.perform { $0.peripheral.advertisement.flags = nil }
            await fixture.simulator.keepCalls()
            _ = try await fixture.find()
            try await eventually("the stop") { await fixture.simulator.members.contains("StopDiscovery") }
            try await fixture.central.barrier()
            _ = try await fixture.find()
            try await fixture.central.barrier()
            let calls = await fixture.simulator.bluez.calls.filter {
                $0.member.hasSuffix("Discovery") || $0.member.contains("Filter")
            }
            #expect(
                calls.map(\.member).filter { $0 != "StopDiscovery" }
                    == ["SetDiscoveryFilter", "StartDiscovery", "SetDiscoveryFilter", "StartDiscovery"])
            #expect(
                calls[0].arguments
                    == [.properties(["Transport": .string("le"), "DuplicateData": .boolean(false)])])
        }

        // The third column clears the filter on stop. Here each start sets the whole filter anew, and bluetoothd merges
        // the filters of running sessions only (src/adapter.c: merge_discovery_filters): there is nothing to clear.
        @Test("Row 12: UUIDs are filtered on this side and never sent: one version crashes on them")
        @BluetoothActor func services() async throws {
            let fixture = try await PeripheralFixture()
            let other: BluetoothUUID = "F0001234-0451-4000-B000-000000000000"
            await fixture.simulator.perform { simulator in
                simulator.peripheral.advertisement.serviceUUIDs = [SimulatorFixture.service]
                #expect(throws: Never.self) {
                    try simulator.bluez.add(
                        PeripheralSpecification(
                            name: "Other", address: "BC:6A:29:00:00:02",
                            advertisement: AdvertisementData(serviceUUIDs: [other]),
                            advertisingInterval: .milliseconds(100)))
                }
                simulator.keepCalls()
            }
            var names: Set<String?> = []
            fixture.central.scanForPeripherals(withServices: [SimulatorFixture.service]) { peripheral, _, _ in
                names.insert(peripheral.name)
            } completion: { _ in
            }
            try await eventually("both devices") {
                fixture.central.client.mirror.devices.count == 2 && !names.isEmpty
            }
            #expect(names == ["Watch"])
            let filters = await fixture.simulator.calls("SetDiscoveryFilter").flatMap(\.arguments)
            #expect(filters == [.properties(["Transport": .string("le"), "DuplicateData": .boolean(false)])])
        }

        @Test("Row 12: A filter that bluetoothd refuses is an error and not a scan without it")
        @BluetoothActor func refusedFilter() async throws {
            let fixture = try await PeripheralFixture()
            await fixture.simulator.keepCalls()
            await fixture.simulator.refuse(
                "SetDiscoveryFilter", of: "org.bluez.Adapter1", "org.bluez.Error.InvalidArguments",
                "Invalid arguments in method call")
            let error = await fixture.failure { try await fixture.central.scanForPeripherals { _, _, _ in } }
            #expect(error?.code == .invalidArguments)
            #expect(await !fixture.simulator.members.contains("StartDiscovery"))
        }
    }
}
