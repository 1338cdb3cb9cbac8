import BlueZSerial
import BlueZSimulatedSerial
import BlueZSimulator
import CoreBlueZ
import Foundation
import TestSupport
import Testing

extension SerialPorts {
    @Suite(.virtualTime) struct EndingTests {
        @Test("Closing fails what waits, reports the end once, unsubscribes, and the port opens again")
        @BluetoothActor func closing() async throws {
            let simulator = try await SerialSimulator(.issc)
            await simulator.delayWrites(.milliseconds(50))
            let fixture = try await SerialFixture(simulator)
            let service = try await fixture.open()
            fixture.collect(service)
            var errors: [BluetoothError?] = []
            // So many fragments that they do not all go before the port is closed.
            service.send(pattern(20_000)) { errors.append($0) }
            service.send(pattern(60)) { errors.append($0) }
            try await eventually("the first fragment") { service.handedOver > 0 }
            service.close()
            service.close()
            #expect(!service.isOpen)
            try await eventually("the end") { !fixture.ends.isEmpty && errors.count == 2 }
            #expect(fixture.ends.count == 1 && fixture.ends[0] == nil)
            #expect(errors.allSatisfy { $0?.code == .cancelled })
            try await eventually("no subscription") { await !fixture.simulator.device.isSubscribed }
            try await service.open()
            #expect(service.handedOver == 0 && service.received == 0)
            try await service.send(pattern(5))
            try await eventually("the echo") { fixture.arrived.suffix(5) == pattern(5) }
            #expect(fixture.ends.count == 1)
        }

        @Test("When the link ends, the bytes that were not confirmed are named", arguments: [false, true])
        @BluetoothActor func commands(_ isAcquired: Bool) async throws {
            let simulator = try await SerialSimulator(.issc)
            let fixture = try await SerialFixture(simulator)
            let writing: SerialOptions.Writing = isAcquired ? .acquired : .commands(interval: .zero)
            let service = try await fixture.open([.issc], .writing(writing))
            fixture.collect(service)
            try await service.send(pattern(100))
            service.confirm(through: 40)
            await fixture.simulator.disconnect()
            try await eventually("the end") { !fixture.ends.isEmpty }
            #expect(fixture.ends[0]?.code == .disconnected)
            #expect(fixture.ends[0]?.message.contains("60 bytes from 40 on were not confirmed") == true)
            #expect(service.unconfirmed == 40..<100)
            #expect(!service.isOpen)
        }

        @Test("If the link ends amid write requests, at most one fragment is in doubt")
        @BluetoothActor func requests() async throws {
            let simulator = try await SerialSimulator(.issc, script: { SilentScript() })
            await simulator.delayWrites(.milliseconds(20))
            let fixture = try await SerialFixture(simulator)
            let service = try await fixture.open()
            fixture.collect(service)
            var error: BluetoothError?
            var isDone = false
            // So many fragments that they do not all go before the link ends.
            service.send(pattern(50_000)) {
                error = $0
                isDone = true
            }
            try await eventually("some bytes") { service.confirmed >= 100 }
            await fixture.simulator.disconnect()
            try await eventually("the end") { isDone && !fixture.ends.isEmpty }
            #expect(error?.code == .disconnected)
            let has = await fixture.simulator.device.receivedCount
            #expect(service.confirmed <= has && has <= service.handedOver)
            #expect(service.unconfirmed.count <= 20)
            #expect(fixture.ends.count == 1 && fixture.ends[0]?.code == .disconnected)
            #expect(await fixture.failure { try await service.send(Data([1])) }?.code == .notConnected)
        }

        @Test("An end that nobody listened for is reported once somebody does")
        @BluetoothActor func lateListener() async throws {
            let fixture = try await SerialFixture(SerialSimulator())
            let service = try await fixture.open()
            await fixture.simulator.disconnect()
            try await eventually("the end") { !service.isOpen }
            fixture.collect(service)
            try await eventually("the report") { !fixture.ends.isEmpty }
            #expect(fixture.ends[0]?.code == .disconnected)
        }

        @Test("A port opens again after the link came back, and a write whose fate is unknown ends the stream")
        @BluetoothActor func again() async throws {
            let fixture = try await SerialFixture(SerialSimulator())
            let service = try await fixture.open()
            fixture.collect(service)
            await fixture.simulator.refuseWrites(.unlikelyError)
            #expect(await fixture.failure { try await service.send(Data([1])) }?.attError == .unlikelyError)
            try await eventually("the end") { fixture.ends.count == 1 }
            #expect(service.unconfirmed == 0..<1)
            await fixture.simulator.refuseWrites(nil)
            await fixture.simulator.disconnect()
            try await eventually("the link's end") { !fixture.peripheral.isConnected }
            #expect(await fixture.failure { try await service.open() }?.code == .notConnected)
            try await fixture.peripheral.connect()
            try await service.open()
            try await service.send(pattern(9))
            try await fixture.waitForBytes(9)
            #expect(fixture.arrived == pattern(9))
        }

        @Test("A cancelled opening ends as cancelled, and leaves nothing behind", arguments: [true, false])
        @BluetoothActor func givenUp(_ byTask: Bool) async throws {
            let simulator = try await SerialSimulator()
            let delay = Duration.milliseconds(400).stretched
            await simulator.perform { $0.peripheral.characteristic($0.device.profile.notify)?.faults.delay = delay }
            let fixture = try await SerialFixture(simulator)
            let service = try await fixture.peripheral.discoverSerialService()
            let opening = Task { @BluetoothActor in try await service.open() }
            try await eventually("the subscription") {
                await fixture.simulator.perform { $0.peripheral.log.contains { $0.operation == .subscribe } }
            }
            if byTask { opening.cancel() } else { service.close() }
            await fixture.simulator.perform {
                $0.peripheral.characteristic($0.device.profile.notify)?.faults.delay = .zero
            }
            #expect(await fixture.failure { try await opening.value }?.code == .cancelled)
            #expect(!service.isOpen)
            try await eventually("no subscription") {
                await fixture.simulator.perform { $0.peripheral.log.contains { $0.operation == .unsubscribe } }
            }
            try await service.open()
            #expect(service.isOpen)
        }
    }
}
