import BlueZSerial
import BlueZSimulatedSerial
import BlueZSimulator
import CoreBlueZ
import FoundationEssentials
import TestSupport
import Testing

/// Lines of which some are errors: "fault" and the number of the error.
private struct FaultyLines: Framing {
    private var lines = TerminatorFraming(Data("\n".utf8))

    func encode(_ message: Data) throws(BluetoothError) -> Data { try lines.encode(message) }

    mutating func receive(_ bytes: Data) -> [Result<Data, FramingError>] {
        lines.receive(bytes).map { $0.flatMap(Self.examined) }
    }

    private static func examined(_ message: Data) -> Result<Data, FramingError> {
        switch String(decoding: message, as: UTF8.self) {
        case "fault3": .failure(FramingError(.wrongChecksum, message))
        case "fault4": .failure(FramingError(.tooLong, message))
        case "fault6": .failure(FramingError(.garbage, message))
        case "fault7": .failure(FramingError(.impossibleLength, message))
        default: .success(message)
        }
    }

    var idleDeadline: Duration? { nil }
    mutating func idle() -> [Result<Data, FramingError>] { [] }
    mutating func finish() -> [Result<Data, FramingError>] { lines.finish() }
    mutating func clear() { lines.clear() }
}

extension ExchangeDevices {
    @Suite("Recovering from errors of the MPOS interface", .virtualTime) @BluetoothActor struct RecoveryTests {
        private nonisolated static let address = SerialSimulator.address
        /// An error of the device's application.
        private nonisolated static let refusal = ATTError(rawValue: 0x80)

        // MARK: The manual's advice

        @Test(
            "After each error, what the manual advises works, and data can be exchanged again",
            arguments: ExchangeErrorCode.allCases)
        func advice(code: ExchangeErrorCode) async throws {
            let fixture = try await TerminalFixture()
            fixture.terminal.configuration.framing = FaultyLines()
            fixture.terminal.configuration.lateReplyWindow = .zero
            fixture.terminal.configuration.cancelMessage = Data("stop".utf8)
            let callbacks = Callbacks()
            try await fixture.open(callbacks, code == .exchangeState ? .duplex : .masterSlave)
            try await provoke(code, on: fixture, callbacks)
            #expect(callbacks.told.last == (code == .timedOut ? "timeout" : "error \(code.rawValue)"))

            switch code.recovery {
            case .sendAgain, .checkPower, .none: break
            case .closeAndOpenAgain:
                fixture.manager.closeResource()
                #expect(await fixture.manager.openDevice(Self.address, cb: callbacks, mode: .masterSlave) == .opened)
            case .openAgain:
                #expect(await fixture.manager.openDevice(Self.address, cb: callbacks, mode: .masterSlave) == .opened)
            }
            callbacks.told = []
            try #require(fixture.manager.exchangeData(Data("ping".utf8), timeout: 60_000) == .accepted)
            try await eventually("the pong; \(callbacks.told)", until: { callbacks.told.count == 2 })
            // In duplex mode the pong may be faster than the confirmation.
            #expect(callbacks.told.sorted() == ["received pong", "sent"])
        }

        @Test("If the stream ends while the device is told to cancel, the error is that of the stream")
        func endWhileCancelling() async throws {
            let fixture = try await TerminalFixture()
            fixture.terminal.configuration.cancelMessage = Data("stop".utf8)
            let callbacks = Callbacks()
            try await fixture.open(callbacks, .masterSlave)
            try await send("silence", on: fixture, callbacks)
            await refuseWrites(.unlikelyError, on: fixture)
            #expect(fixture.manager.cancelExchange() == .accepted)
            try await waitForEnd(callbacks)
            #expect(callbacks.told.last == "error 9")
            await refuseWrites(nil, on: fixture)
            #expect(await fixture.manager.openDevice(Self.address) == .opened)
            try await fixture.exchangePing()
        }

        private func provoke(_ code: ExchangeErrorCode, on fixture: TerminalFixture, _ callbacks: Callbacks)
            async throws
        {
            switch code {
            case .decodeFailed, .outOfMemory, .byteFormat, .frameFormat:
                // A slow machine needs more time for the reply.
                var timeout = 100
                repeat {
                    try await fail("fault\(code.rawValue)", timeout: timeout, on: fixture, callbacks)
                    timeout *= 2
                } while callbacks.told.last == "timeout" && timeout < 60_000
            case .timedOut:
                try await fail("silence", timeout: 50, on: fixture, callbacks)
            case .unknown:
                let answer = SimulatedReply.error(name: "org.bluez.Error.Failed", message: "Nobody knows")
                await SimulatorActor.run { [bluez = fixture.bluez] in
                    bluez.simulateReply(answer, to: "WriteValue", of: "org.bluez.GattCharacteristic1")
                }
                try await fail("ping", on: fixture, callbacks)
            case .write:
                await refuseWrites(Self.refusal, on: fixture)
                try await fail("ping", on: fixture, callbacks)
                await refuseWrites(nil, on: fixture)
            case .read:
                try await send("silence", on: fixture, callbacks)
                await fixture.simulate { device in
                    guard let service = device.peripheral[device.profile.service] else { return }
                    device.peripheral.removeService(service)
                }
                try await waitForEnd(callbacks)
                await fixture.simulate { $0.peripheral.addService($0.profile.specification()) }
            case .exchangeState:
                fixture.terminal.exchange?.exchange(Data("ping".utf8), timeout: .seconds(60)) { _, error in
                    callbacks.onError(error?.code?.rawValue ?? 0, message: "")
                }
                try await waitForEnd(callbacks)
            case .cancelSucceeded, .cancelFailed:
                try await send("silence", on: fixture, callbacks)
                await refuseWrites(code == .cancelFailed ? Self.refusal : nil, on: fixture)
                #expect(fixture.manager.cancelExchange() == .accepted)
                try await waitForEnd(callbacks)
                await refuseWrites(nil, on: fixture)
            case .disconnected:
                try await send("silence", on: fixture, callbacks)
                await fixture.simulate { $0.peripheral.simulateDisconnection() }
                try await waitForEnd(callbacks)
            }
        }

