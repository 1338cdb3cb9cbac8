import BlueZSerial
import BlueZSimulatedSerial
import BlueZSimulator
import CoreBlueZ
import FoundationEssentials
import TestSupport
import Testing

extension ExchangeDevices {
    @Suite("The states of the MPOS interface", .virtualTime) @BluetoothActor struct DeviceStateTests {
        private nonisolated static let address = SerialSimulator.address

        @Test("A device that a search found is ready; one that was neither found nor opened is not")
        func found() async throws {
            let fixture = try await TerminalFixture()
            let terminal = fixture.terminal
            #expect(terminal.deviceState == .notReady)
            #expect(terminal.hostState == .waitingForDevice)
            try await search(fixture)
            #expect(terminal.deviceState == .ready)
            #expect(terminal.hostState == .deviceDetected)
            #expect(await fixture.manager.openDevice(Self.address) == .opened)
            #expect(terminal.deviceState == .idle)
            #expect(terminal.hostState == .idle)
        }

        @Test("A device that was closed is ready, unless it was switched off")
        func closed() async throws {
            let fixture = try await TerminalFixture()
            let terminal = fixture.terminal
            try await terminal.open(Self.address)
            try await terminal.closeResource()
            #expect(terminal.deviceState == .ready)
            #expect(terminal.hostState == .deviceDetected)
            try await terminal.open(Self.address)
            try await terminal.closeDevice()
            #expect(terminal.deviceState == .notReady)
            #expect(terminal.hostState == .waitingForDevice)
        }

        @Test("A device whose link was lost is not ready until a search finds it again")
        func lost() async throws {
            let fixture = try await TerminalFixture()
            let terminal = fixture.terminal
            #expect(await fixture.manager.openDevice(Self.address) == .opened)
            await fixture.simulate { $0.peripheral.simulateRangeLoss() }
            try await eventually("the end of the link", until: { !terminal.isOpen })
            #expect(terminal.deviceState == .notReady)
            #expect(terminal.hostState == .waitingForDevice)
            terminal.configuration.connectTimeout = .milliseconds(300)
            #expect(await fixture.manager.openDevice(Self.address) == .failed)
            #expect(terminal.deviceState == .notReady)
            await fixture.simulate { $0.peripheral.simulateReturn() }
            try await search(fixture)
            #expect(terminal.deviceState == .ready)
            #expect(terminal.hostState == .deviceDetected)
        }

        @Test("Without power of the adapter, no device is ready")
        func withoutPower() async throws {
            let fixture = try await TerminalFixture()
            try await search(fixture)
            #expect(fixture.terminal.deviceState == .ready)
            await SimulatorActor.run { [bluez = fixture.bluez] in bluez.adapters[0].simulatePower(false) }
            try await eventually("the power to go") { fixture.terminal.central.state == .poweredOff }
            #expect(fixture.terminal.deviceState == .notReady)
            #expect(fixture.terminal.hostState == .waitingForDevice)
        }

        /// Searches until the device is found and the search has ended: the signal strength is then no longer known.
        private func search(_ fixture: TerminalFixture) async throws {
            let listener = Listener()
            var timeout = 200
            repeat {
                let completions = listener.completions
                let code = await fixture.manager.searchDevices(
                    listener, detectAudioDevice: false, detectBluetooth: true, timeout: timeout)
                try #require(code == .begun)
                try await eventually("the end", until: { listener.completions > completions })
                timeout *= 2
            } while listener.devices.isEmpty && timeout < 60_000
            #expect(listener.devices.map { $0.getIdentifier() } == [Self.address])
        }
    }
}
