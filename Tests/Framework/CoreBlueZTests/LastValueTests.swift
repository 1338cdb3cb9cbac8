import BlueZDBus
import BlueZSimulator
import FoundationEssentials
import TestSupport
import Testing

@testable import BlueZClient
@testable import CoreBlueZ

/// What bluetoothd has received before values end is delivered before the end.
@Suite(.serialized, .virtualTime) struct LastValueTests {
    private typealias Acquired = Traps.Values.Acquired

    @Test("What lies in an acquired socket when the link ends is delivered before the end")
    @BluetoothActor func unread() async throws {
        let (life, mine, theirs) = try Acquired.socket()
        var events: [String] = []
        let reader = AcquiredReader(mine) { events.append("\([UInt8]($0))") }
        life.whenEnded { _ in events.append("end") }
        for value: [UInt8] in [[1], [], [2], []] { #expect(theirs.send(value)) }
        life.fail(BluetoothError(.disconnected, "The link was lost"))
        #expect(events == ["[1]", "[]", "[2]", "[]", "end"])
        withExtendedLifetime(reader) {}
    }

    @Test(
        "A closure that ends the values in the middle gets the rest first, or nothing if it closes",
        arguments: [true, false])
    @BluetoothActor func amid(_ closes: Bool) async throws {
        let (life, mine, theirs) = try Acquired.socket()
        var events: [Int] = []
        var notifications: AcquiredNotifications?
        let reader = AcquiredReader(mine) { value in
            events.append(Int(value.first ?? 0))
            guard events.count == 1 else { return }
            if closes {
                notifications?.close()
            } else {
                life.fail(BluetoothError(.disconnected, "The link was lost"))
            }
        }
        let characteristic = Characteristic(
            name: "value", uuid: 0x2A00, service: Service(name: "service", uuid: 0x1800))
        notifications = AcquiredNotifications(characteristic, reader, EventSequence<Data>.Buffer(limit: 1))
        life.whenEnded { _ in events.append(-1) }
        for value: UInt8 in 1...40 { #expect(theirs.send([value])) }
        try await eventually("the end") { events.contains(-1) }
        #expect(events == (closes ? [1, -1] : Array(1...40) + [-1]))
    }

    @Test("While packets keep coming, others on the actor have their turn")
    @BluetoothActor func turns() async throws {
        let (life, mine, theirs) = try Acquired.socket()
        var received = 0
        var turn: Int?
        let reader = AcquiredReader(mine) { value in
            received += 1
            if received == 1 { BluetoothActor.perform { turn = received } }
            if received < 2000 { #expect(theirs.send([UInt8](value))) }
        }
        for _ in 0..<20 { #expect(theirs.send([7])) }
        try await eventually("all packets") { received == 2019 }
        #expect(try #require(turn) < 100)
        life.succeed(())
        withExtendedLifetime(reader) {}
    }

    @Test("A value that waited for the reply to a read comes before the end of the link")
    @BluetoothActor func held() async throws {
        let fixture = try await PeripheralFixture()
        let updates = try fixture.updates(of: await fixture.connect())
        var events: [Data?] = []
        updates.service?.updateHandler = { characteristic, error in
            events.append(error == nil ? characteristic.value : nil)
        }
        try await updates.setNotifyValue(true)
        await fixture.simulator.keepCalls()
        await fixture.simulator.keepSilent("ReadValue", of: BlueZ.gattCharacteristic)
        var code: BluetoothError.Code?
        updates.readValue { code = $1?.code }
        try await eventually("the call") { await fixture.simulator.members.contains("ReadValue") }
        await fixture.simulator.notify([7])
        await fixture.simulator.disconnect()
        try await eventually("the end") { code != nil && events.contains(nil) }
        #expect(code == .disconnected)
        #expect(events == [Data([7]), nil])
    }

    @Test("The last values before the link's end come before the end, in every round")
    @BluetoothActor func roundsOfLastValues() async throws {
        let fixture = try await PeripheralFixture()
        let peripheral = try await fixture.find()
        for round in 0..<Rounds.count(10) {
            try await peripheral.connect()
            for service in try await peripheral.discoverServices() { try await service.discoverCharacteristics() }
            let notifications = try await fixture.updates(of: peripheral).acquireNotify()
            let values = (0...round % 30).map { Data([UInt8($0), UInt8(truncatingIfNeeded: round)]) }
            await fixture.simulator.sayGoodbye(values)
            var taken: [Data] = []
            let error = await fixture.failure { for try await value in notifications { taken.append(value) } }
            #expect(error?.code == .disconnected)
            #expect(taken == values, "in round \(round)")
        }
    }
}

extension SimulatorFixture {
    /// Notifies, and ends the link at once.
    fileprivate func sayGoodbye(_ values: [Data]) {
        for value in values { notify([UInt8](value)) }
        disconnect()
    }
}
