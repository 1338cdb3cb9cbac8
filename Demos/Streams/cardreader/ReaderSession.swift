import BlueZScript
import BlueZSerial
import CoreBlueZ
import FoundationEssentials

/// One run: finds the reader, sends it the requests, and always disconnects.
@BluetoothActor final class ReaderSession {
    private let options: CardReaderTool
    private var simulated: SimulatedReader?
    private var finder: SerialFinder?

    /// SELECT by name of "2PAY.SYS.DDF01", the contactless cards' payment environment (EMV Book B).
    private static let selectPaymentEnvironment =
        [0x00, 0xA4, 0x04, 0x00, 0x0E] + Array("2PAY.SYS.DDF01".utf8) + [0x00]

    init(_ options: CardReaderTool) {
        self.options = options
    }

    /// Runs the steps that the options request.
    ///
    /// - Throws: the first failure. A signal is not one, unless the link cannot be ended.
    func run() async throws(CommandFailure) {
        let work = Task { @BluetoothActor in try await self.work() }
        SignalWatch.shared.start { work.cancel() }
        let result = await work.result
        let leaving = await leave()
        if SignalWatch.shared.number == nil, case .failure(let error) = result {
            if let leaving { StandardError.write(leaving, program: "cardreader") }
            throw CommandFailure(ofReader: error)
        }
        if let leaving { throw leaving }
    }

    private func work() async throws {
        let framing = options.framing
        if options.simulate {
            // With --crc auto there is something to find.
            let other = CardReaderFraming(checksumByteOrder: .littleEndian)
            simulated = try await SimulatedReader.start(options.crc == .auto ? other : framing)
        }
        let bus = simulated.map { BusAddress.address($0.address) } ?? .system
        let service = try await find(CentralManager(bus: bus, adapter: options.adapter))
        try await service.open()
        let reader = CardReader(service, framing: framing, commands: options.commands)
        reader.exchange.framingErrorHandler = { error in
            StandardError.writeLine(
                "\(error)" + (error.reason == .cutOff ? "; if the reader pauses for longer, increase --gap" : ""))
        }
        reader.exchange.messageHandler = { frame, _ in
            StandardError.writeLine(
                "The reader sent an unsolicited frame: command \(HexadecimalBytes([frame.command, frame.subcommand]))")
        }
        reader.checksumHandler = { checksum in
            let found = checksum.map { "is \($0)\(CRCChoice.options(for: $0).map { ": \($0)" } ?? "")" }
            StandardError.writeLine(
                "The CRC of the reader's first frame \(found ?? "is none of the known ones, and is not checked")")
        }
        try await ask(reader)
    }

    private func find(_ central: CentralManager) async throws(BluetoothError) -> SerialService {
        let finder = SerialFinder(central, profiles: [.issc])
        self.finder = finder
        finder.stepHandler = { step in
            switch step {
            case .trying(let peripheral): StandardError.writeLine("Trying \(peripheral.displayName)...")
            case .rejected(let peripheral, let error):
                StandardError.writeLine("Not \(peripheral.displayName): \(error)")
            }
        }
        let timeout = options.timeout
        // Without a name, every device in range is tried, so each gets only a short time.
        if options.device != nil { finder.connectTimeout = timeout }
        let service: SerialService
        if let address = options.device.flatMap({ BluetoothAddress(typed: $0) }) {
            StandardError.writeLine("Connecting to \(address)...")
            service = try await finder.find(address, timeout: timeout)
        } else if let name = options.device {
            StandardError.writeLine("Looking for a card reader named \(name)...")
            service = try await finder.find(named: name, timeout: timeout)
        } else {
            StandardError.writeLine("Looking for a card reader...")
            service = try await finder.find(timeout: timeout)
        }
        StandardError.writeLine("Connected to \(service.title), which has the \(service.profile.name).")
        return service
    }

    private func ask(_ reader: CardReader) async throws {
        let output = Output(
            isJSON: options.json, showsCardNumbers: options.showCardNumbers, device: reader.stream.title)
        let timeout = options.timeout
        let isDefault = !options.tracks && options.apdus.isEmpty
        if options.tracks || isDefault {
            StandardError.writeLine("Swipe a card...")
            try output.write(try await reader.readTracks(timeout: timeout))
        }
        let apdus = isDefault ? [HexadecimalBytes(Self.selectPaymentEnvironment.map { UInt8($0) })] : options.apdus
        for apdu in apdus {
            StandardError.writeLine("Sending an APDU of \(apdu.bytes.count) bytes...")
            let response = try await reader.sendAPDU(Data(apdu.bytes), timeout: timeout)
            try output.write(response, to: apdu)
        }
    }

    /// Disconnects, if this run has made the link, and ends the simulator.
    ///
    /// - Returns: the failure if the link cannot be ended.
    private func leave() async -> CommandFailure? {
        var failure: CommandFailure?
        if let finder, finder.hasMadeLink, let peripheral = finder.peripheral, peripheral.isConnected {
            StandardError.writeLine("Disconnecting...")
            do throws(BluetoothError) {
                try await peripheral.disconnectOwnLink()
            } catch {
                failure = CommandFailure(error)
            }
        }
        await simulated?.stop()
        return failure
    }
}
