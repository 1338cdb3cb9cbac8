import BlueZSerial
import BlueZSimulatedSerial
import CoreBlueZ
import FoundationEssentials
import TestSupport

/// Runs one schedule on a serial port.
@BluetoothActor final class StreamRound: LinkRound<SerialSimulator, StreamOperation> {
    /// A serial port, and how its streams end.
    @BluetoothActor private final class Port {
        weak var service: SerialService?
        var current: ByteRecord.Opening?
        var part = ByteRecord.Part()
        /// The completed openings, and their ends.
        var successes = 0
        var ends = 0
        /// Whether nobody keeps it, so that its end need not be reported.
        var isReleased = false

        init(_ service: SerialService) { self.service = service }

        var isOpen: Bool { service?.isOpen == true }
    }

    private var service: SerialService?
    private var ports: [Port] = []
    private var port: Port?
    private var request: (any SendRequest)?
    private var isConfirmed = false

    override var address: String { SerialSimulator.address }

    override func reset() async throws {
        record.losesUnconfirmed = schedule.steps.contains(.fault(.errors))
        await simulator.perform { [schedule] in
            $0.peripheral.reset()
            $0.device.script = RecordingScript()
            $0.device.cutting = .random(upTo: 40)
            $0.device.seed(SplitMix64(seed: schedule.seed))
        }
    }

    override func prepare(_ peripheral: Peripheral) async throws {
        let service = try await peripheral.discoverSerialService()
        if service !== self.service {
            watch(service, "a serial port")
            let port = Port(service)
            ports.append(port)
            self.port = port
            service.endHandler = { _ in port.ends += 1 }
            resumeReading(service, port)
        }
        self.service = service
    }

    override func release() {
        port?.isReleased = true
        service = nil
        request = nil
    }

    override func start(_ operation: StreamOperation, _ number: Int) {
        switch operation {
        case .open: open(number)
        case .close: service?.close()
        case .send: send(number)
        case .cancelSend: request?.cancel()
        case .pauseReading: service?.receiveHandler = nil
        case .resumeReading: if let service, let port { resumeReading(service, port) }
        case .sequence: consume()
        case .peerSends: peerSends(1 + number / 4)
        case .cancelTasks: cancelTasks()
        case .disconnect: disconnect(number)
        case .removePeripheral: removePeripheral()
        case .dropManager: dropManager()
        }
    }

    // MARK: Opening

    private func open(_ number: Int) {
        guard let service, let port else { return }
        let writings: [SerialOptions.Writing] = [
            .requests, .requests, .commands(interval: .milliseconds(1)), .acquired,
        ]
        var options = SerialOptions()
        options.writing = writings[number / 10 % 4]
        options.reading = number / 100 % 2 == 0 ? .acquired : .signals
        let title = "open with \(options.writing.map { "\($0)" } ?? "") and \(options.reading)"
        begin(title, byTask: number % 2 == 0) { _, done in
            let opening = willOpen(port, title)
            service.open(options) { error in
                self.didOpen(port, opening, error, options)
                done(error)
            }
        } task: { _ in
            guard !Task.isCancelled else { throw CancellationError() }
            let opening = self.willOpen(port, title)
            do throws(BluetoothError) {
                try await service.open(options)
                self.didOpen(port, opening, nil, options)
            } catch {
                self.didOpen(port, opening, error, options)
                throw error
            }
        }
    }

    private func willOpen(_ port: Port, _ title: String) -> (ByteRecord.Opening, before: ByteRecord.Opening?) {
        let opening = record.open(title)
        defer {
            port.current = opening
            port.part = opening.parts[0]
        }
        return (opening, port.current)
    }

    private func didOpen(
        _ port: Port, _ opening: (ByteRecord.Opening, before: ByteRecord.Opening?), _ error: BluetoothError?,
        _ options: SerialOptions
    ) {
        if error?.code == .busy, opening.before != nil {
            record.refuse(opening.0)
            if port.current === opening.0 { port.current = opening.before }
        }
        guard error == nil else { return }
        port.successes += 1
        isConfirmed = options.writing == .requests
        Task { [simulator] in
            let count = await simulator.perform { $0.sentBytes.count }
            // What arrives when the stream has ended need not be taken.
            if port.isOpen, port.current === opening.0 { opening.0.sentBefore = count }
        }
    }

    // MARK: Bytes

