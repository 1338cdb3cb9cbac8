import BlueZDBus
import BlueZSimulator
import Foundation
import TestSupport
import Testing

@testable import CoreBlueZ

extension Traps {
    @Suite struct Services {
        @Test("Row 26: Services whose objects come after ServicesResolved are all found")
        @BluetoothActor func late() async throws {
            let fixture = try await PeripheralFixture()
            await fixture.simulator.perform { $0.peripheral.connectionFault = .earlyResolution }
            let peripheral = try await fixture.find()
            try await peripheral.connect()
            let services = try await peripheral.discoverServices()
            let expected = await fixture.simulator.services
            // bluetoothd keeps Generic Access (1800) to itself.
            #expect(services.map(\.uuid) == expected.filter { $0 != 0x1800 })
            for service in services { #expect(try await !service.discoverCharacteristics().isEmpty) }
        }

        // bluetoothd's own words would be "resolved". Disconnecting and trying again is left to the program, which the
        // message advises: the link may be another program's too.
        @Test("Row 27: Services that are resolved without any are an error that says what to do")
        @BluetoothActor func empty() async throws {
            let fixture = try await PeripheralFixture()
            await fixture.simulator.perform { $0.peripheral.connectionFault = .emptyDiscovery }
            let peripheral = try await fixture.find()
            try await peripheral.connect()
            let error = await fixture.failure { try await peripheral.discoverServices() }
            #expect(error?.code == .discoveryFailed)
            #expect(error?.message.contains("disconnect and connect again") == true)
            await fixture.simulator.perform { $0.peripheral.connectionFault = nil }
            try await peripheral.disconnect()
            try await peripheral.connect()
            #expect(try await !peripheral.discoverServices().isEmpty)
        }

        @Test("Row 27: A link that drops before the services are resolved ends their discovery")
        @BluetoothActor func dropped() async throws {
            let fixture = try await PeripheralFixture()
            await fixture.simulator.perform { $0.peripheral.connectionFault = .stalledDiscovery }
            let peripheral = try await fixture.find()
            try await peripheral.connect()
            var errors: [BluetoothError?] = []
            peripheral.discoverServices { errors.append($1) }
            try await fixture.central.barrier()
            #expect(errors.isEmpty)
            await fixture.simulator.disconnect()
            try await eventually("the end") { !errors.isEmpty }
            await fixture.central.settle()
            #expect(errors.map { $0?.code } == [.disconnected])
        }

        @Test("Row 27: Services that are never resolved end at the timeout")
        @BluetoothActor func never() async throws {
            let fixture = try await PeripheralFixture()
            fixture.central.client.timeouts.services = .milliseconds(40)
            await fixture.simulator.perform { $0.peripheral.connectionFault = .stalledDiscovery }
            let peripheral = try await fixture.find()
            try await peripheral.connect()
            #expect(await fixture.failure { try await peripheral.discoverServices() }?.code == .timedOut)
        }

        @Test("Row 28: Services that go and come while connected are reported once they are resolved again")
        @BluetoothActor func modified() async throws {
            let fixture = try await PeripheralFixture()
            let peripheral = try await fixture.connect()
            let service = try #require(peripheral[SimulatorFixture.service])
            let value = try fixture.value(of: peripheral)
            let updates = try fixture.updates(of: peripheral)
            var ends: [BluetoothError?] = []
            service.updateHandler = { _, error in ends.append(error) }
            try await updates.setNotifyValue(true)
            var changes = 0
            peripheral.servicesChangedHandler = { _ in changes += 1 }
            try await fixture.simulator.deviceChanged(["ServicesResolved": .boolean(false)])
            await fixture.simulator.perform { simulator in
                if let old = simulator.peripheral[SimulatorFixture.service] {
                    simulator.peripheral.removeService(old)
                }
            }
            try await eventually("the end of notifications") { ends.count == 1 }
            #expect(ends.map { $0?.code } == [.attributeGone])
            #expect(await fixture.failure { try await value.readValue() }?.code == .notDiscovered)
            #expect(changes == 0)
            await fixture.simulator.perform { simulator in
                _ = simulator.peripheral.addService(
                    ServiceSpecification(
                        SimulatorFixture.service,
                        characteristics: [
                            CharacteristicSpecification(SimulatorFixture.value, [.read], value: [9]),
                            CharacteristicSpecification(SimulatorFixture.updates, [.read, .notify], value: [0]),
                        ]))
            }
            try await fixture.simulator.deviceChanged(["ServicesResolved": .boolean(true)])
            try await eventually("the change") { changes > 0 }
            try await fixture.central.barrier()
            #expect(changes == 1)
            for service in try await peripheral.discoverServices() { try await service.discoverCharacteristics() }
            #expect(try await fixture.value(of: peripheral).readValue() == Data([9]))
            try await fixture.updates(of: peripheral).setNotifyValue(true)
        }

        @Test(
            "Row 28: A call of an object that is gone says attributeGone",
            arguments: ["UnknownObject", "UnknownMethod"])
        @BluetoothActor func stalePath(name: String) async throws {
            let fixture = try await PeripheralFixture()
            let value = try fixture.value(of: try await fixture.connect())
            await fixture.simulator.refuse(
                "ReadValue", of: "org.bluez.GattCharacteristic1", "org.freedesktop.DBus.Error." + name,
                "Method \"ReadValue\" with signature \"a{sv}\" on interface "
                    + "\"org.bluez.GattCharacteristic1\" doesn't exist\n")
            #expect(await fixture.failure { try await value.readValue() }?.code == .attributeGone)
        }

        @Test(
            "Row 29: ATT errors of handles that moved say that BlueZ remembers wrongly",
            arguments: [0x01, 0x0A] as [UInt8])
        @BluetoothActor func staleHandles(code: UInt8) async throws {
            let fixture = try await PeripheralFixture()
            let value = try fixture.value(of: try await fixture.connect())
            await fixture.simulator.perform {
                $0.peripheral.characteristic(SimulatorFixture.value)?.faults.readError = ATTError(rawValue: code)
            }
            let error = await fixture.failure { try await value.readValue() }
            #expect(error?.attError?.rawValue == code)
            #expect(error?.message.contains("remove the device") == true)
        }

        @Test("Row 30: A write to a service that bluetoothd keeps for itself names the setting")
        @BluetoothActor func claimed() async throws {
            let fixture = try await PeripheralFixture()
            let value = try fixture.value(of: try await fixture.connect())
            await fixture.simulator.refuse(
                "WriteValue", of: "org.bluez.GattCharacteristic1", "org.bluez.Error.NotAuthorized",
                "Operation Not Authorized")
            let error = await fixture.failure { try await value.writeByte(1) }
            #expect(error?.code == .notAuthorized)
            #expect(error?.message.contains("ExportClaimedServices") == true)
        }

        @Test("Row 30: The battery level and the name are reported if their services are not exported")
        @BluetoothActor func claimedValues() async throws {
            let fixture = try await PeripheralFixture()
            let peripheral = try await fixture.connect()
            #expect(peripheral.name == "Watch")
            #expect(peripheral.batteryLevel == nil)
            try await fixture.simulator.added(
                SimulatorFixture.device, ["org.bluez.Battery1": ["Percentage": .byte(81)]])
            try await eventually("the level") { peripheral.batteryLevel == 81 }
            try await fixture.simulator.propertiesChanged(
                SimulatorFixture.device, "org.bluez.Battery1", ["Percentage": .byte(80)])
            try await eventually("the level") { peripheral.batteryLevel == 80 }
            try await fixture.simulator.removed(SimulatorFixture.device, ["org.bluez.Battery1"])
            try await eventually("no level") { peripheral.batteryLevel == nil }
            #expect(peripheral.isConnected)
        }

        @Test("Row 31: Two services and two characteristics of one UUID stand side by side")
        @BluetoothActor func twins() async throws {
            let fixture = try await PeripheralFixture()
            let twin = CharacteristicSpecification(SimulatorFixture.value, [.read], value: [1])
            var other = twin
            other.value = [2]
            let service = ServiceSpecification(SimulatorFixture.service, characteristics: [twin, other])
            await fixture.simulator.perform { _ = $0.peripheral.addService(service) }
            let peripheral = try await fixture.connect()
            let services = peripheral.services.filter { $0.uuid == SimulatorFixture.service }
            try #require(services.count == 2)
            #expect(services[0].handle < services[1].handle)
            let twins = services[1].characteristics.filter { $0.uuid == SimulatorFixture.value }
            try #require(twins.count == 2)
            var values: [Data] = []
            for twin in twins { values.append(try await twin.readValue()) }
            #expect(values == [Data([1]), Data([2])])
        }

        @Test("Row 31: The handle comes of the path, not of a property that is late or wrong")
        @BluetoothActor func handles() async throws {
            let fixture = try await PeripheralFixture()
            let peripheral = try await fixture.connect()
            let value = try fixture.value(of: peripheral)
            let path = try #require(value.path).string + "/desc00ff"
            try await fixture.simulator.added(
                path,
                [
                    "org.bluez.GattDescriptor1": [
                        "UUID": .string("00002904-0000-1000-8000-00805f9b34fb"), "Handle": .uint16(45741),
                    ]
                ])
            try await fixture.central.barrier()
            let descriptors = try await value.discoverDescriptors()
            #expect(descriptors.last?.uuid == 0x2904)
            #expect(descriptors.last?.handle == 0xFF)
        }
    }
}
