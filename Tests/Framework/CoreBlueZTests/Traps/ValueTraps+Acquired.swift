import BlueZDBus
import BlueZSimulator
import FoundationEssentials
import TestSupport
import Testing

@testable import BlueZClient
@testable import CoreBlueZ

extension Traps.Values {
    @Suite struct Acquired {
        /// Acquires the notifications of the peripheral's updates, and keeps what comes.
        @BluetoothActor private final class Log {
            private(set) var values: [Data] = []
            private(set) var ends: [BluetoothError?] = []
            private(set) var notifications: AcquiredNotifications?
            private(set) var error: BluetoothError?

            func acquire(_ characteristic: Characteristic) async throws {
                var isDone = false
                characteristic.acquireNotify {
                    self.values.append($0)
                } ended: {
                    self.ends.append($0)
                } completion: {
                    (self.notifications, self.error) = ($0, $1)
                    isDone = true
                }
                try await eventually("the answer") { isDone }
            }
        }

        @Test("Row 36: An empty value is a value, and the end of the socket is no value")
        @BluetoothActor func emptyValue() async throws {
            let fixture = try await PeripheralFixture()
            let log = Log()
            try await log.acquire(fixture.updates(of: fixture.connect()))
            for value: [UInt8] in [[], [1], []] { await fixture.simulator.notify(value) }
            try await eventually("three values") { log.values.count == 3 }
            await fixture.simulator.disconnect()
            try await eventually("the end") { !log.ends.isEmpty }
            #expect(log.values == [Data(), Data([1]), Data()])
        }

        @Test("Row 36: bluetoothd closes the socket with the link, and the link's end is reported once")
        @BluetoothActor func linkLoss() async throws {
            let fixture = try await PeripheralFixture()
            let log = Log()
            try await log.acquire(fixture.updates(of: fixture.connect()))
            await fixture.simulator.vanish()
            try await eventually("the end") { !log.ends.isEmpty }
            try await fixture.central.barrier()
            #expect(log.ends.map { $0?.code } == [.disconnected])
            #expect(log.notifications?.isOpen == false)
        }

