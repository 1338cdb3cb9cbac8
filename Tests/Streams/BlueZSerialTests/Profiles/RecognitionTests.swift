import BlueZSerial
import BlueZSimulatedSerial
import BlueZSimulator
import CoreBlueZ
import Foundation
import TestSupport
import Testing

extension SerialPorts {
    @Suite(.virtualTime) struct RecognitionTests {
        /// Each profile, and what its devices have, written a second time.
        nonisolated static let pairs: [(SerialProfile, SerialProfile)] = [
            (
                .nordic,
                SerialProfile(
                    name: "", service: "6e400001-b5a3-f393-e0a9-e50e24dcca9e",
                    write: "6e400002-b5a3-f393-e0a9-e50e24dcca9e", notify: "6e400003-b5a3-f393-e0a9-e50e24dcca9e")
            ),
            (
                .issc,
                SerialProfile(
                    name: "", service: "49535343-fe7d-4ae5-8fa9-9fafd205e455",
                    write: "49535343-8841-43f4-a8d4-ecbe34729bb3", notify: "49535343-1e4d-4bd9-ba61-23c647249616")
            ),
            (
                .tertium,
                SerialProfile(
                    name: "", service: "d7080001-052c-46c4-9978-c0977bebf328",
                    write: "d7080002-052c-46c4-9978-c0977bebf328", notify: "d7080003-052c-46c4-9978-c0977bebf328")
            ),
            (
                .tertiumSensor,
                SerialProfile(
                    name: "", service: "f3770001-1164-49bc-8f22-0ac34292c217",
                    write: "f3770002-1164-49bc-8f22-0ac34292c217", notify: "f3770003-1164-49bc-8f22-0ac34292c217")
            ),
            (
                .tertiumZhaga,
                SerialProfile(
                    name: "", service: "3cc30001-cb91-4947-bd12-80d2f0535a30",
                    write: "3cc30002-cb91-4947-bd12-80d2f0535a30", notify: "3cc30003-cb91-4947-bd12-80d2f0535a30",
                    events: "3cc30004-cb91-4947-bd12-80d2f0535a30")
            ),
            (
                .tertium2017,
                SerialProfile(
                    name: "", service: "3cc33cdc-cb91-4947-bd12-80d2f0535a30",
                    write: "3664d14a-08cb-4465-a98a-ebf84f29e943", notify: "f3774638-1164-49bc-8f22-0ac34292c217")
            ),
            (
                .tertiumZebra,
                SerialProfile(
                    name: "", service: "c1ff0001-c47e-424d-9495-fb504404b8f5",
                    write: "c1ff0002-c47e-424d-9495-fb504404b8f5", notify: "c1ff0003-c47e-424d-9495-fb504404b8f5")
            ),
            (
                .zentri,
                SerialProfile(
                    name: "", service: "175f8f23-a570-49bd-9627-815a6a27de2a",
                    write: "1cce1ea8-bd34-4813-a00a-c76e028fadcb", notify: "cacc07ff-ffff-4c48-8fae-a9ef71b75e26",
                    mode: "20b9794f-da1a-4d14-8014-a0fb9cefb2f7")
            ),
        ]

        @Test("Each profile is recognized after connecting, and bytes go both ways", arguments: pairs)
        @BluetoothActor func recognized(_ profile: SerialProfile, _ simulated: SerialProfile) async throws {
            let fixture = try await SerialFixture(SerialSimulator(simulated))
            let service = try await fixture.open()
            #expect(service.profile == profile)
            #expect([profile.mode, profile.events] == [simulated.mode, simulated.events])
            fixture.collect(service)
            let bytes = pattern(700)
            try await service.send(bytes)
            try await fixture.waitForBytes(bytes.count)
            #expect(fixture.arrived == bytes)
            #expect(service.confirmed == bytes.count)
            #expect(service.received == bytes.count)
        }

