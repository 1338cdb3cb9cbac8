import BlueZDBus
import Foundation
import TestSupport
import Testing

@testable import CoreBlueZ

extension KeptConnectionTests {
    /// What takes the link in a round.
    private enum Fault: CaseIterable { case loss, absence, restart }

    /// Keeps when states come, and compares the pauses with the policy's delays.
    @BluetoothActor private final class Clock {
        let policy: ReconnectPolicy
        /// How many links were set up.
        private(set) var links = 0
        private(set) var attempts = 0
        private var lost: MonotonicInstant?
        /// Whether bluetoothd was away since: an attempt waits for it.
        var isExcused = false

        init(_ policy: ReconnectPolicy) { self.policy = policy }

        func note<Kind>(_ state: KeptConnection<Kind>.State) {
            switch state {
            case .disconnected: lost = .now
            case .connecting:
                guard let lost else { return }
                let (pause, delay) = (MonotonicInstant.now - lost, policy.delay(beforeAttempt: attempts))
                #expect(pause >= delay)
                if VirtualTime.isOn, !isExcused { #expect(pause < delay + .milliseconds(50)) }
                attempts += 1
                isExcused = false
            case .connected:
                links += 1
                attempts = 0
                lost = nil
            default: Issue.record("\(state)")
            }
        }
    }

    /// COREBLUEZ_TEST_ROUNDS says how many rounds.
    @Test("After each of many losses and set-ups that fail the device is set up again, as soon as the policy says")
    @BluetoothActor func rounds() async throws {
        let fixture = try await PeripheralFixture()
        var random = SplitMix64(seed: 54)
        let clock = Clock(
            ReconnectPolicy(
                firstDelay: .milliseconds(100), longestDelay: .seconds(1),
                options: ConnectOptions(timeout: .seconds(1).stretched, retries: 0)))
        var failures = 0
        let connection = fixture.central.keepConnected(
            to: try #require(Self.address), policy: clock.policy,
            setUp: { peripheral in
                for service in try await peripheral.discoverServices() {
                    try await service.discoverCharacteristics()
                }
                #expect(try await fixture.value(of: peripheral).readValue() == Data([1, 2, 3]))
                guard failures > 0 else { return }
                failures -= 1
                throw BluetoothError(.invalidData, "no")
            })
        try await eventually("the first link") { if case .connected = connection.state { true } else { false } }
        connection.stateHandler = { clock.note($0) }
        for round in 0..<Rounds.count(40) {
            try await eventually("link \(round)") {
                if case .connected = connection.state { clock.links == round } else { false }
            }
            failures = Int.random(in: 0...2, using: &random)
            switch Fault.allCases.randomElement(using: &random) ?? .loss {
            case .loss: await fixture.simulator.disconnect()
            case .absence:
                await fixture.simulator.vanish()
                try await BluetoothActor.sleep(for: .milliseconds(Int.random(in: 0...5000, using: &random)))
                await fixture.simulator.peripheral.simulateReturn()
            case .restart:
                clock.isExcused = true
                await fixture.simulator.restart()
            }
        }
        try await eventually("the last link") { connection.peripheral?.isConnected == true }
        connection.stateHandler = nil
        try await connection.stop()
    }
}
