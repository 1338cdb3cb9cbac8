import CoreBlueZ
import Foundation
import Testing

extension Contract {
    @Suite struct Daemon {
        @Test(
            "Row 2: When bluetoothd is killed every pending operation ends once, and the next one is found",
            .enabled("needs kill-daemon") { try await Side.can("kill-daemon", "delay") }
        )
        func killed() async throws {
            try await Stage.run { stage in
                let harness = try #require(stage.side.harness)
                let peripheral = try await stage.connectProbe()
                let echo = try stage.characteristic(Probe.echo, of: peripheral)
                let updates = try stage.characteristic(Probe.updates, of: peripheral)
                var lost: [BluetoothError?] = []
                updates.service?.updateHandler = { _, error in lost.append(error) }
                try await updates.setNotifyValue(true)
                _ = try await stage.ask("delay", ["char": Probe.echo.fullString, "ms": 25_000])
                let read = Once<BluetoothError?>()
                let scan = Once<BluetoothError?>()
                let handled = Once<BluetoothError?>()
                peripheral.disconnectHandler = { _, error in handled(error) }
                echo.readValue { _, error in read(error) }
                stage.central.scanForPeripherals { _, _, _ in
                } completion: {
                    scan($0)
                }
                try await stage.wait(for: "the read to reach the peer") {
                    try await stage.log().contains { $0.operation == "read" }
                }
                try await harness.killDaemon()
                try await stage.wait(for: "the end of all", within: 20) {
                    read.isCalled && scan.isCalled && handled.isCalled && !lost.isEmpty
                }
                #expect(try read.only()?.code == .daemonUnavailable)
                #expect(try scan.only()?.code == .daemonUnavailable)
                #expect(try handled.only()?.code == .daemonUnavailable)
                #expect(lost.count == 1)
                peripheral.disconnectHandler = nil
                #expect(stage.central.state == .resetting)
                try await harness.startDaemon()
                try await stage.central.waitUntilPoweredOn(timeout: stage.seconds(30))
                let again = try await stage.connectProbe()
                #expect(again === peripheral)
            }
        }
    }
}
