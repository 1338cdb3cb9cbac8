import CoreBlueZ
import CoreBluetooth
import TestSupport
import Testing

/// A manager of the module CoreBluetooth with a queue of its own, and what its delegates are told.
@BluetoothActor final class AppleCentral {
    private let fixture: ContractFixture
    private let queue = DispatchQueue(label: "CoreBluetooth")
    // These belong to the queue.
    let recorder = DelegateRecorder()
    let manager: CBCentralManager

    private init(_ fixture: ContractFixture) {
        self.fixture = fixture
        recorder.check = { [queue] in dispatchPrecondition(condition: .onQueue(queue)) }
        let options = [CBCentralManagerOptionBlueZBusAddressKey: fixture.side.bus.description]
        manager = queue.sync { [queue, recorder] in
            CBCentralManager(delegate: recorder, queue: queue, options: options)
        }
    }

    /// Runs a test with a manager that is powered on.
    static func run(
        _ body: @BluetoothActor (ContractFixture, AppleCentral) async throws -> Void
    ) async throws {
        try await ContractFixture.run { fixture in
            let central = AppleCentral(fixture)
            // Otherwise the layer says that the program has released a peripheral too early.
            defer {
                central.sync {
                    for peripheral in Set(central.recorder.discoveries.map(\.peripheral)) {
                        central.manager.cancelPeripheralConnection(peripheral)
                    }
                }
            }
            try await central.wait(for: "power") { central.recorder.states.last == .poweredOn }
            try await body(fixture, central)
        }
    }

    /// Does something on the queue.
    func sync<Value>(_ body: () throws -> Value) rethrows -> Value { try queue.sync(execute: body) }

    /// Waits until a condition holds on the queue.
    func wait(for what: String, within limit: Double = 20, until condition: () -> Bool) async throws {
        do {
            try await fixture.wait(for: what, within: limit) { sync(condition) }
        } catch {
            Issue.record("The calls were: \(sync { recorder.events })")
            throw error
        }
    }

    /// Does something on the queue, and waits for the next call of this name.
    func next(_ event: String, _ body: () -> Void) async throws {
        let count = sync {
            defer { body() }
            return recorder.count(event)
        }
        try await wait(for: event) { recorder.count(event) > count }
    }

    /// The error of the last call, if it is one of the Attribute Protocol.
    var attError: CBATTError.Code? { sync { (recorder.error as? CBATTError)?.code } }

    /// The probe, found by scanning.
    func find() async throws -> CBPeripheral {
        try await next("found CoreBlueZ Probe") {
            manager.scanForPeripherals(withServices: [CBUUID(Probe.service)])
        }
        return try sync {
            manager.stopScan()
            let peripheral = try #require(recorder.discoveries.last?.peripheral)
            peripheral.delegate = recorder
            return peripheral
        }
    }

    /// The probe, connected.
    func connect() async throws -> CBPeripheral {
        let peripheral = try await find()
        try await next("connected") { manager.connect(peripheral) }
        return peripheral
    }

    /// The probe, connected, with the main service's characteristics of these UUIDs.
    func discover(_ uuids: BluetoothUUID...) async throws -> (CBPeripheral, [CBCharacteristic]) {
        let peripheral = try await connect()
        try await next("services") { peripheral.discoverServices([CBUUID(Probe.service)]) }
        let service = try sync { try #require(peripheral.services?.first) }
        try await next("characteristics") { peripheral.discoverCharacteristics(nil, for: service) }
        let characteristics = try sync {
            try uuids.map { uuid in
                try #require(service.characteristics?.first { $0.uuid == CBUUID(uuid) })
            }
        }
        return (peripheral, characteristics)
    }
}

extension CBUUID {
    convenience init(_ uuid: BluetoothUUID) { self.init(string: uuid.fullString) }
}
