import BlueZSimulator
import Foundation
import Testing

@testable import CoreBlueZ

/// The once-only rule under random orders of everything that can end an operation.
@Suite(.serialized) struct FaultScheduleTests {
    static let count = ProcessInfo.processInfo.environment["COREBLUEZ_TEST_SCHEDULES"].flatMap(Int.init) ?? 10_000
    private static let lanes = 4

    @Test("In random orders of replies and faults every completion runs exactly once and nothing is left over")
    func schedules() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for lane in 0..<Self.lanes {
                group.addTask {
                    let world = try await World()
                    try await BluetoothActor.run {
                        let anchor = CentralManager(bus: world.bus)
                        for seed in stride(from: lane, to: Self.count, by: Self.lanes) {
                            try await FaultSchedule(seed: UInt64(seed), world: world, anchor: anchor).run()
                        }
                        try await Patience.wait(for: "the anchor's operations to end") { anchor.operations.count == 0 }
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}

/// One random order, made of its seed alone.
@BluetoothActor final class FaultSchedule {
    private enum Fault: CaseIterable {
        case replies, error, disconnection, removal, ownerChange, cancellation, deadline, droppedManager, lostReplies
    }

    private let seed: UInt64
    private let world: World
    private let anchor: CentralManager
    private var random: SplitMix64
    private var central: CentralManager?
    private var counts: [Int] = []
    private var titles: [String] = []
    private var tasks: [Task<Void, Never>] = []

    init(seed: UInt64, world: World, anchor: CentralManager) {
        self.seed = seed
        self.world = world
        self.anchor = anchor
        random = SplitMix64(seed: seed)
    }

    func run() async throws {
        let faults = (0..<Int.random(in: 1...3, using: &random)).map { _ in
            // bluetoothd's end takes longest to recover from; it need not be every ninth.
            let fault = Fault.allCases.randomElement(using: &random) ?? .replies
            return fault == .ownerChange && Bool.random(using: &random) ? .replies : fault
        }
        weak var weakCentral: CentralManager?
        weak var weakPeripheral: Peripheral?
        do {
            let central = CentralManager(bus: world.bus)
            self.central = central
            weakCentral = central
            try await central.waitUntilPoweredOn(deadline: .seconds(20))
            if faults.contains(.deadline) { central.attributeDeadline = .milliseconds(3) }
            let peripheral = try await connect(central)
            weakPeripheral = peripheral
            await prepare(faults)
            startOperations(on: peripheral)
        }
        for fault in faults { await cause(fault) }
        try await Patience.wait(for: "the completions of seed \(seed), faults \(faults), \(titles) \(counts)") {
            !self.counts.contains(0)
        }
        for task in tasks { await task.value }
        tasks = []
        await world.settle()
        try await anchor.waitUntilPoweredOn(deadline: .seconds(20))
        central = nil
        #expect(counts.allSatisfy { $0 == 1 }, "seed \(seed), faults \(faults): \(titles) ran \(counts) times")
        try await Patience.wait(for: "the manager of seed \(seed) to go, faults \(faults)") {
            weakCentral == nil && weakPeripheral == nil
        }
    }

    private func connect(_ central: CentralManager) async throws -> Peripheral {
        for attempt in 1... {
            do {
                let known = central.retrieveKnownPeripherals().first
                let peripheral: Peripheral
                if let known {
                    peripheral = known
                } else {
                    peripheral = try await central.firstPeripheral(deadline: .seconds(10))
                }
                try await peripheral.connect()
                for service in try await peripheral.discoverServices() {
                    for characteristic in try await service.discoverCharacteristics() {
                        try await characteristic.discoverDescriptors()
                    }
                }
                return peripheral
            } catch {
                // The schedule before may have left a disconnection under way.
                if attempt == 5 { throw error }
            }
        }
        throw BluetoothError(.failed, "unreachable")
    }

    // MARK: Operations

    private func completion<Value>(_ title: String) -> @BluetoothActor (Value) -> Void {
        titles.append(title)
        counts.append(0)
        let index = counts.count - 1
        return { _ in self.counts[index] += 1 }
    }

    private func startOperations(on peripheral: Peripheral) {
        guard let service = peripheral[BluetoothUUID(World.service)],
            let value = service[BluetoothUUID(World.value)], let updates = service[BluetoothUUID(World.updates)]
        else {
            Issue.record("seed \(seed): the service was not found")
            return
        }
        for _ in 0..<Int.random(in: 1...5, using: &random) {
            switch Int.random(in: 0..<9, using: &random) {
            case 0:
                let done: @BluetoothActor (BluetoothError?) -> Void = completion("read")
                value.readValue { _, error in done(error) }
            case 1: value.writeValue(Data([1]), completion: completion("write"))
            case 2: updates.setNotifyValue(true, completion: completion("subscribe"))
            case 3: updates.setNotifyValue(false, completion: completion("unsubscribe"))
            case 4:
                let done: @BluetoothActor (BluetoothError?) -> Void = completion("descriptor")
                value.descriptors.first?.readValue { _, error in done(error) } ?? done(nil)
            case 5:
                let done: @BluetoothActor (BluetoothError?) -> Void = completion("discover")
                peripheral.discoverServices { _, error in done(error) }
            case 6:
                peripheral.connect(options: ConnectOptions(deadline: .seconds(2)), completion: completion("connect"))
            case 7: peripheral.disconnect(completion: completion("disconnect"))
            default:
                central?.scanForPeripherals(options: ScanOptions(duration: .milliseconds(4))) { _, _, _ in
                } completion: { [done = completion("scan") as @BluetoothActor (BluetoothError?) -> Void] in
                    done($0)
                }
            }
        }
        let done: @BluetoothActor (BluetoothError?) -> Void = completion("awaited read")
        tasks.append(
            Task { @BluetoothActor in
                do throws(BluetoothError) {
                    _ = try await value.readValue()
                    done(nil)
                } catch {
                    done(error)
                }
            }
        )
    }

    // MARK: Faults

    /// What must be so before the operations begin.
    private func prepare(_ faults: [Fault]) async {
        let hasError = faults.contains(.error)
        let isSlow = faults.contains(where: { ![.replies, .error].contains($0) })
        let losesReplies = faults.contains(.lostReplies)
        await world.setFaults(error: hasError, delay: isSlow ? .milliseconds(6) : .zero, losesReplies: losesReplies)
        if losesReplies { central?.attributeDeadline = .milliseconds(20) }
    }

    private func cause(_ fault: Fault) async {
        switch fault {
        case .replies, .error, .deadline, .lostReplies: break
        case .disconnection: await world.disconnect()
        case .removal: await world.remove()
        case .ownerChange: await world.restart()
        case .cancellation: for task in tasks { task.cancel() }
        case .droppedManager: central = nil
        }
    }
}

extension World {
    func setFaults(error: Bool, delay: Duration, losesReplies: Bool) {
        for uuid in [Self.value, Self.updates] {
            let characteristic = peripheral.characteristic(uuid)
            characteristic?.faults.readError = error ? ATTError(0x80) : nil
            characteristic?.faults.delay = delay
            characteristic?.faults.losesReplies = losesReplies
        }
    }

    func disconnect() { peripheral.simulateDisconnection() }
    func remove() { bluez.simulateDeviceRemoval(of: peripheral) }

    func restart() async {
        bluez.simulateCrash()
        do { try await bluez.restart() } catch { Issue.record("\(error)") }
    }

    func settle() async {
        setFaults(error: false, delay: .zero, losesReplies: false)
        if !bluez.isRunning { await restart() }
    }
}
