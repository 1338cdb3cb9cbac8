import BlueZSerial
import BlueZSimulatedSerial
import BlueZSimulator
import CoreBlueZ
import FoundationEssentials
import TestSupport
import Testing

@BluetoothActor private final class Delegate: BLECardReaderDelegate {
    var told: [String] = []
    var foundHandler: (() -> Void)?
    func didNotifyFailConnectService(
        _ service: Service?, withPeripheral peripheral: Peripheral, error: BluetoothError
    ) {
        told.append("no service \(error.code)")
    }
    func didNotifyFailConnectChar(
        _ characteristic: Characteristic?, withPeripheral peripheral: Peripheral, error: BluetoothError
    ) {
        told.append("no characteristic \(error.code)")
    }
    func connectTimeout(_ peripheral: Peripheral, error: BluetoothError) { told.append("timeout \(error.code)") }
    func didFoundReadChar(_ characteristic: Characteristic) { told.append("read \(characteristic.uuid)") }
    func didFoundWriteChar(_ characteristic: Characteristic) { told.append("write \(characteristic.uuid)") }
    func didFoundCharacteristic(
        _ characteristic: Characteristic?, withPeripheral peripheral: Peripheral?, error: BluetoothError?
    ) {
        let isEmpty = characteristic == nil && peripheral == nil && error == nil
        told.append(isEmpty ? "finished" : "found")
        foundHandler?()
    }
}

@BluetoothActor final class MainMenuDelegate: BLECardReaderMainMenuDelegate {
    var errors: [String] = []
    var data: [Data] = []
    var checksums: [CardReaderChecksum?] = []
    func didFindChecksum(_ checksum: CardReaderChecksum?) { checksums.append(checksum) }
    func didNotifyReadError(_ error: any Error) {
        let reason = (error as? FramingError).map { "\($0.reason)" }
        errors.append(reason ?? (error as? BluetoothError)?.code.rawValue ?? "?")
    }
    func didNotifyReadData(_ data: Data) { self.data.append(data) }
}

/// Implements one failure only: the others have their defaults.
@BluetoothActor private final class FailureDelegate: BLECardReaderDelegate {
    var told: [String] = []
    func didNotifyFailConnectService(
        _ service: Service?, withPeripheral peripheral: Peripheral, error: BluetoothError
    ) {
        told.append("no service \(error.code)")
    }
}

/// The article's program, with its one object for both delegates.
@BluetoothActor private final class Program: BLECardReaderDelegate, BLECardReaderMainMenuDelegate {
    let reader: BLECardReader
    var data: [Data] = []
    var errors: [any Error] = []

    init(_ reader: BLECardReader) {
        self.reader = reader
        reader.delegate = self
        reader.mainMenuDelegate = self
    }

    func didFoundCharacteristic(
        _ characteristic: Characteristic?, withPeripheral peripheral: Peripheral?, error: BluetoothError?
    ) {
        reader.startSubscribe()
        msrRead()
    }
    func didNotifyReadData(_ data: Data) { self.data.append(data) }
    func didNotifyReadError(_ error: any Error) { errors.append(error) }

    func msrRead() {
        var command = [UInt8](repeating: 0, count: 512)
        var position = 0
        func append(_ byte: UInt8) {
            command[position] = byte
            position += 1
        }
        append(0x02)
        append(0xC1)
        append(0x07)
        let sendLength = 2
        append(UInt8(sendLength / 256))
        append(UInt8(sendLength % 256))
        append(0x00)
        append(0x00)
        let crc = CRC16.ccittFalse.checksum(of: command[1..<position])
        append(UInt8(crc / 256))
        append(UInt8(crc % 256))
        reader.writeChar(Data(command[..<position]))
    }
}

extension ExchangeDevices {
    @Suite("The card reader library's callbacks", .virtualTime) @BluetoothActor struct BLECardReaderTests {
        /// A reader and the peripheral with an address. What should succeed has all the time that it needs.
        func withReader(
            _ others: [SerialProfile] = [],
            profile: SerialProfile = .issc,
            address: String = SerialSimulator.address,
            framing: CardReaderFraming = CardReaderFraming(),
            _ body: (BLECardReader, Peripheral, CardReaderSimulator) async throws -> Void
        ) async throws {
            let simulator = try await CardReaderSimulator(framing, others: others)
            let central = CentralManager(bus: simulator.bus)
            try await central.waitUntilPoweredOn()
            let peripheral = try await central.firstPeripheral { found, _ in found.address?.description == address }
            let reader = BLECardReader(profile: profile)
            reader.connectTimeout = .ample
            reader.subscribeTimeout = .ample
            try await body(reader, peripheral, simulator)
            withExtendedLifetime(central) {}
        }