        private func fail(
            _ request: String, timeout: Int = 60_000, on fixture: TerminalFixture, _ callbacks: Callbacks
        ) async throws {
            callbacks.told = []
            #expect(fixture.manager.exchangeData(Data(request.utf8), timeout: timeout) == .accepted)
            try await waitForEnd(callbacks)
        }

        private func send(_ request: String, on fixture: TerminalFixture, _ callbacks: Callbacks) async throws {
            #expect(fixture.manager.exchangeData(Data(request.utf8), timeout: 60_000) == .accepted)
            try await eventually("the sending", until: { callbacks.told == ["sent"] })
        }

        private func waitForEnd(_ callbacks: Callbacks) async throws {
            try await eventually("the error; \(callbacks.told)") {
                callbacks.told.contains { $0 == "timeout" || $0.hasPrefix("error") }
            }
        }

        /// - Parameter error: one that the peripheral certainly sent leaves the stream open; `unlikely` ends it.
        private func refuseWrites(_ error: ATTError?, on fixture: TerminalFixture) async {
            await fixture.simulate { $0.peripheral.characteristic($0.profile.write)?.faults.writeError = error }
        }

        // MARK: Closing and opening again

        @Test("A device can be opened directly after it was closed, while the old link is still ending")
        func reopening() async throws {
            var timing = Timing()
            timing.disconnect = .milliseconds(300)
            let fixture = try await TerminalFixture(timing: timing)
            #expect(await fixture.manager.openDevice(Self.address) == .opened)
            fixture.manager.closeResource()
            #expect(!fixture.manager.isConnected)
            #expect(await fixture.manager.openDevice(Self.address) == .opened)
            try await fixture.exchangePing()
            fixture.manager.closeDevice()
            #expect(await fixture.manager.openDevice(Self.address) == .opened)
            try await fixture.exchangePing()
            #expect(await fixture.written() == "ping\noff\nping\n")
            try await fixture.terminal.closeResource()
            #expect(fixture.terminal.central.peripherals.allSatisfy { !$0.isConnected })
            #expect(Timing().disconnect == .seconds(2))
        }

        @Test("After a reset of the PIN pad it can be opened without closing, even before the link's end is noticed")
        func pinPadReset() async throws {
            let fixture = try await TerminalFixture()
            #expect(await fixture.manager.openDevice(Self.address) == .opened)
            await fixture.simulate { device in
                device.peripheral.simulateRangeLoss(supervisionTimeout: .seconds(600))
                device.peripheral.simulateReturn()
            }
            #expect(fixture.manager.isConnected)
            #expect(await fixture.manager.openDevice(Self.address) == .opened)
            try await fixture.exchangePing()
            await fixture.simulate { $0.peripheral.simulateDisconnection() }
            try await eventually("the end of the link", until: { !fixture.manager.isConnected })
            #expect(await fixture.manager.openDevice(Self.address) == .opened)
            try await fixture.exchangePing()
        }

        @Test("Opening is refused during an exchange, and while the device is being opened")
        func refusedOpening() async throws {
            let fixture = try await TerminalFixture()
            var codes: [ExchangeOpenCode] = []
            fixture.manager.openDevice(Self.address) { codes.append($0) }
            fixture.manager.openDevice(Self.address) { codes.append($0) }
            try await eventually("both codes", until: { codes.count == 2 })
            #expect(codes == [.failed, .opened])
            let callbacks = Callbacks()
            #expect(fixture.manager.exchangeData(Data("silence".utf8), timeout: 60_000, cb: callbacks) == .accepted)
            #expect(await fixture.manager.openDevice(Self.address) == .failed)
            #expect(fixture.terminal.exchange?.isExchanging == true)
        }

        @Test(
            "Closing ends an opening, and the device can be opened directly after that",
            arguments: [PeripheralState.disconnected, .connecting])
        func closedWhileOpening(state: PeripheralState) async throws {
            var timing = Timing.instant
            timing.connect = .seconds(3600)
            let fixture = try await TerminalFixture(timing: timing)
            let central = fixture.terminal.central
            await fixture.simulate { $0.peripheral.isAdvertising = state == .connecting }
            var codes: [ExchangeOpenCode] = []
            fixture.manager.openDevice(Self.address) { codes.append($0) }
            try await eventually("the scan or the attempt") {
                state == .connecting ? central.peripherals.first?.state == state : central.isScanning
            }
            fixture.manager.closeResource()
            await SimulatorActor.run { [bluez = fixture.bluez] in bluez.timing.connect = .zero }
            await fixture.simulate { $0.peripheral.isAdvertising = true }
            #expect(await fixture.manager.openDevice(Self.address) == .opened)
            #expect(codes == [.failed])
            try await fixture.exchangePing()
        }

        @Test("What the device sends as soon as it is open reaches the opening's callbacks")
        func greeting() async throws {
            let fixture = try await TerminalFixture()
            await fixture.simulate { $0.script = GreetingScript() }
            let callbacks = Callbacks()
            try await fixture.open(callbacks, .duplex)
            try await eventually("the greeting", until: { callbacks.told == ["received hello"] })
        }
    }
}

/// Sends a line to whoever subscribes.
private final class GreetingScript: SerialScript {
    func received(_ bytes: [UInt8]) -> [[UInt8]] { [] }
    func subscribed() -> [[UInt8]] { [Array("hello\n".utf8)] }
}
