import BlueZSerial
import BlueZSimulatedSerial
import BlueZSimulator
import CoreBlueZ
import FoundationEssentials
import TestSupport
import Testing

extension ExchangeDevices {
    @Suite("The card reader", .virtualTime) @BluetoothActor struct CardReaderTests {
        private static let select = Data([0x00, 0xA4, 0x04, 0x00, 0x02, 0x31, 0x50])

        private func withReader(
            framing: CardReaderFraming = CardReaderFraming(),
            _ body: (CardReader, CardReaderSimulator) async throws -> Void
        ) async throws {
            let simulator = try await CardReaderSimulator(framing)
            let central = CentralManager(bus: simulator.bus)
            let service = try await SerialFinder(central).find()
            try await service.open()
            let reader = CardReader(service, framing: framing)
            reader.exchange.lateReplyWindow = .milliseconds(20)
            try await body(reader, simulator)
            withExtendedLifetime(central) {}
        }

        private func fail(_ simulator: CardReaderSimulator, _ faults: [CardReaderScript.Fault]) async {
            await simulator.perform { $0.script.faults = faults }
        }

        @Test("The reader is found by connecting, among devices that do not advertise what they are either")
        func finding() async throws {
            let simulator = try await CardReaderSimulator(others: [.nordic, .hm10])
            let central = CentralManager(bus: simulator.bus)
            let finder = SerialFinder(central, profiles: [.issc])
            var rejected: [String] = []
            finder.stepHandler = { step in
                if case .rejected(let peripheral, let error) = step {
                    #expect(error.code == .profileNotRecognized)
                    rejected.append(peripheral.displayName)
                }
            }
            // The others first.
            finder.isCandidate = { $0.name == "OTHER" || rejected.count == 2 }
            let service = try await finder.find()
            #expect(rejected == ["OTHER", "OTHER"])
            #expect(service.peripheral?.address?.description == SerialSimulator.address)
            #expect(service.profile == .issc)
            let connected = central.peripherals.filter(\.isConnected)
            #expect(connected.map { $0.address?.description } == [SerialSimulator.address])
            #expect(try await SerialFinder(central, profiles: [.issc]).find() === service)
        }

        @Test("Finding by address needs no scan if bluetoothd knows the device, and ends if it is another kind")
        func findingByAddress() async throws {
            let simulator = try await CardReaderSimulator(others: [.nordic])
            let central = CentralManager(bus: simulator.bus)
            let address = try #require(BluetoothAddress(SerialSimulator.address))
            let service = try await SerialFinder(central).find(address)
            try await service.peripheral?.disconnect()
            await simulator.perform { $0.device.peripheral.isAdvertising = false }
            let error = await #expect(throws: BluetoothError.self) {
                let other = try #require(BluetoothAddress("00:AA:02:00:00:10"))
                _ = try await SerialFinder(central, profiles: [.issc]).find(other)
            }
            #expect(error?.code == .profileNotRecognized)
            #expect(central.peripherals.allSatisfy { !$0.isConnected })
        }

