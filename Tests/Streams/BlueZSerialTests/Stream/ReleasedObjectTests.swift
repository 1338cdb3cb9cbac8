import BlueZSimulatedSerial
import BlueZSimulator
import CoreBlueZ
import Foundation
import TestSupport
import Testing

@testable import BlueZSerial

extension SerialPorts {
    /// What was asked of an object that nobody holds any longer ends once, and soon.
    ///
    /// `COREBLUEZ_TEST_ROUNDS` says how often each is tried.
    @Suite(.virtualTime) struct ReleasedObjectTests {
        private static let rounds = ProcessInfo.processInfo.environment["COREBLUEZ_TEST_ROUNDS"].flatMap(Int.init) ?? 2

        @Test("Recognizing the profile of a peripheral that is released ends with an error", arguments: [true, false])
        @BluetoothActor func recognition(isRemoved: Bool) async throws {
            let fixture = try await SerialFixture(SerialSimulator())
            for _ in 1...Self.rounds {
                var peripheral = fixture.central.retrieveKnownPeripherals().first
                var ends: [(service: SerialService?, error: BluetoothError?)] = []
                if isRemoved { fixture.central.removePeripheral(try #require(peripheral)) }
                peripheral?.discoverSerialService { ends.append(($0, $1)) }
                if !isRemoved { fixture.central.removePeripheral(try #require(peripheral)) }
                peripheral = nil
                try await eventually("the end", within: .seconds(5)) { !ends.isEmpty }
                #expect(ends.count == 1)
                #expect(ends.first?.service == nil && ends.first?.error?.code == .cancelled)
            }
        }

        @Test("Opening a port that is released ends once", arguments: [true, false])
        @BluetoothActor func opening(isSubscribing: Bool) async throws {
            let simulator = try await SerialSimulator()
            await simulator.perform { $0.bluez.keepsCalls = true }
            let fixture = try await SerialFixture(simulator)
            for _ in 1...Self.rounds {
                await simulator.perform { $0.bluez.forgetCalls() }
                var peripheral = fixture.central.retrieveKnownPeripherals().first
                try await peripheral?.connect()
                var port = try await peripheral?.discoverSerialService()
                var ends: [BluetoothError?] = []
                port?.open { ends.append($0) }
                if isSubscribing {
                    try await eventually("the subscription") {
                        await simulator.perform { $0.bluez.calls.contains { $0.member == "AcquireNotify" } }
                    }
                }
                fixture.central.removePeripheral(try #require(peripheral))
                peripheral = nil
                port = nil
                try await eventually("the end", within: .seconds(5)) { !ends.isEmpty }
                #expect(ends.count == 1)
            }
        }

        @Test("A port whose finder and manager were released cannot be opened, and the error says what to keep")
        @BluetoothActor func unkeptFinder() async throws {
            let simulator = try await SerialSimulator()
            let service = try await SerialFinder(CentralManager(bus: simulator.bus)).find()
            try await eventually("the release", until: { service.peripheral == nil })
            let error = await #expect(throws: BluetoothError.self) { try await service.open() }
            #expect(error?.code == .notConnected)
            #expect(error?.message.contains("keep its central manager, or its finder") == true)
        }

        @Test("A port whose finder is kept can be opened")
        @BluetoothActor func keptFinder() async throws {
            let simulator = try await SerialSimulator()
            let finder = SerialFinder(CentralManager(bus: simulator.bus))
            let service = try await finder.find()
            try await service.open()
            #expect(service.isOpen)
            withExtendedLifetime(finder) {}
        }

        @Test("Bytes for an output that nobody holds any longer fail, once")
        @BluetoothActor func output() async throws {
            for isHanded in [true, false] {
                var ends: [BluetoothError?] = []
                var manner = SerialOutput.Manner()
                manner.highWaterMark = 1000
                var writes = 0
                var output: SerialOutput? = SerialOutput(manner) {
                    20
                } write: { _, _ in
                    writes += 1
                }
                var send: SerialSend? = output?.send(Data(count: 100), handedOver: {}) { ends.append($0) }
                if isHanded { try await eventually("a write") { writes == 1 } }
                withExtendedLifetime(send) {}
                send = nil
                output = nil
                try await eventually("the end", within: .seconds(5)) { !ends.isEmpty }
                #expect(ends.map { $0?.code } == [.cancelled])
            }
        }

        @Test("A command of a session that nobody holds any longer fails, once", arguments: [true, false])
        @BluetoothActor func session(isSent: Bool) async throws {
            let stream = MemoryStream()
            var session: TxRxSession? = TxRxSession(stream)
            var ends: [BluetoothError?] = []
            session?.send(Data("AT".utf8)) { ends.append($1) }
            if isSent { try await eventually("the command") { !stream.sent.isEmpty } }
            session = nil
            try await eventually("the end", within: .seconds(5)) { !ends.isEmpty }
            #expect(ends.map { $0?.code } == [.cancelled])
        }

        @BluetoothActor private final class Holder {
            var central: TxRxCentral?

            init(_ central: TxRxCentral) {
                self.central = central
            }
        }

        @Test("A device whose central is released while it connects is not ready, and says so")
        @BluetoothActor func connecting() async throws {
            let simulator = try await SerialSimulator()
            let manager = try await SerialFixture.poweredOn(simulator)
            let holder = Holder(TxRxCentral(manager))
            holder.central?.startScan { _ in }
            try await eventually("the device") { holder.central?.devices.count == 1 }
            let device = try #require(holder.central?.devices.first)
            holder.central?.stopScan()
            try await eventually("the end of the scan") { holder.central?.isScanning == false }
            holder.central?.eventHandler = { if case .connected = $0 { holder.central = nil } }
            var ends: [BluetoothError?] = []
            device.connect { ends.append($0) }
            try await eventually("the end") { !ends.isEmpty }
            #expect(ends.map { $0?.code } == [.cancelled])
            #expect(!device.isReady)
            try await eventually("the end of the link") { !device.peripheral.isConnected }
        }

        @Test("An exchange that nobody holds any longer fails, once")
        @BluetoothActor func exchange() async throws {
            let stream = MemoryStream()
            var exchange: Exchange<Data>? = Exchange(FramedStream(stream, framing: TerminatorFraming(Data([0x0A]))))
            var ends: [ExchangeError?] = []
            exchange?.exchange(Data("AT".utf8), timeout: .seconds(60)) { ends.append($1) }
            exchange = nil
            try await eventually("the end", within: .seconds(5)) { !ends.isEmpty }
            #expect(ends.count == 1 && ends.first != nil)
        }
    }
}
