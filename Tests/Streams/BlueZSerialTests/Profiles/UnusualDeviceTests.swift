import BlueZSerial
import BlueZSimulatedSerial
import BlueZSimulator
import CoreBlueZ
import Foundation
import TestSupport
import Testing

extension SerialPorts {
    @Suite("Serial devices with an unusual layout", .virtualTime) struct UnusualDeviceTests {
        /// HM-BT4502W.
        nonisolated static let twoServices = SerialProfile(
            name: "two services", service: 0xFFE5, write: 0xFFE9, notify: 0xFFE4, notifyService: 0xFFE0)

        @BluetoothActor private func expectEcho(_ fixture: SerialFixture, _ service: SerialService, _ count: Int)
            async throws
        {
            fixture.arrived = Data()
            try await service.send(pattern(count))
            try await fixture.waitForBytes(count)
            #expect(fixture.arrived == pattern(count))
        }

        @Test(
            "The two characteristics can be in two services, however notifications are received",
            arguments: [SerialOptions.Reading.acquired, .signals])
        @BluetoothActor func services(reading: SerialOptions.Reading) async throws {
            let fixture = try await SerialFixture(SerialSimulator(Self.twoServices))
            let service = try await fixture.open([Self.twoServices], .reading(reading))
            fixture.collect(service)
            try await expectEcho(fixture, service, 100)
            service.close()
            try await eventually("the end of the subscription") {
                await fixture.simulator.perform { !$0.device.isSubscribed }
            }
            try await service.open(.reading(reading))
            try await expectEcho(fixture, service, 50)
            await fixture.simulator.perform { $0.peripheral.simulateDisconnection() }
            try await eventually("the stream's end", until: { fixture.ends.count == 2 })
            #expect(fixture.ends.map { $0?.code } == [nil, .disconnected])
            #expect(service.isEnabled == false)
        }

        @Test("Of two characteristics with the same UUID, the properties say which is written and which notifies")
        @BluetoothActor func equalUUIDs() async throws {
            // JK BMS.
            let layout = ServiceSpecification(
                0xFFE0,
                characteristics: [
                    CharacteristicSpecification(0xFFE1, [.write, .writeWithoutResponse]),
                    CharacteristicSpecification(0xFFE1, [.read, .notify]),
                ])
            let fixture = try await SerialFixture(SerialSimulator(.hm10, services: [layout]))
            let service = try await fixture.open([.hm10])
            fixture.collect(service)
            try await expectEcho(fixture, service, 50)
            let isSubscribed = await fixture.simulator.perform {
                $0.peripheral[0xFFE0]?.characteristics.map(\.isSubscribed)
            }
            #expect(isSubscribed == [false, true])
        }

        @Test("Handles select one of several characteristics with the same UUID and properties")
        @BluetoothActor func handles() async throws {
            let characteristic = CharacteristicSpecification(0xFFE1, [.write, .notify])
            let layout = ServiceSpecification(
                0xFFE0, characteristics: [characteristic, characteristic, characteristic])
            let fixture = try await SerialFixture(SerialSimulator(.hm10, services: [layout]))
            await fixture.simulator.perform { $0.peripheral.delegate = nil }
            let handles = try #require(
                await fixture.simulator.perform { $0.peripheral[0xFFE0]?.characteristics.map(\.handle) })
            var profile = SerialProfile.hm10
            (profile.writeHandle, profile.notifyHandle) = (handles[2], handles[1])
            let service = try await fixture.open([profile])
            try await service.send(Data([7, 8]))
            let states = await fixture.simulator.perform {
                $0.peripheral[0xFFE0]?.characteristics.map { ($0.value, $0.isSubscribed) }
            }
            #expect(states?.map(\.0) == [[], [], [7, 8]])
            #expect(states?.map(\.1) == [false, true, false])
            profile.writeHandle = 0x7777
            let error = await fixture.failure { try await fixture.peripheral.discoverSerialService([profile]) }
            #expect(error?.message.contains("has no characteristic FFE1 with the handle 30583") == true)
        }

        /// The micro:bit.
        private func withSwappedRoles(_ body: @BluetoothActor (SerialFixture) async throws -> Void) async throws {
            let nordic = SerialProfile.nordic
            let swapped = SerialProfile(
                name: nordic.name, service: nordic.service, write: nordic.notify, notify: nordic.write)
            let layout = ServiceSpecification(
                nordic.service,
                characteristics: [
                    CharacteristicSpecification(nordic.write, [.indicate]),
                    CharacteristicSpecification(nordic.notify, [.write, .writeWithoutResponse]),
                ])
            try await SerialFixture.run(SerialSimulator(swapped, services: [layout]), body)
        }

        @Test("A device whose characteristics have swapped roles, and that indicates, is recognized")
        func swappedRoles() async throws {
            try await withSwappedRoles { fixture in
                let service = try await fixture.open()
                #expect(service.profile.name == "Nordic UART")
                #expect(service.profile.write == SerialProfile.nordic.notify)
                #expect(service.profile.notify == SerialProfile.nordic.write)
                #expect(SerialProfile.nordic.isOffered(by: fixture.peripheral))
                #expect(try await fixture.peripheral.discoverSerialService() === service)
                fixture.collect(service)
                try await expectEcho(fixture, service, 100)
            }
        }

        @Test("A service that a program declares works with swapped roles too")
        func declaredWithSwappedRoles() async throws {
            try await withSwappedRoles { fixture in
                let service = SerialService(.nordic)
                fixture.peripheral.addService(service)
                fixture.collect(service)
                try await service.open()
                try await expectEcho(fixture, service, 30)
                #expect(try await fixture.peripheral.discoverSerialService() === service)
            }
        }

        @Test("The error names what is missing: a service, a characteristic or a property")
        @BluetoothActor func missing() async throws {
            let characteristics = [
                CharacteristicSpecification(0xA001, [.read]), CharacteristicSpecification(0xA002, [.read, .write]),
            ]
            let layout = ServiceSpecification(0xA000, characteristics: characteristics)
            let fixture = try await SerialFixture(SerialSimulator(services: [layout]))
            let message = { (write: BluetoothUUID, notify: BluetoothUUID, service: BluetoothUUID) in
                var profile = SerialProfile(name: "own", service: service, write: write, notify: notify)
                profile.companions = service == 0xA000 && write == notify ? [0x180F] : []
                return await fixture.failure {
                    try await fixture.peripheral.discoverSerialService([profile])
                }?.message ?? ""
            }
            #expect(
                await message(0xA001, 0xA003, 0xA000).contains("; its characteristic A001 cannot be written (its "))
            #expect(
                await message(0xA002, 0xA003, 0xA000).contains("; its service A000 has no characteristic A003;"))
            #expect(
                await message(0xA002, 0xA001, 0xA000).contains("; its characteristic A001 can neither notify nor "))
            #expect(await message(0xA002, 0xA002, 0xA000).contains("; it has no 180F;"))
            #expect(await message(0xA002, 0xA002, 0xB000).contains("; it has no service B000;"))
            let several = await fixture.failure {
                let own = SerialProfile(name: "own", service: 0xA000, write: 0xA001, notify: 0xA001)
                _ = try await fixture.peripheral.discoverSerialService([.nordic, own])
            }
            #expect(
                several?.message == """
                    UART has none of these serial profiles: Nordic UART, own; for own, its characteristic A001 cannot \
                    be written (its properties: read); describe its own with a SerialProfile
                    """)
        }
    }
}