        @Test("Row 36: What was sent before the hang-up is delivered before the end")
        @BluetoothActor func rest() async throws {
            let (life, mine, theirs) = try Self.socket()
            var values: [Data] = []
            var ends = 0
            life.whenEnded { _ in ends += 1 }
            let reader = AcquiredReader(mine) { values.append($0) }
            for value: [UInt8] in [[1], [], [2]] { #expect(theirs.send(value)) }
            theirs.shutDown()
            try await eventually("the end") { ends == 1 }
            #expect(values == [Data([1]), Data(), Data([2])])
            withExtendedLifetime(reader) {}
        }

        @Test("Row 36: The socket is empty before the first value is delivered: what overflows is lost silently")
        @BluetoothActor func drained() async throws {
            let (life, mine, theirs) = try Self.socket()
            let bytes = [UInt8](repeating: 7, count: 20)[...]
            func fill() -> Int {
                var count = 0
                while theirs.trySend(bytes) == .sent { count += 1 }
                return count
            }
            let first = fill()
            var second: Int?
            var received = 0
            let reader = AcquiredReader(mine) { _ in
                received += 1
                if second == nil { second = fill() }
            }
            try await eventually("all values") { second != nil && received == first + (second ?? 0) }
            #expect(first > 16)
            #expect(second == first)
            life.succeed(())
            withExtendedLifetime(reader) {}
        }

        @Test("Row 36: After a reconnection there is nothing until it is acquired again")
        @BluetoothActor func reacquired() async throws {
            let fixture = try await PeripheralFixture()
            let peripheral = try await fixture.connect()
            let log = Log()
            try await log.acquire(fixture.updates(of: peripheral))
            await fixture.simulator.disconnect()
            try await eventually("the end") { log.ends.count == 1 }
            try await peripheral.connect()
            for service in try await peripheral.discoverServices() { try await service.discoverCharacteristics() }
            #expect(await !fixture.simulator.isSubscribed)
            try await log.acquire(fixture.updates(of: peripheral))
            #expect(log.error == nil)
            await fixture.simulator.notify([5])
            try await eventually("the value") { log.values == [Data([5])] }
        }

        @Test("Row 36: A StopNotify of another program closes the socket, which is an end with a reason")
        @BluetoothActor func stopped() async throws {
            let fixture = try await PeripheralFixture()
            let updates = try fixture.updates(of: await fixture.connect())
            let log = Log()
            try await log.acquire(updates)
            // Another address is another connection, as another program's.
            let address = fixture.simulator.bus.description
            let other = CentralManager(bus: .address("\(address);\(address)"))
            try await other.waitUntilPoweredOn(timeout: .ample)
            other.client.channels.stopNotify(try #require(updates.path))
            try await eventually("the end") { !log.ends.isEmpty }
            #expect(log.ends.map { $0?.code } == [.cancelled])
            #expect(log.ends.first??.message.contains("another program") == true)
        }

        static let refusals = [
            Conflict(name: "InProgress", text: "In Progress", code: .busy),
            Conflict(name: "NotPermitted", text: "Notify acquired", code: .busy),
            // An indication before 5.80.
            Conflict(name: "NotSupported", text: "Operation is not supported", code: .notSupported),
            Conflict(name: "Failed", text: "Not connected", code: .notConnected),
        ]

        @Test("Row 36: What BlueZ answers to AcquireNotify becomes the error that fits", arguments: refusals)
        @BluetoothActor func refused(row: Conflict) async throws {
            let fixture = try await PeripheralFixture()
            fixture.central.client.timeouts.callBackOff = .milliseconds(1)
            let updates = try fixture.updates(of: await fixture.connect())
            await fixture.simulator.refuse(
                "AcquireNotify", of: Traps.Values.characteristic, "org.bluez.Error." + row.name, row.text, times: 99
            )
            let log = Log()
            try await log.acquire(updates)
            #expect(log.error?.code == row.code)
            #expect(log.error?.bluezMessage == row.text)
            #expect(log.notifications == nil)
            #expect(log.ends.isEmpty)
        }

        @Test("Row 36: Values that precede StartNotify's answer are delivered: the handlers stand before the call")
        @BluetoothActor func early() async throws {
            let fixture = try await PeripheralFixture()
            let updates = try fixture.updates(of: await fixture.connect())
            var values: [Data?] = []
            updates.service?.updateHandler = { characteristic, _ in values.append(characteristic.value) }
            await fixture.simulator.keepCalls()
            await fixture.simulator.keepSilent("StartNotify", of: Traps.Values.characteristic)
            var isDone = false
            updates.setNotifyValue(true) { _ in isDone = true }
            try await eventually("the call") { await fixture.simulator.members.contains("StartNotify") }
            try await fixture.simulator.propertiesChanged(
                try #require(updates.path).string, Traps.Values.characteristic, ["Value": .bytes([4])])
            try await eventually("the value") { values == [Data([4])] }
            #expect(!isDone)
        }

        /// An acquired socket of ours and bluetoothd's end of it.
        @BluetoothActor static func socket() throws -> (Operation<Void>, AcquiredSocket, PacketSocket) {
            let (mine, theirs) = try PacketSocket.pair()
            let message = try Message.signal(path: .root, interface: "org.bluez.Test", member: "Test")
            try message.write { (writer) throws(DBusError) in
                try writer.append(mine.descriptor)
                try writer.append(UInt16(517))
            }
            let central = CentralManager(bus: .address("unix:path=/nonexistent"))
            let life = Operation<Void>(
                "The socket", on: nil, needsConnection: false, limit: nil, in: OperationRegistry()
            ) { _ in }
            var reader = message.reader
            return (life, try AcquiredSocket(&reader, lifetime: life, client: central.client), theirs)
        }
    }
}
