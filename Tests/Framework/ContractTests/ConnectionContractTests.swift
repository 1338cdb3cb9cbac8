import CoreBlueZ
import Foundation
import TestSupport
import Testing

extension Contract {
    @Suite(.virtualTime) struct Connecting {
        @Test("Connecting completes once, with a link")
        func connects() async throws {
            try await ContractFixture.run { fixture in
                let peripheral = try await fixture.findProbe()
                let end = Once<BluetoothError?>()
                peripheral.connect { end($0) }
                #expect(peripheral.state == .disconnected || peripheral.state == .connecting)
                try await fixture.wait(for: "the link", within: 45) { end.isCalled }
                #expect(try end.only() == nil)
                #expect(peripheral.isConnected)
                #expect(peripheral.state == .connected)
                try await peripheral.connect()
                #expect(end.values.count == 1)
            }
        }

        @Test("Disconnecting ends the link, and the handler gets no error")
        func disconnects() async throws {
            try await ContractFixture.run { fixture in
                let peripheral = try await fixture.findProbe()
                try await peripheral.connect()
                let handled = Once<BluetoothError?>()
                peripheral.disconnectHandler = { _, error in handled(error) }
                try await peripheral.disconnect()
                #expect(!peripheral.isConnected)
                #expect(peripheral.state == .disconnected)
                #expect(try handled.only() == nil)
            }
        }

        @Test("A disconnected peripheral can be connected again")
        func reconnects() async throws {
            try await ContractFixture.run { fixture in
                let peripheral = try await fixture.connectProbe()
                try await peripheral.disconnect()
                try await peripheral.connect()
                try await peripheral.discoverServices()
                let value = try await fixture.characteristic(Probe.echo, of: peripheral).readValue()
                #expect(value == Data([1, 2, 3]))
            }
        }

        @Test(
            "Row 24: When the peer disconnects, a pending read ends once with disconnected",
            .enabled("needs disconnect, delay") { try await Side.can("disconnect", "delay") }
        )
        func peerDisconnects() async throws {
            try await expectLoss { fixture in _ = try await fixture.ask("disconnect") }
        }

        @Test(
            "Row 40: When the peer goes out of range, a pending read ends once with disconnected",
            .enabled("needs vanish, delay") { try await Side.can("vanish", "delay") }
        )
        func peerVanishes() async throws {
            try await expectLoss { fixture in _ = try await fixture.ask("vanish") }
        }

        private func expectLoss(_ lose: @BluetoothActor (ContractFixture) async throws -> Void) async throws {
            try await ContractFixture.run { fixture in
                let peripheral = try await fixture.connectProbe()
                let handled = Once<BluetoothError?>()
                peripheral.disconnectHandler = { _, error in handled(error) }
                let echo = try fixture.characteristic(Probe.echo, of: peripheral)
                _ = try await fixture.ask("delay", ["char": Probe.echo.fullString, "ms": 25_000])
                let read = Once<(Data?, BluetoothError?)>()
                let queued = Once<BluetoothError?>()
                echo.readValue { read(($0, $1)) }
                echo.writeValue(Data([9])) { queued($0) }
                try await fixture.wait(for: "the read to reach the peer") {
                    try await fixture.log().contains { $0.operation == "read" }
                }
                try await lose(fixture)
                try await fixture.wait(for: "the end of the link", within: 20) { handled.isCalled }
                try await fixture.wait(for: "the end of the read") { read.isCalled && queued.isCalled }
                #expect(try read.only().0 == nil && read.only().1?.code == .disconnected)
                #expect(try queued.only()?.code == .disconnected)
                #expect(try handled.only()?.code == .disconnected)
                #expect(!peripheral.isConnected)
            }
        }

        @Test(
            "Row 4: A peer that vanished cannot be connected, and the attempt ends by its timeout",
            .enabled("needs vanish") { try await Side.can("vanish", "return") }
        )
        func timeout() async throws {
            try await ContractFixture.run { fixture in
                let peripheral = try await fixture.findProbe()
                _ = try await fixture.ask("vanish")
                let options = ConnectOptions(timeout: fixture.seconds(0.5), retries: 0)
                await #expect(throws: BluetoothError.self) { try await peripheral.connect(options: options) }
                #expect(peripheral.state == .disconnected)
                _ = try await fixture.ask("return")
            }
        }

        @Test(
            "Cancelling the task that connects ends the attempt",
            .enabled("needs vanish") { try await Side.can("vanish", "return") }
        )
        func cancellation() async throws {
            try await ContractFixture.run { fixture in
                let peripheral = try await fixture.findProbe()
                _ = try await fixture.ask("vanish")
                let task = Task { @BluetoothActor in try await peripheral.connect() }
                try await fixture.wait(for: "the attempt") { peripheral.state == .connecting }
                task.cancel()
                let result = await task.result
                #expect(throws: BluetoothError.self) { try result.get() }
                #expect(peripheral.state == .disconnected)
                _ = try await fixture.ask("return")
            }
        }

        @Test("Operations on a peripheral that is not connected say so")
        func notConnected() async throws {
            try await ContractFixture.run { fixture in
                let peripheral = try await fixture.connectProbe()
                let echo = try fixture.characteristic(Probe.echo, of: peripheral)
                try await peripheral.disconnect()
                let error = await #expect(throws: BluetoothError.self) { try await echo.readValue() }
                #expect(error?.code == .notConnected)
                let discovery = await #expect(throws: BluetoothError.self) { try await peripheral.discoverServices() }
                #expect(discovery?.code == .notConnected)
            }
        }
    }
}
