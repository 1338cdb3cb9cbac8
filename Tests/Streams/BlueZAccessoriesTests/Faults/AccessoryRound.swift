import BlueZAccessories
import BlueZSerial
import BlueZSimulator
import CoreBlueZ
import FoundationEssentials
import TestSupport

/// Runs one schedule on an accessory: over GATT if the seed is even, otherwise over RFCOMM.
@BluetoothActor final class AccessoryRound: LinkRound<AccessorySimulator, AccessoryOperation> {
    /// How bytes are taken in a session.
    private enum Way: Int {
        case events, reads, sequence, descriptors, streams
    }

    private var peer: AccessoryPeer?
    private var manager: AccessoryManager?
    private var session: AccessorySession?
    private var opening: ByteRecord.Opening?
    private var way = Way.events
    private var descriptors: SessionDescriptors?
    private var consumers = 0
    /// Decides how the bytes of the next session are taken that nobody asked for.
    private var number = 0
    /// What notes the session's end.
    private var end: Int?
    private let isClassic: Bool
    private let name: String

    override init(_ schedule: LinkSchedule<AccessoryOperation>, _ simulator: AccessorySimulator, patience: Duration) {
        isClassic = schedule.seed % 2 == 1
        name = isClassic ? Name.port : Name.uart
        super.init(schedule, simulator, patience: patience)
    }

    override var address: String {
        (isClassic ? AccessorySimulator.classicAddress : AccessorySimulator.uartAddress)?.description ?? ""
    }
    override var transport: BluetoothTransport { isClassic ? .bredr : .le }
    override func cause(_ fault: LinkFault) async throws {
        try await simulator.cause(fault, of: isClassic ? simulator.classic : nil)
    }
    override func mend() async throws { try await simulator.mend(isClassic ? simulator.classic : nil) }
    override var isReachable: Bool {
        get async { await simulator.isReachable(isClassic ? simulator.classic : nil) }
    }

    override func reset() async throws {
        record.losesUnconfirmed = schedule.steps.contains(.fault(.errors))
        peer = await AccessoryPeer(simulator, isClassic: isClassic, seed: schedule.seed)
    }

    override func beginUse(of central: CentralManager) async throws {
        let manager = AccessoryManager(central, protocols: Name.all)
        watch(manager, "a manager of accessories")
        self.manager = manager
    }

    override func prepare(_ peripheral: Peripheral) async throws {
        guard let manager, session?.isOpen != true else { return }
        adopt(try await manager.openFirstSession(for: name, timeout: .seconds(2)), number, manager)
        number += 10
    }

    override func release() { releaseSession() }

    override func dropManager() {
        manager = nil
        super.dropManager()
    }

    private func releaseSession() {
        // Streams keep their session.
        if way == .streams { descriptors?.shutDown() }
        if let end { record.leave(end) }
        end = nil
        session = nil
        opening = nil
    }

    override func start(_ operation: AccessoryOperation, _ number: Int) {
        switch operation {
        case .openSession, .openFirst: open(number, anyOf: operation == .openFirst)
        case .ready, .notifications: startWaiting(operation, number)
        case .write: write(number)
        case .read: read(number)
        case .peerSends:
            let bytes = makeRandom(1 + number / 4)
            Task { [peer] in await peer?.send(bytes) }
        case .peerCloses: Task { [peer] in await peer?.closeChannel() }
        case .close: session?.close()
        case .closeDescriptors: descriptors?.shutDown()
        case .releaseSession: releaseSession()
        case .cancelTasks: cancelTasks()
        case .disconnect: disconnect(number)
        case .removePeripheral: removePeripheral()
        case .dropManager: dropManager()
        }
    }

    private func startWaiting(_ operation: AccessoryOperation, _ number: Int) {
        guard let manager else { return }
        if operation == .ready {
            begin("ready", byTask: number % 2 == 0) { _, done in
                manager.ready(timeout: .milliseconds(number / 20)) { done($0) }
            } task: { _ in
                try await manager.ready(timeout: .milliseconds(number / 20))
            }
        } else {
            manager.registerForNotifications()
            let notifications = manager.notifications()
            begin("notifications", byTask: true, isLasting: true) { _, _ in
            } task: { _ in
                for try await _ in notifications {}
            }
        }
    }

    // MARK: Sessions

    private func open(_ number: Int, anyOf isAny: Bool) {
        guard let manager else { return }
        let accessory = manager.connectedAccessories.first { $0.protocolStrings.contains(name) }
        begin(isAny ? "open first session" : "open session", byTask: number % 2 == 0) { _, done in
            let completion: @BluetoothActor (AccessorySession?, BluetoothError?) -> Void = { [weak manager] in
                if let session = $0 { self.adopt(session, number, manager) }
                done($1)
            }
            if isAny {
                manager.openFirstSession(for: name, timeout: .milliseconds(number / 20), completion: completion)
            } else if let accessory {
                accessory.openSession(for: name, completion: completion)
            } else {
                done(nil)
            }
        } task: { [name, weak manager] _ in
            if isAny, let waiting = manager {
                let session = try await waiting.openFirstSession(for: name, timeout: .milliseconds(number / 20))
                self.adopt(session, number, manager)
            } else if let session = try await accessory?.openSession(for: name) {
                self.adopt(session, number, manager)
            }
        }
    }