        @Test("The values of the profiles are those of the table")
        func table() {
            let rows = SerialProfile.all.map { "\($0.name) \($0.terminator.debugDescription) \($0.packetSize ?? 0)" }
            #expect(
                rows == [
                    "Nordic UART \"\" 0", "Microchip Transparent UART \"\" 20", #"Tertium TxRx "\r\n" 240"#,
                    #"Tertium sensor "\r\n" 240"#, #"Tertium Zhaga "\r" 240"#, #"Tertium of 2017 "\r\n" 20"#,
                    #"Tertium-Zebra "\r\n" 240"#, #"Zentri "\r\n" 15"#, "HM-10 \"\" 20",
                ])
        }

        @Test("FFE0 and FFE1 are an HM-10 only if the program says so")
        @BluetoothActor func chosen() async throws {
            let fixture = try await SerialFixture(SerialSimulator(.hm10, writing: [.writeWithoutResponse]))
            let error = await fixture.failure { try await fixture.peripheral.discoverSerialService() }
            #expect(error?.code == .profileNotRecognized)
            let service = try await fixture.open([.hm10])
            fixture.collect(service)
            try await service.send(pattern(50))
            try await fixture.waitForBytes(50)
            #expect(fixture.arrived == pattern(50))
        }

        @Test("Keys that share HM-10's UUIDs are none, even if the program asks for it")
        @BluetoothActor func keys() async throws {
            let keys = ServiceSpecification(
                0xFFE0, characteristics: [CharacteristicSpecification(0xFFE1, [.notify])])
            let fixture = try await SerialFixture(SerialSimulator(.nordic, more: [keys]))
            let error = await fixture.failure { try await fixture.peripheral.discoverSerialService([.hm10]) }
            #expect(error?.code == .profileNotRecognized)
            #expect(error?.message.contains("HM-10") == true)
        }

        @Test("A profile with companions is recognized only if these exist", arguments: [true, false])
        @BluetoothActor func companions(_ areThere: Bool) async throws {
            var profile = SerialProfile.hm10
            profile.companions = [0xFFF5]
            let more = ServiceSpecification(areThere ? 0xFFF5 : 0xFFF6)
            let fixture = try await SerialFixture(SerialSimulator(.hm10, more: [more]))
            if areThere {
                let service = try await fixture.open([profile])
                #expect(service.isOpen)
            } else {
                let error = await fixture.failure { try await fixture.open([profile]) }
                #expect(error?.code == .profileNotRecognized)
            }
        }

        @Test("A service without the profile's characteristics is not recognized")
        @BluetoothActor func service() async throws {
            var other = SerialProfile.nordic
            other.notify = 0xABCD
            let fixture = try await SerialFixture(SerialSimulator(other))
            let error = await fixture.failure { try await fixture.peripheral.discoverSerialService() }
            #expect(error?.code == .profileNotRecognized)
        }

        @Test("A profile of the program's own is recognized, and the same service is returned again")
        @BluetoothActor func own() async throws {
            let simulated = SerialProfile(name: "own", service: 0xA000, write: 0xA001, notify: 0xA002)
            let profile = SerialProfile(name: "own", service: 0xA000, write: 0xA001, notify: 0xA002, packetSize: 7)
            let fixture = try await SerialFixture(SerialSimulator(simulated))
            let service = try await fixture.open([profile] + SerialProfile.recognizable)
            let found = try await fixture.peripheral.discoverSerialService([profile])
            #expect(found === service)
            fixture.collect(service)
            try await service.send(pattern(20))
            try await fixture.waitForBytes(20)
            #expect(await fixture.simulator.writes.map(\.count) == [7, 7, 6])
        }

        @Test("A declared serial service is the one that is found")
        @BluetoothActor func declared() async throws {
            let fixture = try await SerialFixture(SerialSimulator())
            let service = SerialService(.nordic, name: "port")
            fixture.peripheral.addService(service)
            let found = try await fixture.peripheral.discoverSerialService()
            #expect(found === service)
            #expect(fixture.peripheral["port"] === service)
        }
    }
}
