import CoreBlueZ
import Foundation
import TestSupport
import Testing

extension Contract {
    @Suite(.virtualTime) struct Keeping {
        @Test("A device that is searched for is connected, connected again after a loss, and let be when it is stopped")
        func keeping() async throws {
            try await ContractFixture.run { fixture in
                var links = 0
                var losses = 0
                let policy = ReconnectPolicy(
                    firstDelay: .milliseconds(10), options: ConnectOptions(timeout: fixture.seconds(45)))
                let connection = fixture.central.keepConnected(withServices: [Probe.service], policy: policy) { state in
                    switch state {
                    case .connected: links += 1
                    case .disconnected: losses += 1
                    default: break
                    }
                } where: { found, _ in
                    found.address == Probe.address
                }
                try await fixture.wait(for: "the link", within: 60) { links == 1 }
                _ = try await fixture.ask("disconnect")
                try await fixture.wait(for: "the next link", within: 60) { links == 2 }
                #expect(losses >= 1)
                let peripheral = try #require(connection.peripheral)
                #expect(peripheral.address == Probe.address)
                try await connection.stop()
                #expect(!peripheral.isConnected)
                #expect(!peripheral.isReconnecting)
            }
        }

        @Test("One call connects and discovers all, and a second one has nothing left to do")
        func preparing() async throws {
            try await ContractFixture.run { fixture in
                let peripheral = try await fixture.findProbe()
                for _ in 0..<2 {
                    let services = try await peripheral.connectAndDiscover(timeout: fixture.seconds(60))
                    #expect(services.contains { $0.uuid == Probe.service })
                    let echo = try fixture.characteristic(Probe.echo, of: peripheral)
                    #expect(echo.descriptors.contains { $0.uuid == Probe.descriptor })
                }
            }
        }

        @Test("Forgetting a connected device says that it was removed")
        func forgotten() async throws {
            try await ContractFixture.run { fixture in
                let peripheral = try await fixture.findProbe()
                try await peripheral.connect()
                var errors: [BluetoothError?] = []
                peripheral.disconnectHandler = { errors.append($1) }
                try await fixture.central.forgetPeripheral(peripheral)
                try await fixture.wait(for: "the end of the link") { errors.count == 1 }
                #expect(errors.first??.code == .peripheralGone)
            }
        }
    }
}