    /// Uses a session that is open, unless its manager was released meanwhile.
    private func adopt(_ session: AccessorySession, _ number: Int, _ manager: AccessoryManager?) {
        watch(session, "a session")
        watch(session.accessory, "an accessory")
        guard let manager, manager === self.manager else { return }
        releaseSession()
        self.session = session
        let opening = record.open("a session")
        self.opening = opening
        Task { [weak session, peer] in
            let count = await peer?.sent.count
            if session?.isOpen == true { opening.sentBefore = count }
        }
        let end = record.begin("a session", isLasting: true)
        session.endHandler = { [record] in record.end(end, $0) }
        self.end = end
        consumers = 0
        descriptors = nil
        way = Way(rawValue: number / 10 % 5) ?? .events
        switch way {
        case .events: takeByEvents(session.input, opening)
        case .descriptors, .streams:
            let index = record.begin("the descriptors of a session", isLasting: true)
            do throws(BluetoothError) {
                let ends = try session.makeDescriptors()
                descriptors = SessionDescriptors(ends, way == .streams ? session : nil, opening.parts[0]) { [record] in
                    record.end(index, nil)
                }
            } catch {
                record.end(index, error)
            }
        case .reads, .sequence: break
        }
    }

    private func takeByEvents(_ input: AccessoryInput, _ opening: ByteRecord.Opening) {
        let part = opening.parts[0]
        let index = record.begin("the events of an input", isLasting: true)
        input.eventHandler = { [weak input, record] event in
            switch event {
            case .openCompleted, .hasSpaceAvailable: break
            case .hasBytesAvailable: if let input { part.bytes += input.takeBytes() }
            case .endEncountered, .errorOccurred, .closed: record.end(index, nil)
            }
        }
    }

    private func read(_ number: Int) {
        guard let session, let opening else { return }
        let input = session.input
        switch way {
        case .events, .descriptors, .streams: break
        case .reads:
            begin("read", byTask: number % 2 == 0, isLasting: true) { _, done in
                let part = opening.addPart()
                input.read { bytes, error in
                    if let bytes { part.bytes += bytes }
                    done(error)
                }
            } task: { _ in
                // With the actor's thread as the preferred one, no other read comes between the part and this one.
                try await BluetoothActor.run {
                    let part = opening.addPart()
                    if let bytes = try await input.read() { part.bytes += bytes }
                }
            }
        case .sequence:
            guard consumers == 0 else { return }
            consumers += 1
            begin("the bytes of an input", byTask: true, isLasting: true) { _, _ in
            } task: { _ in
                let part = opening.addPart()
                defer { if self.opening === opening { self.consumers -= 1 } }
                for try await piece in input.bytes { part.bytes += piece }
            }
        }
    }

    private func write(_ number: Int) {
        guard let session else { return }
        let length = 1 + number / 5
        if let descriptors {
            let index = record.begin("write \(length) to a descriptor")
            if let bytes = record.makeBytes(length) {
                let count = descriptors.send(bytes)
                record.send(bytes.prefix(count), index, opening, isConfirmed: false)
            }
            return record.end(index, nil)
        }
        let output = session.output
        begin("write \(length)", byTask: number % 2 == 0) { [opening] index, done in
            guard let bytes = note(index, length, opening) else { return done(nil) }
            output.write(bytes) { done($0) }
        } task: { [opening] index in
            // With the actor's thread as the preferred one nothing comes between the note and the writing.
            try await BluetoothActor.run {
                guard !Task.isCancelled, let bytes = self.note(index, length, opening) else { return }
                try await output.write(bytes)
            }
        }
    }

    private func note(_ index: Int, _ length: Int, _ opening: ByteRecord.Opening?) -> Data? {
        let bytes = record.makeBytes(length)
        if let bytes { record.send(bytes, index, opening, isConfirmed: !isClassic) }
        return bytes
    }

    // MARK: The end

    /// What is open still passes bytes, all of them.
    override func settle() async throws {
        guard let session, let opening, session.isOpen else { return }
        try await pass([UInt8](repeating: 0x55, count: 9), session, opening)
        // What was written to descriptors that are closed may still be on its way.
        if session.isOpen, descriptors?.isClosing != true { opening.isIntact = true }
    }

    /// Lets last bytes pass in both directions, unless the session ends meanwhile.
    private func pass(_ last: [UInt8], _ session: AccessorySession, _ opening: ByteRecord.Opening) async throws {
        await peer?.send(last)
        let isOver = { !session.isOpen || self.descriptors?.isClosing == true }
        try await demand(.lost, "the last bytes of what the device sent") {
            if self.record.pending(lasting: true).allSatisfy({ !$0.contains("read") }) { self.read(1) }
            // The device sends back what it gets, which may be after these.
            return isOver() || [UInt8](opening.bytes).contains(last)
        }
        write(250)
        try await demandEnds()
        guard !record.losesUnconfirmed else { return }
        try await demand(.lost, "the device to receive the last bytes") {
            let received = await self.peer?.received ?? []
            return isOver() || self.record.hasArrived(received)
        }
    }

    override func probe() async throws {
        guard let session, let opening, session.isOpen else {
            throw BluetoothError(.notConnected, "There is no session")
        }
        try await pass([UInt8](repeating: 0x66, count: 9), session, opening)
        if !session.isOpen { throw session.endError ?? BluetoothError(.notConnected, "The session has ended") }
    }

    override func didEnd() async throws { manager = nil }

    override func judge() async -> [FaultFinding] {
        guard let peer else { return [] }
        return record.findings(received: await peer.received) + record.findings(sent: await peer.sent)
    }
}
