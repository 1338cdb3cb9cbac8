import BlueZDBus
import BlueZSerial
import BlueZSimulatedSerial
import BlueZSimulator
import CoreBlueZ
import Foundation
import TestSupport
import Testing

extension SerialPorts {
    @Suite(.virtualTime) struct WritingTests {
        @Test(
            "Fragments are as long as the profile's packet or, if that is less, as the link takes",
            arguments: [
                (SerialProfile.nordic, UInt16(517), [512, 88]), (.nordic, 185, [182, 182, 182, 54]),
                (.issc, 517, [Int](repeating: 20, count: 30)), (.tertium, 517, [240, 240, 120]),
                (.tertium, 23, [Int](repeating: 20, count: 30)), (.zentri, 517, [Int](repeating: 15, count: 40)),
            ])
        @BluetoothActor func fragments(_ profile: SerialProfile, _ mtu: UInt16, _ lengths: [Int]) async throws {
            let fixture = try await SerialFixture(SerialSimulator(profile, mtu: mtu))
            let service = try await fixture.open()
            try await service.send(pattern(600))
            let writes = await fixture.simulator.writes
            #expect(writes.map(\.count) == lengths)
            #expect(Data(writes.joined()) == pattern(600))
        }

        @Test("Each fragment waits for the confirmation of the one before")
        @BluetoothActor func oneAfterTheOther() async throws {
            let simulator = try await SerialSimulator(.issc, script: { SilentScript() })
            await simulator.delayWrites(.milliseconds(10))
            let fixture = try await SerialFixture(simulator)
            let service = try await fixture.open()
            var progress: [[Int]] = []
            var wasHandedOver: [Int] = []
            let isDone = try await withCheckedThrowingContinuation { (done: CheckedContinuation<Bool, any Error>) in
                let request = service.send(pattern(60)) {
                    wasHandedOver.append(service.confirmed)
                } completion: {
                    if let error = $0 { done.resume(throwing: error) } else { done.resume(returning: true) }
                }
                request.progressHandler = { progress.append([$0, service.handedOver, service.confirmed]) }
            }
            #expect(isDone)
            #expect(progress == [[20, 20, 20], [40, 40, 40], [60, 60, 60]])
            #expect(wasHandedOver == [40])
            #expect(service.unconfirmed.isEmpty)
        }

        @Test(
            "Bytes go by requests if the device takes them, otherwise by commands; or as the program chose",
            arguments: [
                ([.write, .writeWithoutResponse], nil, .write), ([.write], nil, .write),
                ([.writeWithoutResponse], nil, .command),
                ([.write, .writeWithoutResponse], .commands(interval: .milliseconds(1)), .command),
                ([.write, .writeWithoutResponse], .acquired, .command),
            ]
                as [(
                    CharacteristicProperties, SerialOptions.Writing?,
                    SimulatedPeripheral.LogEntry.Operation
                )])
        @BluetoothActor func writing(
            _ properties: CharacteristicProperties, _ writing: SerialOptions.Writing?,
            _ operation: SimulatedPeripheral.LogEntry.Operation
        ) async throws {
            let fixture = try await SerialFixture(SerialSimulator(.issc, writing: properties))
            var options = SerialOptions()
            options.writing = writing
            let service = try await fixture.open(SerialProfile.recognizable, options)
            fixture.collect(service)
            let first = Task { @BluetoothActor in try await service.send(pattern(50)) }
            try await first.value
            try await service.send(pattern(33, from: 50))
            try await fixture.waitForBytes(83)
            #expect(fixture.arrived == pattern(83))
            let uuid = await fixture.simulator.device.profile.write
            #expect(Set(await fixture.simulator.operations(uuid)) == [operation])
            #expect(service.handedOver == 83)
            #expect(service.confirmed == (operation == .write ? 83 : 0))
        }

        @Test("Commands are paced: each waits for its interval")
        @BluetoothActor func paced() async throws {
            let fixture = try await SerialFixture(SerialSimulator(.issc))
            let service = try await fixture.open([.issc], .writing(.commands(interval: .milliseconds(30))))
            let begin = MonotonicInstant.now
            try await service.send(pattern(100))
            #expect(MonotonicInstant.now - begin >= .milliseconds(120))
        }

        @Test("Commands are confirmed by the program only, up to what was handed over")
        @BluetoothActor func confirming() async throws {
            let fixture = try await SerialFixture(SerialSimulator(.issc))
            let service = try await fixture.open([.issc], .writing(.commands(interval: .zero)))
            let request = service.send(pattern(60)) { _ in }
            try await service.send(pattern(40))
            #expect(service.unconfirmed == 0..<100)
            request.confirm()
            #expect(service.unconfirmed == 60..<100)
            service.confirm(through: 80)
            #expect(service.unconfirmed == 80..<100)
            service.confirm(through: 10)
            #expect(service.confirmed == 80)
            service.confirm(through: 1000)
            #expect(service.unconfirmed.isEmpty)
        }

