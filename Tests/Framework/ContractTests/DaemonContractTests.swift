import CoreBlueZ
import Foundation
import TestSupport
import Testing

extension Contract {
    @Suite(.virtualTime) struct Daemon {
        @Test(
            "Row 2: When bluetoothd is killed every pending operation ends once, and the next one is found",
            .enabled("needs kill-daemon") { try await Side.can("kill-daemon", "delay") }
        )
        func killed() async throws {
            try await ContractFixture.run { fixture in
                let harness = try #require(fixture.side.harness)
                let peripheral = try await fixture.connectProbe()
                let echo = try fixture.characteristic(Probe.echo, of: peripheral)
                let updates = try fixture.characteristic(Probe.updates, of: peripheral)
                var lost: [BluetoothError?] = []
                updates.service?.updateHandler = { _, error in lost.append(error) }
                try await updates.setNotifyValue(true)
                _ = try await fixture.ask("delay", ["char": Probe.echo.fullString, "ms": 25_000])
                let read = Once<BluetoothError?>()
                let scan = Once<BluetoothError?>()
                let handled = Once<BluetoothError?>()
                peripheral.disconnectHandler = { _, error in handled(error) }
                echo.readValue { _, error in read(error) }
                fixture.central.scanForPeripherals { _, _, _ in
                } completion: {
                    scan($0)
                }
                try await fixture.wait(for: "the read to reach the peer") {
                    try await fixture.log().contains { $0.operation == "read" }
                }
                try await harness.killDaemon()
                try await fixture.wait(for: "the end of all", within: 20) {
                    read.isCalled && scan.isCalled && handled.isCalled && !lost.isEmpty
                }
                #expect(try read.only()?.code == .daemonUnavailable)
                #expect(try scan.only()?.code == .daemonUnavailable)
                #expect(try handled.only()?.code == .daemonUnavailable)
                #expect(lost.count == 1)
                peripheral.disconnectHandler = nil
                #expect(fixture.central.state == .resetting)
                try await harness.startDaemon()
                try await fixture.central.waitUntilPoweredOn(timeout: fixture.seconds(30))
                let again = try await fixture.connectProbe()
                #expect(again === peripheral)
            }
        }
    }
}
