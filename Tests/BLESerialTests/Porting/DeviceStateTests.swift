import BLESerial
import BlueZSimulator
import CoreBlueZ
import FoundationEssentials
import SimulatedSerial
import Testing

extension ExchangeDevices {
    @Suite("The states of the MPOS interface") @BluetoothActor struct DeviceStateTests {
        private nonisolated static let address = TerminalStage.address

        @Test("A device that a search found is ready; one that was neither found nor opened is not")
        func found() async throws {
            let stage = try await TerminalStage()
            let terminal = stage.terminal
            #expect(terminal.deviceState == .notReady)
            #expect(terminal.hostState == .waitingForDevice)
            try await search(stage)
            #expect(terminal.deviceState == .ready)
            #expect(terminal.hostState == .deviceDetected)
            #expect(await stage.manager.openDevice(Self.address) == .opened)
            #expect(terminal.deviceState == .idle)
            #expect(terminal.hostState == .idle)
        }

        @Test("A device that was closed is ready, unless it was switched off")
        func closed() async throws {
            let stage = try await TerminalStage()
            let terminal = stage.terminal
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
            let stage = try await TerminalStage()
            let terminal = stage.terminal
            #expect(await stage.manager.openDevice(Self.address) == .opened)
            await stage.simulate { $0.peripheral.simulateRangeLoss() }
            try await Patience.wait(for: "the end of the link", until: { !terminal.isOpen })
            #expect(terminal.deviceState == .notReady)
            #expect(terminal.hostState == .waitingForDevice)
            terminal.configuration.connectTimeout = .milliseconds(300)
            #expect(await stage.manager.openDevice(Self.address) == .failed)
            #expect(terminal.deviceState == .notReady)
            await stage.simulate { $0.peripheral.simulateReturn() }
            try await search(stage)
            #expect(terminal.deviceState == .ready)
            #expect(terminal.hostState == .deviceDetected)
        }

        @Test("Without power of the adapter, no device is ready")
        func withoutPower() async throws {
            let stage = try await TerminalStage()
            try await search(stage)
            #expect(stage.terminal.deviceState == .ready)
            await SimulatorActor.run { [bluez = stage.bluez] in bluez.adapters[0].simulatePower(false) }
            try await Patience.wait(for: "the power to go") { stage.terminal.central.state == .poweredOff }
            #expect(stage.terminal.deviceState == .notReady)
            #expect(stage.terminal.hostState == .waitingForDevice)
        }

        /// Searches until the device is found and the search has ended: the signal strength is then no longer known.
        private func search(_ stage: TerminalStage) async throws {
            let listener = Listener()
            var timeout = 200
            repeat {
                let completions = listener.completions
                let code = await stage.manager.searchDevices(
                    listener, detectAudioDevice: false, detectBluetooth: true, timeout: timeout)
                try #require(code == .begun)
                try await Patience.wait(for: "the end", until: { listener.completions > completions })
                timeout *= 2
            } while listener.devices.isEmpty && timeout < 60_000
            #expect(listener.devices.map { $0.getIdentifier() } == [Self.address])
        }
    }
}