        @Test("With a limit of unconfirmed bytes, sending stops until the program confirms")
        @BluetoothActor func unconfirmedLimit() async throws {
            let fixture = try await SerialFixture(SerialSimulator(.issc))
            var options = SerialOptions.writing(.acquired)
            options.unconfirmedLimit = 40
            let service = try await fixture.open([.issc], options)
            fixture.collect(service)
            let sending = Task { @BluetoothActor in try await service.send(pattern(100)) }
            try await fixture.waitForBytes(40)
            #expect(service.handedOver == 40)
            service.confirm(through: 40)
            try await fixture.waitForBytes(80)
            service.confirm(through: 80)
            try await sending.value
            try await fixture.waitForBytes(100)
            #expect(fixture.arrived == pattern(100))
        }

        @Test("A fragment that the device refuses fails what waits behind it, and later bytes go again")
        @BluetoothActor func refused() async throws {
            let simulator = try await SerialSimulator(.issc)
            await simulator.refuseWrites(ATTError(rawValue: 0x81))
            let fixture = try await SerialFixture(simulator)
            let service = try await fixture.open()
            fixture.collect(service)
            var errors: [BluetoothError?] = []
            service.send(pattern(50)) { errors.append($0) }
            service.send(pattern(10)) { errors.append($0) }
            try await eventually("two errors") { errors.count == 2 }
            #expect(errors.allSatisfy { $0?.attError?.rawValue == 0x81 })
            #expect(errors[0]?.message.contains("0 of 50 bytes") == true)
            #expect(service.isOpen)
            #expect(await fixture.simulator.writes.count == 1)
            #expect(service.handedOver == 0)
            await fixture.simulator.refuseWrites(nil)
            try await service.send(pattern(30))
            try await fixture.waitForBytes(30)
            #expect(fixture.arrived == pattern(30))
            #expect(service.confirmed == 30)
        }

        @Test("Cancelling takes back what was not sent, and what waits behind it goes on")
        @BluetoothActor func cancelling() async throws {
            let simulator = try await SerialSimulator(.issc)
            await simulator.delayWrites(.milliseconds(50))
            let fixture = try await SerialFixture(simulator)
            let service = try await fixture.open()
            fixture.collect(service)
            var errors: [BluetoothError?] = []
            // So many fragments that they do not all go before they are taken back.
            let first = service.send(pattern(20_000)) { errors.append($0) }
            let second = service.send(pattern(60)) { errors.append($0) }
            try await eventually("the first fragment") { service.handedOver > 0 }
            let sent = service.handedOver
            first.cancel()
            second.cancel()
            second.cancel()
            #expect(errors.map { $0?.code } == [.cancelled, .cancelled])
            try await service.send(pattern(25))
            try await fixture.waitForBytes(sent + 25)
            #expect(fixture.arrived == pattern(sent) + pattern(25))
            #expect(service.waitingToBeSent == 0)
            let task = Task { @BluetoothActor in try await service.send(pattern(20_000)) }
            try await eventually("its first fragment") { service.handedOver > sent + 25 }
            task.cancel()
            #expect(await fixture.failure { try await task.value }?.code == .cancelled)
        }

        @Test("Above the high-water mark there is no space, and below it there is again")
        @BluetoothActor func highWaterMark() async throws {
            let fixture = try await SerialFixture(SerialSimulator(.issc))
            var options = SerialOptions()
            options.highWaterMark = 100
            let service = try await fixture.open([.issc], options)
            var reports = 0
            service.spaceHandler = { reports += 1 }
            #expect(service.hasSpace)
            service.send(pattern(99)) { _ in }
            #expect(service.hasSpace)
            var isDone = false
            service.send(pattern(51)) { _ in isDone = true }
            #expect(!service.hasSpace)
            #expect(service.waitingToBeSent == 150)
            try await eventually("the end") { isDone }
            #expect(reports == 1)
            #expect(service.hasSpace)
        }

        @Test("No bytes, and bytes to a port that is not open, are errors")
        @BluetoothActor func wrong() async throws {
            let fixture = try await SerialFixture(SerialSimulator())
            let service = try await fixture.peripheral.discoverSerialService()
            #expect(await fixture.failure { try await service.send(Data([1])) }?.code == .notConnected)
            try await service.open()
            #expect(await fixture.failure { try await service.send(Data()) }?.code == .invalidArguments)
            #expect(await fixture.failure { try await service.open() }?.code == .busy)
        }
    }
}
