import BLESerial
import BlueZSimulator
import CoreBlueZ
import Foundation
import SimulatedSerial
import Testing

extension SerialPorts {
    @Suite struct EndingTests {
        @Test("Closing fails what waits, reports the end once, unsubscribes, and the port opens again")
        func closing() async throws {
            let world = try await SerialWorld(.issc)
            await world.delayWrites(.milliseconds(20))
            try await SerialStage.run(world) { stage in
                let service = try await stage.open()
                stage.collect(service)
                var errors: [BluetoothError?] = []
                service.send(pattern(60)) { errors.append($0) }
                service.send(pattern(60)) { errors.append($0) }
                try await Patience.wait(for: "the first fragment") { service.handedOver > 0 }
                service.close()
                service.close()
                #expect(!service.isOpen)
                try await Patience.wait(for: "the end") { !stage.ends.isEmpty && errors.count == 2 }
                #expect(stage.ends.count == 1 && stage.ends[0] == nil)
                #expect(errors.allSatisfy { $0?.code == .cancelled })
                try await Patience.wait(for: "no subscription") { await !stage.world.device.isSubscribed }
                try await service.open()
                #expect(service.handedOver == 0 && service.received == 0)
                try await service.send(pattern(5))
                try await Patience.wait(for: "the echo") { stage.arrived.suffix(5) == pattern(5) }
                #expect(stage.ends.count == 1)
            }
        }

        @Test("When the link ends, the bytes that were not confirmed are named", arguments: [false, true])
        func commands(_ isAcquired: Bool) async throws {
            let world = try await SerialWorld(.issc)
            try await SerialStage.run(world) { stage in
                let writing: SerialOptions.Writing = isAcquired ? .acquired : .commands(interval: .zero)
                let service = try await stage.open([.issc], .writing(writing))
                stage.collect(service)
                try await service.send(pattern(100))
                service.confirm(through: 40)
                await stage.world.disconnect()
                try await Patience.wait(for: "the end") { !stage.ends.isEmpty }
                #expect(stage.ends[0]?.code == .disconnected)
                #expect(stage.ends[0]?.message.contains("60 bytes from 40 on were not confirmed") == true)
                #expect(service.unconfirmed == 40..<100)
                #expect(!service.isOpen)
            }
        }

        @Test("If the link ends amid write requests, at most one fragment is in doubt")
        func requests() async throws {
            let world = try await SerialWorld(.issc, script: { SilentScript() })
            await world.delayWrites(.milliseconds(5))
            try await SerialStage.run(world) { stage in
                let service = try await stage.open()
                stage.collect(service)
                var error: BluetoothError?
                var isDone = false
                service.send(pattern(1000)) {
                    error = $0
                    isDone = true
                }
                try await Patience.wait(for: "some bytes") { service.confirmed >= 100 }
                await stage.world.disconnect()
                try await Patience.wait(for: "the end") { isDone && !stage.ends.isEmpty }
                #expect(error?.code == .disconnected)
                let has = await stage.world.device.receivedCount
                #expect(service.confirmed <= has && has <= service.handedOver)
                #expect(service.unconfirmed.count <= 20)
                #expect(stage.ends.count == 1 && stage.ends[0]?.code == .disconnected)
                #expect(await stage.failure { try await service.send(Data([1])) }?.code == .notConnected)
            }
        }

        @Test("An end that nobody listened for is reported once somebody does")
        func lateListener() async throws {
            try await SerialStage.run(SerialWorld()) { stage in
                let service = try await stage.open()
                await stage.world.disconnect()
                try await Patience.wait(for: "the end") { !service.isOpen }
                stage.collect(service)
                try await Patience.wait(for: "the report") { !stage.ends.isEmpty }
                #expect(stage.ends[0]?.code == .disconnected)
            }
        }

        @Test("A port opens again after the link came back, and a write whose fate is unknown ends the stream")
        func again() async throws {
            try await SerialStage.run(SerialWorld()) { stage in
                let service = try await stage.open()
                stage.collect(service)
                await stage.world.refuseWrites(.unlikelyError)
                #expect(await stage.failure { try await service.send(Data([1])) }?.attError == .unlikelyError)
                try await Patience.wait(for: "the end") { stage.ends.count == 1 }
                #expect(service.unconfirmed == 0..<1)
                await stage.world.refuseWrites(nil)
                await stage.world.disconnect()
                try await Patience.wait(for: "the link's end") { !stage.peripheral.isConnected }
                #expect(await stage.failure { try await service.open() }?.code == .notConnected)
                try await stage.peripheral.connect()
                try await service.open()
                try await service.send(pattern(9))
                try await stage.waitForBytes(9)
                #expect(stage.arrived == pattern(9))
            }
        }

        @Test("A cancelled opening ends as cancelled, and leaves nothing behind", arguments: [true, false])
        func givenUp(_ byTask: Bool) async throws {
            let world = try await SerialWorld()
            await world.perform {
                $0.peripheral.characteristic($0.device.profile.notify)?.faults.delay = .seconds(2)
            }
            try await SerialStage.run(world) { stage in
                let service = try await stage.peripheral.discoverSerialService()
                let opening = Task { @BluetoothActor in try await service.open() }
                try await Patience.wait(for: "the subscription") {
                    await stage.world.perform { $0.peripheral.log.contains { $0.operation == .subscribe } }
                }
                if byTask { opening.cancel() } else { service.close() }
                await stage.world.perform {
                    $0.peripheral.characteristic($0.device.profile.notify)?.faults.delay = .zero
                }
                #expect(await stage.failure { try await opening.value }?.code == .cancelled)
                #expect(!service.isOpen)
                try await Patience.wait(for: "no subscription") {
                    await stage.world.perform { $0.peripheral.log.contains { $0.operation == .unsubscribe } }
                }
                try await service.open()
                #expect(service.isOpen)
            }
        }
    }
}
