import CoreBlueZ
import Foundation
import Testing

extension Contract {
    @Suite struct Reconnecting {
        @Test(
            "A peripheral that vanishes and returns 20 times is connected again, and each value comes once",
            .enabled("needs vanish and return") { try await Side.can("vanish", "return") }
        )
        func twentyTimes() async throws {
            try await Stage.run { stage in
                let peripheral = try await stage.connectProbe()
                let updates = try stage.characteristic(Probe.updates, of: peripheral)
                var values: [Data?] = []
                updates.service?.notificationClosure = { characteristic, error in
                    if error == nil { values.append(characteristic.value) }
                }
                var returns = 0
                var losses = 0
                peripheral.disconnectHandler = { _, error in losses += error?.code == .disconnected ? 1 : 0 }
                peripheral.reconnectHandler = { _, error in
                    #expect(error == nil)
                    returns += 1
                }
                peripheral.reconnectPolicy = ReconnectPolicy(
                    firstDelay: .milliseconds(10), longestDelay: stage.seconds(1),
                    options: ConnectOptions(deadline: stage.seconds(45)))
                try await updates.setNotifyValue(true)
                let services = peripheral.services.map(ObjectIdentifier.init)
                let descriptors = try Self.openDescriptors()
                for round in 1...20 {
                    _ = try await stage.ask("vanish")
                    try await stage.wait(for: "loss \(round)", within: 30) { losses == round }
                    _ = try await stage.ask("return")
                    try await stage.wait(for: "return \(round)", within: 60) { returns == round }
                    #expect(updates.isNotifying)
                    #expect(!peripheral.isReconnecting)
                    let sent = try await stage.ask(
                        "notify",
                        ["char": Probe.updates.fullString, "value": "0\(round % 10)", "count": 3, "number": true]
                    )
                    #expect(sent["sent"] as? Int == 3)
                    try await stage.wait(for: "the values of round \(round)", within: 20) { values.count >= round * 3 }
                }
                // A read is answered after all that was notified before.
                try await updates.readValue()
                let expected = (1...20).flatMap { round in
                    (0..<3).map { Data([UInt8(round % 10), UInt8($0), 0, 0, 0]) }
                }
                #expect(values == expected)
                #expect(losses == 20)
                #expect(peripheral.services.map(ObjectIdentifier.init) == services)
                try await stage.wait(for: "the descriptors to be closed") { try Self.openDescriptors() <= descriptors }
                try await peripheral.disconnect()
                #expect(returns == 20)
                #expect(!peripheral.isReconnecting)
            }
        }

        @Test("disconnect() ends the attempts", .enabled("needs vanish") { try await Side.can("vanish", "return") })
        func cancelled() async throws {
            try await Stage.run { stage in
                let peripheral = try await stage.connectProbe()
                let losses = Once<BluetoothError?>()
                peripheral.disconnectHandler = { if $1 != nil { losses($1) } }
                peripheral.reconnectHandler = { _, _ in Issue.record("It was connected again") }
                peripheral.reconnectPolicy = ReconnectPolicy(firstDelay: .milliseconds(1))
                _ = try await stage.ask("vanish")
                try await stage.wait(for: "the loss", within: 30) { losses.isCalled }
                #expect(peripheral.isReconnecting)
                try await stage.wait(for: "an attempt", within: 10) { peripheral.state == .connecting }
                try await peripheral.disconnect()
                #expect(!peripheral.isReconnecting)
                #expect(peripheral.state == .disconnected)
                _ = try await stage.ask("return")
                _ = try await stage.findProbe()
                #expect(!peripheral.isConnected)
            }
        }

        private static func openDescriptors() throws -> Int {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
        }
    }
}
