import BlueZSimulator
import CoreBluetooth
import TestSupport

/// Why a test can't go on.
struct Failure: Error {
    let description: String
}

/// Lets this process stop without the report of a crash, because the test expects that.
func expectStop() {
    for number in [SIGILL, SIGTRAP] { _ = signal(number, SIG_DFL) }
}

/// A simulator, and a manager on it whose queue is the main one.
@MainActor final class Stand {
    nonisolated static var service: CBUUID { CBUUID(string: "C0B10000-7A6B-4D5E-8F90-1A2B3C4D5E6F") }
    nonisolated static var value: CBUUID { CBUUID(string: "C0B10001-7A6B-4D5E-8F90-1A2B3C4D5E6F") }
    nonisolated static var updates: CBUUID { CBUUID(string: "C0B10003-7A6B-4D5E-8F90-1A2B3C4D5E6F") }

    let simulator: SimulatorFixture
    let recorder = DelegateRecorder()
    let central: CBCentralManager

    /// Makes a manager that is powered on.
    init(_ simulator: SimulatorFixture, _ options: [String: Any] = [:]) async throws {
        self.simulator = simulator
        central = CBCentralManager(
            delegate: recorder, queue: nil, options: simulator.options.merging(options) { _, own in own })
        try await eventually("power") { recorder.states.last == .poweredOn }
    }

    /// Makes a simulator, and a manager that is powered on.
    convenience init(
        more: [CharacteristicSpecification] = [], timing: Timing = .instant
    ) async throws {
        let specification = SimulatorFixture.specification(more: more)
        try await self.init(SimulatorFixture(.init(timing: timing), peripheral: specification))
    }

    /// Waits for the next call of this name.
    func next(_ event: String, _ body: () throws -> Void) async throws {
        let count = recorder.count(event)
        try body()
        try await eventually("\(event); there are \(recorder.events)") { recorder.count(event) > count }
    }

    /// Scans for the peripheral until it is found.
    func find() async throws -> CBPeripheral {
        central.scanForPeripherals(withServices: nil)
        try await eventually("a peripheral") { !recorder.discoveries.isEmpty }
        central.stopScan()
        try await eventually("the end of the scan") { await simulator.perform { !$0.bluez.adapters[0].isDiscovering } }
        let peripheral = recorder.discoveries[0].peripheral
        peripheral.delegate = recorder
        return peripheral
    }

    /// Connects the peripheral.
    func connect() async throws -> CBPeripheral {
        let peripheral = try await find()
        try await next("connected") { central.connect(peripheral) }
        return peripheral
    }

    /// Begins to connect the peripheral, which is out of range. The simulator keeps the calls.
    func beginConnecting() async throws -> CBPeripheral {
        let peripheral = try await find()
        await simulate {
            $0.peripheral.simulateRangeLoss()
            $0.keepCalls()
        }
        central.connect(peripheral)
        try await eventually("the attempt") { await !simulator.calls("Connect").isEmpty }
        return peripheral
    }

    /// Connects the peripheral, and discovers a characteristic.
    func discover(_ uuid: CBUUID) async throws -> (CBPeripheral, CBCharacteristic) {
        let peripheral = try await connect()
        return (peripheral, try await discover(uuid, of: peripheral))
    }

    /// Discovers a characteristic.
    func discover(_ uuid: CBUUID, of peripheral: CBPeripheral) async throws -> CBCharacteristic {
        try await next("services") { peripheral.discoverServices([Self.service]) }
        let service = try found(peripheral.services?.first { $0.uuid == Self.service }, "service")
        try await next("characteristics") { peripheral.discoverCharacteristics(nil, for: service) }
        return try found(service.characteristics?.first { $0.uuid == uuid }, "characteristic")
    }

    private func found<Value>(_ value: Value?, _ what: String) throws -> Value {
        if let value { return value }
        throw Failure(description: "There is no \(what); calls: \(recorder.events)")
    }

    /// Has the simulator do something.
    func simulate(_ body: @SimulatorActor (SimulatorFixture) throws -> Void) async rethrows {
        try await simulator.perform(body)
    }
}

extension SimulatorFixture {
    /// The options of a manager on this simulator.
    nonisolated var options: [String: Any] { [CBCentralManagerOptionBlueZBusAddressKey: bluez.address] }

    /// The simulated characteristic to read and write.
    var valueCharacteristic: SimulatedCharacteristic? { peripheral.characteristic(Self.value) }
}