        @Test("Finding by name ends as finding by address does: with another kind's error, or when the time is over")
        func findingByName() async throws {
            let simulator = try await CardReaderSimulator(others: [.nordic])
            let finder = SerialFinder(CentralManager(bus: simulator.bus), profiles: [.issc])
            let other = await #expect(throws: BluetoothError.self) { _ = try await finder.find(named: "OTHER") }
            #expect(other?.code == .profileNotRecognized)
            #expect(finder.central.peripherals.allSatisfy { !$0.isConnected })
            let absent = await #expect(throws: BluetoothError.self) {
                _ = try await finder.find(named: "SOMEONE", timeout: .milliseconds(100))
            }
            #expect(absent?.code == .timedOut)
            let service = try await finder.find(named: "READER")
            #expect(try await finder.find(named: "READER") === service)
        }

        @Test("Without such a device, the search ends in time and says how many were tried")
        func notFound() async throws {
            let simulator = try await CardReaderSimulator()
            let central = CentralManager(bus: simulator.bus)
            let error = await #expect(throws: BluetoothError.self) {
                _ = try await SerialFinder(central, profiles: [.nordic]).find(timeout: Duration.seconds(1).stretched)
            }
            #expect(error?.code == .timedOut)
            #expect(error?.message.contains("1 device was tried") == true)
        }

        @Test("The tracks of a card are read, in answers cut in any way", arguments: [1, 7, 20, 400])
        func tracks(length: Int) async throws {
            try await withReader { reader, simulator in
                await simulator.perform { $0.device.cutting = .length(length) }
                let tracks: MagneticTracks = try await reader.readTracks()
                #expect(tracks.track1 == "%B4111111111111111^DOE/JANE^29121010000000000?")
                #expect(tracks.track2 == ";4111111111111111=29121010000000000?")
                #expect(await simulator.perform { $0.script.commands } == [[0xC1, 0x07, 0, 0]])
            }
        }

        @Test("An APDU goes to the chip and its response comes back")
        func apdu() async throws {
            try await withReader { reader, simulator in
                let response: ResponseAPDU = try await reader.sendAPDU(Self.select)
                #expect(response.status == 0x9000)
                #expect(response.data == Data([0x6F, 4, 0x84, 2, 0x31, 0x50]))
                let status1 = try await reader.sendAPDU(Data([0, 1, 2, 3])).status
                #expect(status1 == 0x6D00)
                let commands = await simulator.perform { $0.script.commands }
                #expect(commands.first == [0xC1, 0x08] + Array(Self.select))
            }
        }

        @Test("Readers with another CRC are understood")
        func checksums() async throws {
            let framing = CardReaderFraming(checksum: .kermit, checksumByteOrder: .littleEndian)
            try await withReader(framing: framing) { reader, _ in
                let status2 = try await reader.sendAPDU(Self.select).status
                #expect(status2 == 0x9000)
            }
        }

        @Test("A reader that ignores commands with another CRC gets the command with each, until it responds")
        func checksumSearch() async throws {
            let checksum = CardReaderChecksum(.xmodem, .littleEndian)
            let framing = CardReaderFraming(checksum: checksum.crc, checksumByteOrder: checksum.byteOrder)
            let script = await SimulatorActor.run { CardReaderScript(framing) }
            let stream = MemoryStream()
            stream.answer = { bytes in
                Task { @BluetoothActor in
                    let pieces = await SimulatorActor.run { script.received([UInt8](bytes)) }
                    for piece in pieces { stream.arrive(Data(piece)) }
                }
            }
            let reader = CardReader(stream, framing: CardReaderFraming(detectsChecksum: true))
            var found: [CardReaderChecksum?] = []
            reader.checksumHandler = { found.append($0) }
            let timeout = Duration.seconds(4).stretched
            let tracks: MagneticTracks = try await reader.readTracks(timeout: timeout)
            #expect(tracks.track2 == ";4111111111111111=29121010000000000?")
            #expect(found == [checksum])
            let command = CardReaderCommands().readTracks
            let sent = try CardReaderChecksum.known.prefix(4).map { checksum in
                try CardReaderFraming(checksum: checksum.crc, checksumByteOrder: checksum.byteOrder).encode(command)
            }
            #expect(stream.sent == sent)
            let status = try await reader.sendAPDU(Self.select, timeout: timeout).status
            #expect(status == 0x9000)
            #expect(stream.sent.count == 5)
        }

        @Test(
            "A frame that refuses a command with another CRC shows the reader's, with which the command is sent again")
        func refusedChecksum() async throws {
            let framing = CardReaderFraming(checksum: .kermit, checksumByteOrder: .littleEndian)
            let stream = MemoryStream()
            stream.answer = { [weak stream] bytes in
                var received = framing
                let isValid = received.receive(bytes).first.map { (try? $0.get()) != nil } ?? false
                let reply = CardReaderFrame(command: isValid ? 0xC1 : 0xFF, subcommand: 0x08, data: Data([0x90, 0x00]))
                if let reply = try? framing.encode(reply) { stream?.arrive(reply) }
            }
            let reader = CardReader(stream, framing: CardReaderFraming(detectsChecksum: true))
            let status = try await reader.sendAPDU(Self.select, timeout: .ample).status
            #expect(status == 0x9000)
            #expect(stream.sent.count == 2)
        }

        @Test("A device gets no more time to connect than its limit, which is 5 s by default")
        func watchdogs() async throws {
            let simulator = try await CardReaderSimulator()
            let central = CentralManager(bus: simulator.bus)
            let finder = SerialFinder(central, profiles: [.issc])
            let address = try #require(BluetoothAddress(SerialSimulator.address))
            _ = try await central.firstPeripheral()
            await simulator.perform { $0.device.peripheral.simulateRangeLoss() }
            #expect(finder.connectTimeout == .seconds(5))
            #expect(BLECardReader().connectTimeout == .seconds(5))
            finder.connectTimeout = .milliseconds(50)
            let error = await #expect(throws: BluetoothError.self) { _ = try await finder.find(address) }
            #expect(error?.code == .connectionTimedOut)
        }

        @Test("A frame is written whole, in write requests of the profile's packet size, one after the other")
        func writing() async throws {
            try await withReader { reader, simulator in
                _ = try await reader.sendAPDU(Data([0, 1, 2, 3]) + Data(count: 40))
                let writes = await simulator.perform { simulator in
                    simulator.device.peripheral.log.filter { $0.uuid == simulator.device.profile.write }
                }
                #expect(writes.map(\.operation) == [.write, .write, .write])
                #expect(writes.map(\.value.count) == [20, 20, 11])
            }
        }

        @Test("An APDU that is too short, or longer than the reader's buffer, is refused")
        func limits() async throws {
            try await withReader { reader, _ in
                for count in [3, 506] {
                    let error = await #expect(throws: ExchangeError.self) {
                        _ = try await reader.sendAPDU(Data(count: count))
                    }
                    #expect(error?.code == .byteFormat)
                }
                let status3 = try await reader.sendAPDU(Data([0, 1, 2, 3]) + Data(count: 501)).status
                #expect(status3 == 0x6D00)
            }
        }

        @Test(
            "An answer survives what comes before or with it",
            arguments: [CardReaderScript.Fault.garbage, .unsolicitedFrame])
        func survived(fault: CardReaderScript.Fault) async throws {
            try await withReader { reader, simulator in
                var unsolicited: [UInt8] = []
                reader.exchange.messageHandler = { frame, _ in unsolicited.append(frame.command) }
                await fail(simulator, [fault])
                let status4 = try await reader.sendAPDU(Self.select).status
                #expect(status4 == 0x9000)
                #expect(unsolicited == (fault == .unsolicitedFrame ? [0xEE] : []))
            }
        }

        @Test(
            "An answer that is damaged is an error, and the next command has its own answer",
            arguments: [
                (CardReaderScript.Fault.silence, ExchangeErrorCode.timedOut), (.wrongChecksum, .decodeFailed),
                (.impossibleLength, .frameFormat),
            ])
        func damaged(fault: CardReaderScript.Fault, code: ExchangeErrorCode) async throws {
            try await withReader { reader, simulator in
                await fail(simulator, [fault])
                let error = await #expect(throws: ExchangeError.self) {
                    // A good answer may follow a damaged one, so that the error comes when the time is over.
                    _ = try await reader.sendAPDU(Self.select, timeout: Duration.seconds(1).stretched)
                }
                #expect(error?.code == code)
                let status5 = try await reader.sendAPDU(Self.select).status
                #expect(status5 == 0x9000)
            }
        }

        @Test("The rest of a broken answer is discarded before the next command")
        func leftOver() async throws {
            // No pause ends the rest, and it has come before the time is over.
            try await withReader(framing: CardReaderFraming(idleGap: .ample)) { reader, simulator in
                #expect(reader.exchange.clearsBeforeSending)
                await fail(simulator, [.cutOff])
                var errors: [FramingError.Reason] = []
                reader.exchange.framingErrorHandler = { errors.append($0.reason) }
                let error = await #expect(throws: ExchangeError.self) {
                    _ = try await reader.sendAPDU(Self.select, timeout: Duration.milliseconds(500).stretched)
                }
                #expect(error?.code == .timedOut)
                let status6 = try await reader.sendAPDU(Self.select).status
                #expect(status6 == 0x9000)
                #expect(errors.isEmpty)
            }
        }

        @Test("The link's end is the error of the command that waits")
        func linkEnds() async throws {
            try await withReader { reader, simulator in
                await fail(simulator, [.silence])
                var errors: [ExchangeError?] = []
                reader.readTracks { errors.append($1) }
                try await eventually("the command") { await simulator.perform { !$0.script.commands.isEmpty } }
                await simulator.perform { $0.device.peripheral.simulateDisconnection() }
                try await eventually("the error", until: { !errors.isEmpty })
                #expect(errors.map { $0?.code } == [.disconnected])
                #expect(reader.exchange.refusal == .noDevice)
            }
        }
    }
}
