import BlueZDBus
import BlueZSimulator
import CoreBlueZ
import TestSupport

/// A device that two programs use, and what this program does beside using it.
@SimulatorActor protocol Neighbours: SimulatorPerforming {
    /// The simulator.
    nonisolated var bluez: SimulatedBlueZ { get }
    /// The device's object.
    nonisolated var path: String { get }
    init(_ version: BlueZVersion) async throws
    /// As at the beginning of a round: bluetoothd has forgotten the device, and hears it.
    func reset() async throws
    func deviceConnects() async throws
    func deviceDisconnects()
    /// What this program does during a round; nil is nothing else.
    @BluetoothActor func use() async throws -> AnyObject?
}

extension Neighbours {
    nonisolated var bus: BusAddress { .address(bluez.address) }
}

/// Runs schedules with two programs. For every second seed, bluetoothd refuses the second program as new versions do.
@BluetoothActor final class NeighbourStand<Device: Neighbours>: FaultStand {
    private let device: Device
    private let other: Stranger

    init(seed: UInt64) async throws {
        device = try await Device(seed % 2 == 0 ? .v5_66 : .v5_82)
        other = try await Stranger(device.bus)
    }

    func run(
        _ schedule: NeighbourSchedule, patience: Duration
    ) async -> (findings: [FaultFinding], record: ByteRecord) {
        let round = NeighbourRound(schedule, device, other, patience: patience)
        return (await round.findings(round.run), round.record)
    }
}

/// Runs one schedule and says what was wrong.
@BluetoothActor final class NeighbourRound<Device: Neighbours>: FaultRound<ByteRecord> {
    private let schedule: NeighbourSchedule
    private let device: Device
    private let other: Stranger
    private var central: CentralManager?
    private var peripheral: Peripheral?
    private var disconnecting: Task<Void, Never>?
    private var connecting: Task<Void, Never>?

    init(_ schedule: NeighbourSchedule, _ device: Device, _ other: Stranger, patience: Duration) {
        self.schedule = schedule
        self.device = device
        self.other = other
        super.init(ByteRecord(), patience: patience)
    }

    func run() async throws {
        try await device.reset()
        await set(connect: schedule.connectTime, disconnect: schedule.disconnectTime)
        let use = try await device.use()
        let judge = await LinkJudge(device.bluez, path: try ObjectPath(device.path), other: other.name)
        for step in schedule.steps { try await take(step, judge) }
        for task in tasks { task.cancel() }
        try await demand(.incomplete, "the ends of \(record.pending())") { record.pending().isEmpty }
        releaseManager()
        try await demandRelease()
        var text = ""
        try await demand(.leftOver, "the end of this program's link: \(text)") {
            text = await judge.text
            return await !judge.isInUse
        }
        try check(record.doubled + (await judge.findings))
        await set(connect: 2, disconnect: 0)
        try await demand(.round, "the end of the other program's link: \(text)") {
            text = await judge.text
            if await judge.isIdle { return true }
            await call(.disconnect, judge)
            return false
        }
        withExtendedLifetime(use) {}
    }

    private func set(connect: Int, disconnect: Int) async {
        await device.perform { device in
            device.bluez.timing.connect = .milliseconds(connect)
            device.bluez.timing.disconnect = .milliseconds(disconnect)
            device.bluez.timing.serviceDiscovery = .milliseconds(20)
        }
    }

    private func take(_ step: NeighbourSchedule.Step, _ judge: LinkJudge) async throws {
        switch step {
        case .own(let own, let milliseconds): try await start(own, .milliseconds(milliseconds))
        case .other(let call):
            switch call {
            case .disconnect: await connecting?.value
            case .connect, .pair: try await takeNoteOfEnd()
            case .cancelPairing: break
            }
            let calls = await judge.otherCalls
            let task = Task { await self.call(call, judge) }
            if call == .disconnect { disconnecting = task }
            try await demand(.round, "\(call) to arrive") { await judge.otherCalls > calls }
        case .deviceConnects:
            try await takeNoteOfEnd()
            let task = Task { @BluetoothActor [device] in _ = try? await device.deviceConnects() }
            tasks.append(task)
            connecting = task
        case .deviceDisconnects: await device.deviceDisconnects()
        case .pause(let milliseconds): try await BluetoothActor.sleep(for: .milliseconds(milliseconds))
        }
    }

    /// Nobody can know, when it calls Disconnect, that the other program has already ended the link, and the other
    /// program or the device is making the next one. So this program gets to know of the end first.
    private func takeNoteOfEnd() async throws {
        await disconnecting?.value
        try await central?.barrier()
    }

    private func call(_ call: NeighbourSchedule.Other, _ judge: LinkJudge) async {
        let member = call.rawValue
        let error = try? await other.call("org.bluez", member, of: "org.bluez.Device1", at: device.path, [])
        await judge.ended(member, error)
    }

    // MARK: This program

    private func start(_ own: NeighbourSchedule.Own, _ time: Duration) async throws {
        switch own {
        case .cancelTasks: for task in tasks { task.cancel() }
        case .releaseManager: releaseManager()
        default:
            guard let peripheral = try await find() else { return }
            switch own {
            case .connectTwice:
                begin("connect") { try await peripheral.connect() }
                begin("connect again") { try await peripheral.connect(options: ConnectOptions(timeout: time)) }
            case .connectBriefly:
                begin("connect") { try await peripheral.connect(options: ConnectOptions(timeout: time)) }
            case .useConnection:
                begin("use") { try await peripheral.withConnection { try await BluetoothActor.sleep(for: time) } }
            case .prepareBriefly: begin("prepare") { try await peripheral.connectAndDiscover(timeout: time) }
            case .keepConnected:
                peripheral.keepConnected(ReconnectPolicy(firstDelay: time))
                begin("keep") {
                    try await BluetoothActor.sleep(for: time)
                    peripheral.reconnectPolicy = nil
                    peripheral.cancelReconnection()
                }
            case .pair: begin("pair") { try await peripheral.pair() }
            case .pairBriefly: begin("pair") { try await peripheral.pair(timeout: time) }
            case .endOwnLink: begin("end") { try await peripheral.disconnectOwnLink() }
            default: begin("connect") { try await peripheral.connect() }
            }
        }
    }

    private func begin(_ title: String, _ body: @escaping @BluetoothActor () async throws -> Void) {
        let index = record.begin(title)
        tasks.append(
            Task { @BluetoothActor [record] in
                do {
                    try await body()
                    record.end(index, nil)
                } catch {
                    record.end(index, error)
                }
            })
    }

    private func find() async throws -> Peripheral? {
        if let peripheral { return peripheral }
        let central = CentralManager(bus: device.bus)
        central.disconnectsAtEnd = true
        watch(central, "a manager")
        self.central = central
        try await central.waitUntilPoweredOn(timeout: .ample)
        peripheral = central.retrieveKnownPeripherals().first { $0.path.description == device.path }
        if let peripheral { watch(peripheral, "a peripheral") }
        return peripheral
    }

    private func releaseManager() {
        peripheral = nil
        central = nil
    }
}
