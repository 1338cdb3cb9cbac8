import BlueZSerial
import BlueZSimulatedSerial
import CoreBlueZ
import FoundationEssentials
import TestSupport

/// Runs one schedule on a card reader, which gets the names of applications in APDUs and replies with the same names.
@BluetoothActor final class ExchangeRound: LinkRound<CardReaderSimulator, ExchangeOperation> {
    /// A request and what came of it.
    @BluetoothActor private final class Request {
        let name: Data
        let entry: Int
        var reply: Data?
        var hasBeenSent = false
        var hasEnded = false

        init(_ name: Data, _ entry: Int) {
            self.name = name
            self.entry = entry
        }

        var apdu: Data { Data([0x00, 0xA4, 0x04, 0x00, 0x04]) + name }
    }

    private var reader: CardReader?
    /// What notes the end of the reader's stream.
    private var end: Int?
    private var requests: [Request] = []
    private var count: UInt8 = 0
    /// Whether replies are told apart by their names; otherwise by waiting for a late one, however long that takes.
    private var comparesNames: Bool { schedule.seed % 2 == 0 }

    override var address: String { CardReaderSimulator.address }

    override func reset() async throws {
        await simulator.perform {
            $0.peripheral.reset()
            $0.startOver()
        }
    }

    override func prepare(_ peripheral: Peripheral) async throws {
        if let reader, [nil, .notFinished].contains(reader.exchange.refusal) { return }
        if reader != nil, !comparesNames {
            // A reply to the last reader's request is none of the next one's.
            try await peripheral.disconnect()
            try await peripheral.connect()
        }
        release()
        let service = try await peripheral.discoverSerialService([.issc])
        watch(service, "a serial port")
        service.close()
        try await service.open(schedule.seed / 2 % 2 == 0 ? .reading(.acquired) : .reading(.signals))
        let comparesNames = comparesNames
        let reader = CardReader(service, framing: CardReaderFraming(idleGap: .milliseconds(10))) { frame, request in
            guard frame.command == 0xC1, frame.subcommand == 0x08 else { return .unsolicited }
            guard comparesNames else { return .reply }
            return frame.data.dropFirst(4).prefix(4) == request?.data.suffix(4) ? .reply : .unsolicited
        }
        reader.exchange.lateReplyWindow = comparesNames ? .zero : nil
        watch(reader.exchange, "an exchange")
        let end = record.begin("the stream of a reader", isLasting: true)
        reader.exchange.endHandler = { [record] in record.end(end, $0) }
        self.end = end
        self.reader = reader
    }

    override func release() {
        if let end { record.leave(end) }
        end = nil
        reader = nil
    }

    override func start(_ operation: ExchangeOperation, _ number: Int) {
        switch operation {
        case .exchange: exchange(number, timeout: .milliseconds(2 + number / 20))
        case .cancel: _ = reader?.exchange.cancel()
        case .badReply:
            let faults: [CardReaderScript.Fault] = [
                .silence, .garbage, .wrongChecksum, .impossibleLength, .cutOff, .unsolicitedFrame,
            ]
            Task { [simulator] in await simulator.perform { $0.current.faults.append(faults[number % 6]) } }
        case .lateReplies, .promptReplies:
            let delay = operation == .lateReplies ? Duration.milliseconds(number / 25) : .zero
            Task { [simulator] in await simulator.perform { $0.device.delay = delay } }
        case .close: reader?.close()
        case .releaseReader:
            // The link too, because a late reply is not told from those to the next reader's requests.
            disconnect(number)
            release()
        case .cancelTasks: cancelTasks()
        case .disconnect: disconnect(number)
        case .removePeripheral: removePeripheral()
        case .dropManager: dropManager()
        }
    }

    private func exchange(_ number: Int, timeout: Duration) {
        guard let reader else { return }
        count += 1
        let name = Data([0xA0, 0, UInt8(number & 0xFF), count])
        begin("exchange \(count) within \(timeout)", byTask: number % 2 == 0) { index, done in
            let request = Request(name, index)
            requests.append(request)
            var frame = reader.commands.sendAPDU
            frame.data = request.apdu
            reader.exchange.exchange(frame, timeout: timeout) { [record] in
                if request.hasBeenSent || request.hasEnded {
                    record.noted.append(FaultFinding(.doubled, "\(record.entries[index].title) was sent again or late"))
                }
                request.hasBeenSent = true
            } completion: { frame, error in
                request.hasEnded = true
                request.reply = frame.map { Data($0.data.dropLast(2)) }
                done(error)
            }
        } task: { index in
            let request = Request(name, index)
            self.requests.append(request)
            request.reply = try await reader.sendAPDU(request.apdu, timeout: timeout).data
        }
    }

    // MARK: The end

    override func settle() async throws {
        await simulator.perform { $0.stopFaults() }
        guard let reader else { return }
        var error: (any Error)?
        // A write of an earlier request that is refused only now takes those behind it with it.
        for _ in 0..<3 where reader.exchange.refusal == nil {
            // Otherwise it may have to wait for a reply that was lost.
            exchange(1, timeout: comparesNames ? .seconds(10) : .milliseconds(20))
            let entry = record.entries.count - 1
            try await demandEnds()
            error = record.entries[entry].error
            if error == nil || !comparesNames { return }
        }
        guard let error, reader.exchange.refusal == nil else { return }
        try check([FaultFinding(.unusable, "an open reader does not reply: \(error)")])
    }

    override func probe() async throws {
        await simulator.perform { $0.stopFaults() }
        guard let reader else { throw BluetoothError(.notDiscovered, "There is no reader") }
        exchange(1, timeout: .seconds(10))
        let entry = record.entries.count - 1
        try await demandEnds()
        if let error = record.entries[entry].error {
            reader.close()
            throw error
        }
    }

    override func judge() async -> [FaultFinding] {
        var received: [Data: Int] = [:]
        for command in await simulator.perform({ $0.current.commands }) where command.starts(with: [0xC1, 0x08]) {
            received[Data(command.suffix(4)), default: 0] += 1
        }
        return requests.flatMap { findings($0, received: received.removeValue(forKey: $0.name) ?? 0) }
            + received.map { FaultFinding(.received, "\([UInt8]($0.key)), which nobody sent, was received") }
    }

    private func findings(_ request: Request, received: Int) -> [FaultFinding] {
        let entry = record.entries[request.entry]
        var findings: [FaultFinding] = []
        if received > 1 { findings.append(FaultFinding(.received, "\(entry.title) was received \(received) times")) }
        if let error = entry.error as? ExchangeError {
            let isUnsent = if case .refused = error { true } else { "\(error)".contains("It was not sent") }
            if isUnsent, received > 0 {
                findings.append(FaultFinding(.received, "\(entry.title) was received: \(error)"))
            }
        } else if entry.error == nil {
            if received == 0 { findings.append(FaultFinding(.received, "\(entry.title) was not received")) }
            if request.reply?.suffix(4) != request.name {
                let reply = request.reply.map { "\([UInt8]($0))" } ?? "nothing"
                findings.append(FaultFinding(.lost, "\(entry.title) got another's reply: \(reply)"))
            }
        }
        return findings
    }
}

extension CardReaderSimulator {
    fileprivate var current: CardReaderScript { device.script as? CardReaderScript ?? script }

    fileprivate func startOver() { device.script = CardReaderScript() }

    fileprivate func stopFaults() {
        current.faults = []
        device.delay = .zero
    }
}