        /// Connects, and asks for the subscription in the same turn: a failure to connect is then its failure, too.
        private func connect(_ reader: BLECardReader, _ peripheral: Peripheral) async -> BluetoothError? {
            await withCheckedContinuation { continuation in
                #expect(reader.connect(peripheral))
                reader.startSubscribe { continuation.resume(returning: $0) }
            }
        }

        private func isConnected(_ simulator: CardReaderSimulator) async -> Bool {
            await simulator.perform { $0.device.peripheral.isConnected }
        }

        @Test("Connecting reports the two characteristics, and then once, without them, that discovery has finished")
        func found() async throws {
            try await withReader { reader, peripheral, _ in
                let delegate = Delegate()
                reader.delegate = delegate
                #expect(reader.connect(peripheral))
                #expect(!reader.connect(peripheral))
                try await reader.startSubscribe()
                #expect(
                    delegate.told == [
                        "read \(SerialProfile.issc.notify)", "write \(SerialProfile.issc.write)", "finished",
                    ])
                #expect(!reader.connect(peripheral))
            }
        }

        @Test("A device without the service is reported as such")
        func noService() async throws {
            try await withReader([.nordic], address: "00:AA:02:00:00:10") { reader, peripheral, _ in
                let delegate = Delegate()
                reader.delegate = delegate
                #expect(await connect(reader, peripheral)?.code == .profileNotRecognized)
                #expect(delegate.told == ["no service profileNotRecognized"])
            }
        }

        @Test("A service without the characteristics is reported as such")
        func noCharacteristic() async throws {
            var profile = SerialProfile.issc
            profile.write = SerialProfile.nordic.write
            try await withReader(profile: profile) { reader, peripheral, _ in
                let delegate = Delegate()
                reader.delegate = delegate
                reader.connect(peripheral)
                try await eventually("the callback", until: { !delegate.told.isEmpty })
                #expect(delegate.told == ["no characteristic profileNotRecognized"])
            }
        }

        @Test("The end of the connect timer has a callback of its own, and is otherwise a failure to connect")
        func connectTimeout() async throws {
            try await withReader { reader, peripheral, simulator in
                let (delegate, other) = (Delegate(), FailureDelegate())
                await simulator.perform { $0.device.peripheral.simulateRangeLoss() }
                reader.connectTimeout = .milliseconds(100)
                reader.delegate = delegate
                reader.connect(peripheral)
                try await eventually("the callback", until: { !delegate.told.isEmpty })
                reader.delegate = other
                #expect(reader.connect(peripheral))
                try await eventually("the callback", until: { !other.told.isEmpty })
                #expect(delegate.told == ["timeout connectionTimedOut"])
                #expect(other.told == ["no service connectionTimedOut"])
            }
        }

        @Test("A program that writes in the last callback, as in the original, gets its reply")
        func ported() async throws {
            try await withReader { reader, peripheral, simulator in
                let program = Program(reader)
                reader.connect(peripheral)
                try await eventually("the tracks", until: { !program.data.isEmpty || !program.errors.isEmpty })
                let frame = await simulator.perform { $0.script.frame(0xC1, 0x07, $0.script.tracks) }
                #expect(program.data == [Data(frame)])
                #expect(program.errors.isEmpty)
                let writes = await simulator.perform { simulator in
                    simulator.device.peripheral.log.filter { $0.uuid == simulator.device.profile.write }
                }
                #expect(writes.map(\.operation) == [.write])
                #expect(writes.map { Array($0.value) } == [[0x02, 0xC1, 0x07, 0x00, 0x02, 0x00, 0x00, 0xFC, 0x34]])
            }
        }

        @Test("The subscription is reported when it is done, to all who asked, and before connecting it is an error")
        func subscribing() async throws {
            try await withReader { reader, peripheral, simulator in
                let before = await #expect(throws: BluetoothError.self) { try await reader.startSubscribe() }
                #expect(before?.code == .notConnected)
                reader.connect(peripheral)
                var results: [BluetoothError?] = []
                reader.startSubscribe { results.append($0) }
                reader.startSubscribe { results.append($0) }
                let cancelled = Task { try await reader.startSubscribe() }
                cancelled.cancel()
                try await reader.startSubscribe()
                #expect(await simulator.perform { $0.device.isSubscribed })
                try await eventually("the completions", until: { results.count == 2 })
                reader.startSubscribe { results.append($0) }
                try await eventually("another completion", until: { results.count == 3 })
                #expect(results == [nil, nil, nil])
                await #expect(throws: (any Error).self) { try await cancelled.value }
            }
        }