    private func send(_ number: Int) {
        guard let service, let port else { return }
        let length = number % 7 == 0 ? 400 : 1 + number / 10
        begin("send \(length)", byTask: number % 2 == 0) { index, done in
            guard let bytes = note(index, length, port) else { return done(nil) }
            request = service.send(bytes) { done($0) }
        } task: { index in
            // With the actor's thread as the preferred one nothing comes between the note and the sending.
            try await BluetoothActor.run {
                guard !Task.isCancelled, let bytes = self.note(index, length, port) else { return }
                try await service.send(bytes)
            }
        }
    }

    private func note(_ index: Int, _ length: Int, _ port: Port) -> Data? {
        let bytes = record.makeBytes(length)
        if let bytes { record.send(bytes, index, port.current, isConfirmed: isConfirmed) }
        return bytes
    }

    private func resumeReading(_ service: SerialService, _ port: Port) {
        if let current = port.current { port.part = current.addPart() }
        service.receiveHandler = { port.part.bytes += $0 }
    }

    private func consume() {
        guard let service, let port, port.isOpen, let current = port.current else { return }
        let part = current.addPart()
        let bytes = service.received()
        begin("sequence", byTask: true, isLasting: true) { _, _ in
        } task: { _ in
            for try await piece in bytes { part.bytes += piece }
        }
    }

    private func peerSends(_ count: Int) {
        let bytes = makeRandom(count)
        Task { [simulator] in await simulator.perform { $0.device.send(bytes) } }
    }

    // MARK: The end

    /// What is open still passes bytes, all of them.
    override func settle() async throws {
        try await demand(.endless, "the ends of streams, each once: \(ports.map { ($0.successes, $0.ends) })") {
            self.ports.allSatisfy { $0.ends == $0.successes - ($0.isOpen ? 1 : 0) || $0.isReleased }
        }
        guard let service, let port, let current = port.current, port.isOpen else {
            return try await demand(.leftOver, "bluetoothd to have no subscriber") { await self.subscriptions == 0 }
        }
        resumeReading(service, port)
        let last = [UInt8](repeating: 0x55, count: 9)
        await simulator.perform { $0.device.send(last) }
        try await demand(.lost, "the last bytes of what the peer sent") {
            !port.isOpen || [UInt8](current.bytes.suffix(last.count)) == last
        }
        let index = record.begin("the last send")
        guard let bytes = note(index, 50, port) else { return record.end(index, nil) }
        service.send(bytes) { [record] in record.end(index, $0) }
        try await demandEnds()
        guard !record.losesUnconfirmed else { return }
        try await demand(.lost, "the last bytes that the peer shall receive") {
            let received = await self.simulator.receivedBytes
            return !port.isOpen || self.record.hasArrived(received)
        }
        if port.isOpen { current.isIntact = true }
    }

    override func didEnd() async throws {
        try await demand(.endless, "the end of a stream after \(schedule.ending)") {
            self.ports.allSatisfy { $0.ends == $0.successes || $0.isReleased && $0.ends == $0.successes - 1 }
        }
    }

    override func probe() async throws {
        guard let service, let port else { throw BluetoothError(.notDiscovered, "There is no serial port") }
        if service.isOpen { service.close() }
        let opening = willOpen(port, "open by the probe")
        do throws(BluetoothError) {
            try await service.open()
            didOpen(port, opening, nil, .writing(.requests))
        } catch {
            didOpen(port, opening, error, SerialOptions())
            throw error
        }
        resumeReading(service, port)
        let index = record.begin("send by the probe")
        guard let bytes = note(index, 80, port) else { return record.end(index, nil) }
        do throws(BluetoothError) {
            try await service.send(bytes)
            record.end(index, nil)
        } catch {
            record.end(index, error)
            throw error
        }
        try await demand(.lost, "the echo of the probe") { opening.0.bytes.suffix(bytes.count) == bytes }
        try await demand(.leftOver, "bluetoothd to have subscribers of bytes and events alone") {
            await self.subscriptions == 2
        }
    }

    private var subscriptions: Int {
        get async { await simulator.perform { $0.bluez.notificationSessions(of: $0.peripheral).count } }
    }

    override func judge() async -> [FaultFinding] {
        let ends = ports.filter { $0.ends > $0.successes }.map {
            FaultFinding(.doubled, "\($0.successes) streams have ended \($0.ends) times")
        }
        return ends + record.findings(received: await simulator.receivedBytes)
            + record.findings(sent: await simulator.perform { $0.sentBytes })
    }
}

extension SerialSimulator {
    /// What the peripheral has sent to a subscriber.
    fileprivate var sentBytes: [UInt8] {
        peripheral.log.filter { $0.operation == .notify && $0.uuid == device.profile.notify }.flatMap(\.value)
    }

    /// What the peripheral has taken.
    fileprivate var receivedBytes: [UInt8] { (device.script as? RecordingScript)?.bytes ?? [] }
}
