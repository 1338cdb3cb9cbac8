import BlueZSimulator
import CoreBluetooth
import TestSupport
import Testing

/// The state of a manager, its queue and its delegate.
@MainActor @Suite struct StateTests {
    @Test("The state is unknown until the first call of the delegate, which is about it")
    func firstCall() async throws {
        let simulator = try await SimulatorFixture()
        let recorder = DelegateRecorder()
        let central = CBCentralManager(delegate: recorder, queue: nil, options: simulator.options)
        #expect(central.state == .unknown)
        try await eventually("the first call") { !recorder.events.isEmpty }
        #expect(recorder.events == ["state"] && recorder.states == [.poweredOn])
        #expect(CBManager.authorization == .allowedAlways)
    }

    @Test("Without an adapter the state is unsupported")
    func unsupported() async throws {
        let simulator = try await SimulatorFixture(.init(adapters: [], timing: .instant))
        let recorder = DelegateRecorder()
        let central = CBCentralManager(delegate: recorder, queue: nil, options: simulator.options)
        try await eventually("the state") { recorder.states == [.unsupported] }
        #expect(central.state == .unsupported)
    }

    @Test("The state follows the adapter's power, which ends a scan")
    func power() async throws {
        let stand = try await Stand()
        stand.central.scanForPeripherals(withServices: nil)
        #expect(stand.central.isScanning)
        await stand.simulate { $0.bluez.adapters[0].simulatePower(false) }
        try await eventually("the state") { stand.recorder.states.last == .poweredOff }
        #expect(!stand.central.isScanning)
        await stand.simulate { $0.bluez.adapters[0].simulatePower(true) }
        try await eventually("the state") { stand.recorder.states.last == .poweredOn }
    }

    @Test("With the main queue, all calls may use what is the main actor's")
    func mainQueue() async throws {
        let stand = try await Stand()
        var calls = 0
        stand.recorder.check = { MainActor.assumeIsolated { calls += 1 } }
        let (peripheral, value) = try await stand.discover(Stand.value)
        try await stand.next("value") { peripheral.readValue(for: value) }
        #expect(calls == stand.recorder.events.count - 1)
    }

    @Test("The delegate is not retained")
    func weakDelegate() async throws {
        let stand = try await Stand()
        var recorder: DelegateRecorder? = DelegateRecorder()
        stand.central.delegate = recorder
        #expect(stand.central.delegate === recorder)
        recorder = nil
        #expect(stand.central.delegate == nil)
    }

    @Test("A manager that is released ends its connections and its scan")
    func released() async throws {
        let simulator = try await SimulatorFixture()
        var stand: Stand? = try await Stand(simulator)
        let peripheral = try await stand?.connect()
        stand?.central.scanForPeripherals(withServices: nil)
        try await eventually("the scan") { await simulator.perform { $0.bluez.adapters[0].isDiscovering } }
        stand = nil
        try await eventually("the end of the link") { await simulator.perform { !$0.peripheral.isConnected } }
        try await eventually("the end of the scan") {
            await simulator.perform { !$0.bluez.adapters[0].isDiscovering }
        }
        withExtendedLifetime(peripheral) {}
    }

    @Test("There are no features, and what is for Apple's systems only is declared")
    func features() async throws {
        #expect(!CBCentralManager.supports(.extendedScanAndConnect))
        let stand = try await Stand()
        let peripheral = try await stand.connect()
        #expect(!peripheral.ancsAuthorized)
        stand.central.registerForConnectionEvents()
        try await stand.next("channel") { peripheral.openL2CAPChannel(0x80) }
        #expect((stand.recorder.error as? CBError)?.code == .operationNotSupported)
    }
}

/// Managers with queues of their own.
@Suite struct OwnQueueTests {
    /// Connects the peripheral and reads a value, all on a queue.
    private final class Reader: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate {
        let queue: DispatchQueue
        var central: CBCentralManager?
        var peripheral: CBPeripheral?
        var calls = 0
        var value: Data?

        init(_ label: String) {
            queue = DispatchQueue(label: label)
        }

        func begin(_ options: [String: Any]) {
            queue.sync { central = CBCentralManager(delegate: self, queue: queue, options: options) }
        }

        private func count() {
            dispatchPrecondition(condition: .onQueue(queue))
            calls += 1
        }

        func centralManagerDidUpdateState(_ central: CBCentralManager) {
            count()
            if central.state == .poweredOn { central.scanForPeripherals(withServices: nil) }
        }

        func centralManager(
            _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
            rssi RSSI: NSNumber
        ) {
            count()
            self.peripheral = peripheral
            peripheral.delegate = self
            central.stopScan()
            central.connect(peripheral)
        }

        func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
            count()
            peripheral.discoverServices([Stand.service])
        }

        func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
            count()
            for service in peripheral.services ?? [] { peripheral.discoverCharacteristics([Stand.value], for: service) }
        }

        func peripheral(
            _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: (any Error)?
        ) {
            count()
            for characteristic in service.characteristics ?? [] { peripheral.readValue(for: characteristic) }
        }

        func peripheral(
            _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: (any Error)?
        ) {
            count()
            value = characteristic.value
        }
    }

    @Test("Several managers have several queues, and each calls its delegates on its own")
    func twoQueues() async throws {
        let simulator = try await SimulatorFixture()
        let readers = [Reader("first"), Reader("second")]
        for reader in readers { reader.begin(simulator.options) }
        for reader in readers {
            try await eventually("the value") { reader.queue.sync { reader.value == Data([1, 2, 3]) } }
            #expect(reader.queue.sync { reader.calls } >= 6)
        }
    }
}