        @Test("Writes before the subscription go out in order, before those of its completion")
        func order() async throws {
            try await withReader { reader, peripheral, simulator in
                reader.connect(peripheral)
                reader.startSubscribe { _ in reader.write(command: 0xC1, subcommand: 0x03) }
                reader.write(command: 0xC1, subcommand: 0x01)
                reader.write(command: 0xC1, subcommand: 0x02)
                try await eventually("the commands") {
                    await simulator.perform { $0.script.commands.count == 3 }
                }
                #expect(await simulator.perform { $0.script.commands } == [[0xC1, 1], [0xC1, 2], [0xC1, 3]])
            }
        }

        @Test("A write that waits too long for the subscription fails, and so does everything that disConnect ends")
        func waitingEnds() async throws {
            try await withReader { reader, peripheral, simulator in
                let (delegate, mainMenu) = (Delegate(), MainMenuDelegate())
                (reader.delegate, reader.mainMenuDelegate) = (delegate, mainMenu)
                #expect(BLECardReader().subscribeTimeout == .seconds(5))
                await simulator.perform { $0.device.peripheral.simulateRangeLoss() }
                reader.connect(peripheral)
                reader.subscribeTimeout = .milliseconds(50)
                reader.writeChar(Data([2]))
                try await eventually("the error", until: { !mainMenu.errors.isEmpty })
                reader.subscribeTimeout = .ample
                reader.writeChar(Data([2]))
                var results: [BluetoothError.Code?] = []
                reader.startSubscribe { results.append($0?.code) }
                reader.disConnect()
                try await eventually("the completion", until: { !results.isEmpty })
                #expect(results == [.cancelled])
                #expect(mainMenu.errors == ["timedOut", "cancelled"])
                await simulator.perform { $0.device.peripheral.simulateReturn() }
                try await peripheral.disconnect()
                #expect(reader.connect(peripheral))
                try await reader.startSubscribe()
                #expect(delegate.told.last == "finished")
                #expect(delegate.told.count == 3)
            }
        }

        @Test("A reader that is released ends what waits for it")
        func released() async throws {
            try await withReader { _, peripheral, simulator in
                await simulator.perform { $0.device.peripheral.simulateRangeLoss() }
                var results: [BluetoothError.Code?] = []
                var reader: BLECardReader? = BLECardReader()
                reader?.connect(peripheral)
                reader?.startSubscribe { results.append($0?.code) }
                reader = nil
                try await eventually("the completion", until: { !results.isEmpty })
                #expect(results == [.cancelled])
            }
        }

        @Test("disConnect ends the link without an error, also in a callback, and connecting again works")
        func disconnecting() async throws {
            try await withReader { reader, peripheral, simulator in
                let (delegate, mainMenu) = (Delegate(), MainMenuDelegate())
                (reader.delegate, reader.mainMenuDelegate) = (delegate, mainMenu)
                reader.disConnect()
                reader.connect(peripheral)
                try await reader.startSubscribe()
                reader.disConnect()
                try await eventually("the link's end") { await !isConnected(simulator) }
                try await peripheral.disconnect()
                delegate.foundHandler = { reader.disConnect() }
                #expect(await connect(reader, peripheral)?.code == .cancelled)
                try await eventually("the link's end") { await !isConnected(simulator) }
                try await peripheral.disconnect()
                delegate.foundHandler = nil
                #expect(reader.connect(peripheral))
                try await reader.startSubscribe()
                #expect(delegate.told.filter { $0 == "finished" }.count == 3)
                #expect(delegate.told.count == 9)
                #expect(mainMenu.errors.isEmpty)
            }
        }

        @Test("Replies are reported whole, even two in one notification, and damaged ones as errors")
        func data() async throws {
            try await withReader { reader, peripheral, simulator in
                let mainMenu = MainMenuDelegate()
                reader.mainMenuDelegate = mainMenu
                reader.write(command: 0xC1, subcommand: 0x07, data: Data([0, 0]))
                #expect(mainMenu.errors == ["notConnected"])
                await simulator.perform { $0.script.faults = [.unsolicitedFrame, .wrongChecksum] }
                reader.connect(peripheral)
                reader.write(command: 0xC1, subcommand: 0x08, data: Data([0, 1, 2, 3]))
                try await eventually("both frames", until: { mainMenu.data.count == 2 })
                let frames = await simulator.perform {
                    [$0.script.frame(0xEE, 0x01, [1]), $0.script.frame(0xC1, 0x08, [0x6D, 0x00])]
                }
                #expect(mainMenu.data == frames.map { Data($0) })
                reader.write(command: 0xC1, subcommand: 0x08, data: Data([0, 1, 2, 3]))
                try await eventually("the error", until: { mainMenu.errors.last == "wrongChecksum" })
                await simulator.perform { $0.device.peripheral.simulateDisconnection() }
                try await eventually("the link's end", until: { mainMenu.errors.last == "disconnected" })
                reader.writeChar(Data([2]))
                #expect(mainMenu.errors.last == "notConnected")
            }
        }
    }
}
