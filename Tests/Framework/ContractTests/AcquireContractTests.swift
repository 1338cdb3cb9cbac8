import BlueZPrintableText
import CoreBlueZ
import Foundation
import TestSupport
import Testing

extension Contract {
    @Suite(.virtualTime) struct Acquire {
        @Test("Row 36: Acquired notifications arrive in order, once, and not at the service's handler")
        func order() async throws {
            try await ContractFixture.run { fixture in
                let peripheral = try await fixture.connectProbe()
                let updates = try fixture.characteristic(Probe.updates, of: peripheral)
                var handled = 0
                updates.service?.updateHandler = { _, _ in handled += 1 }
                var values: [Data] = []
                let end = Once<BluetoothError?>()
                let notifications = try await fixture.acquire(
                    updates, received: { values.append($0) }, ended: { end($0) })
                #expect(notifications.mtu > 23)
                let sent = try await fixture.ask(
                    "notify", ["char": Probe.updates.fullString, "value": "aa", "count": 100, "number": true])
                #expect(sent["sent"] as? Int == 100)
                try await fixture.wait(for: "100 values", within: 20) { values.count >= 100 }
                #expect(values == (0..<100).map { Data([0xAA, UInt8($0), 0, 0, 0]) })
                #expect(handled == 0)
                notifications.close()
                #expect(try end.only() == nil)
                #expect(!notifications.isOpen)
                try await fixture.wait(for: "the unsubscription") {
                    try await fixture.log().contains { $0.operation == "unsubscribe" }
                }
                try await updates.setNotifyValue(true)
            }
        }

        @Test("Row 36: An empty value is a value, and the link's end is reported once")
        func emptyValueAndEnd() async throws {
            try await ContractFixture.run { fixture in
                let peripheral = try await fixture.connectProbe()
                let updates = try fixture.characteristic(Probe.updates, of: peripheral)
                let notifications = try await updates.acquireNotify()
                for value in ["", "01", ""] {
                    _ = try await fixture.ask("notify", ["char": Probe.updates.fullString, "value": value])
                }
                var iterator = notifications.makeAsyncIterator()
                var values: [Data] = []
                while values.count < 3, let value = try await iterator.next() { values.append(value) }
                #expect(values == [Data(), Data([1]), Data()])
                _ = try await fixture.ask("disconnect")
                var end: BluetoothError?
                do { _ = try await iterator.next() } catch { end = error as? BluetoothError }
                #expect(end?.code == .disconnected)
                #expect(try await iterator.next() == nil)
                #expect(!notifications.isOpen)
            }
        }

        @Test("Row 36: Notifications that nobody takes are released")
        func dropped() async throws {
            try await ContractFixture.run { fixture in
                let peripheral = try await fixture.connectProbe()
                let updates = try fixture.characteristic(Probe.updates, of: peripheral)
                _ = try await updates.acquireNotify()
                try await fixture.wait(for: "the unsubscription") {
                    try await fixture.log().contains { $0.operation == "unsubscribe" }
                }
            }
        }

        @Test("Acquired writes arrive whole and in order, in values of the greatest length")
        func write() async throws {
            try await ContractFixture.run { fixture in
                let peripheral = try await fixture.connectProbe()
                let commands = try fixture.characteristic(Probe.commands, of: peripheral)
                let writer = try await commands.acquireWrite()
                let length = writer.maximumWriteValueLength
                #expect(length == min(512, writer.mtu - 3))
                let bytes = Data((0..<length * 5 + 7).map { UInt8($0 % 251) })
                try await writer.write(Data([0xEE]))
                try await writer.writeInChunks(bytes)
                try await fixture.wait(for: "7 writes", within: 20) {
                    try await fixture.log().filter { $0.operation == "command" || $0.operation == "write" }.count >= 7
                }
                let written = try await fixture.log().filter { $0.operation == "command" || $0.operation == "write" }
                #expect(written.first?.value == "ee")
                #expect(written.dropFirst().map(\.value).joined() == String(hexadecimal: bytes))
                writer.close()
                try await commands.writeValue(Data([1]), type: .withoutResponse)
            }
        }

        @Test("Writes that cannot be sent are errors: too long, empty, after the end")
        func refusals() async throws {
            try await ContractFixture.run { fixture in
                let peripheral = try await fixture.connectProbe()
                let commands = try fixture.characteristic(Probe.commands, of: peripheral)
                let writer = try await commands.acquireWrite()
                let long = Data(repeating: 1, count: writer.maximumWriteValueLength + 1)
                await #expect(throws: BluetoothError.self) { try await writer.write(long) }
                let empty = await #expect(throws: BluetoothError.self) { try await writer.write(Data()) }
                #expect(empty?.code == .invalidArguments)
                let taken = await #expect(throws: BluetoothError.self) {
                    try await commands.writeValue(Data([1]), type: .withoutResponse)
                }
                #expect(taken?.code == .busy)
                _ = try await fixture.ask("disconnect")
                try await fixture.wait(for: "the end", within: 20) { !writer.isOpen }
                let late = await #expect(throws: BluetoothError.self) { try await writer.write(Data([1])) }
                #expect(late?.code == .disconnected)
                let echo = try fixture.characteristic(Probe.readsOnly, of: peripheral)
                try await peripheral.connect()
                for service in try await peripheral.discoverServices() { try await service.discoverCharacteristics() }
                let error = await #expect(throws: BluetoothError.self) { _ = try await echo.acquireWrite() }
                #expect(error?.code == .notSupported)
            }
        }
    }
}

extension ContractFixture {
    /// Acquires with closures and waits for the completion.
    func acquire(
        _ characteristic: Characteristic,
        received: @escaping @BluetoothActor (Data) -> Void,
        ended: @escaping @BluetoothActor (BluetoothError?) -> Void
    ) async throws -> AcquiredNotifications {
        let result = Once<(AcquiredNotifications?, BluetoothError?)>()
        characteristic.acquireNotify(received: received, ended: ended) { result(($0, $1)) }
        try await wait(for: "the socket") { result.isCalled }
        return try #require(result.only().0)
    }
}
