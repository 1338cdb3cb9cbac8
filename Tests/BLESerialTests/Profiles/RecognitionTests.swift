import BLESerial
import BlueZSimulator
import CoreBlueZ
import Foundation
import SimulatedSerial
import Testing

extension SerialPorts {
    @Suite struct RecognitionTests {
        nonisolated static let pairs: [(SerialProfile, SimulatedSerialProfile)] = [
            (.nordic, .nordic), (.issc, .issc), (.tertium, .tertium), (.tertiumSensor, .tertiumSensor),
            (.tertiumZhaga, .tertiumZhaga), (.tertium2017, .tertium2017), (.tertiumZebra, .tertiumZebra),
            (.zentri, .zentri),
        ]

        @Test("Each profile is recognized after connecting, and bytes go both ways", arguments: pairs)
        func recognized(_ profile: SerialProfile, _ simulated: SimulatedSerialProfile) async throws {
            try await SerialStage.run(SerialWorld(simulated)) { stage in
                let service = try await stage.open()
                #expect(service.profile == profile)
                stage.collect(service)
                let bytes = pattern(700)
                try await service.send(bytes)
                try await stage.waitForBytes(bytes.count)
                #expect(stage.arrived == bytes)
                #expect(service.confirmed == bytes.count)
                #expect(service.received == bytes.count)
            }
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
        func chosen() async throws {
            try await SerialStage.run(SerialWorld(.hm10, writing: [.writeWithoutResponse])) { stage in
                let error = await stage.failure { try await stage.peripheral.discoverSerialService() }
                #expect(error?.code == .profileNotRecognized)
                let service = try await stage.open([.hm10])
                stage.collect(service)
                try await service.send(pattern(50))
                try await stage.waitForBytes(50)
                #expect(stage.arrived == pattern(50))
            }
        }

        @Test("Keys that share HM-10's UUIDs are none, even if the program asks for it")
        func keys() async throws {
            let keys = ServiceSpecification(
                0xFFE0, characteristics: [CharacteristicSpecification(0xFFE1, [.notify])])
            try await SerialStage.run(SerialWorld(.nordic, more: [keys])) { stage in
                let error = await stage.failure { try await stage.peripheral.discoverSerialService([.hm10]) }
                #expect(error?.code == .profileNotRecognized)
                #expect(error?.message.contains("HM-10") == true)
            }
        }

        @Test("A profile with companions is recognized only if these exist", arguments: [true, false])
        func companions(_ areThere: Bool) async throws {
            var profile = SerialProfile.hm10
            profile.companions = [0xFFF5]
            let more = ServiceSpecification(areThere ? 0xFFF5 : 0xFFF6)
            try await SerialStage.run(SerialWorld(.hm10, more: [more])) { stage in
                if areThere {
                    let service = try await stage.open([profile])
                    #expect(service.isOpen)
                } else {
                    let error = await stage.failure { try await stage.open([profile]) }
                    #expect(error?.code == .profileNotRecognized)
                }
            }
        }

        @Test("A service without the profile's characteristics is not recognized")
        func service() async throws {
            var other = SimulatedSerialProfile.nordic
            other.notify = 0xABCD
            try await SerialStage.run(SerialWorld(other)) { stage in
                let error = await stage.failure { try await stage.peripheral.discoverSerialService() }
                #expect(error?.code == .profileNotRecognized)
            }
        }

        @Test("A profile of the program's own is recognized, and the same service is returned again")
        func own() async throws {
            let simulated = SimulatedSerialProfile("own", service: 0xA000, write: 0xA001, notify: 0xA002)
            let profile = SerialProfile(name: "own", service: 0xA000, write: 0xA001, notify: 0xA002, packetSize: 7)
            try await SerialStage.run(SerialWorld(simulated)) { stage in
                let service = try await stage.open([profile] + SerialProfile.recognizable)
                let found = try await stage.peripheral.discoverSerialService([profile])
                #expect(found === service)
                stage.collect(service)
                try await service.send(pattern(20))
                try await stage.waitForBytes(20)
                #expect(await stage.world.writes.map(\.count) == [7, 7, 6])
            }
        }

        @Test("A declared serial service is the one that is found")
        func declared() async throws {
            try await SerialStage.run(SerialWorld()) { stage in
                let service = SerialService(.nordic, name: "port")
                stage.peripheral.addService(service)
                let found = try await stage.peripheral.discoverSerialService()
                #expect(found === service)
                #expect(stage.peripheral["port"] === service)
            }
        }
    }
}
