import BlueZSimulator
import Dispatch
import FoundationEssentials
import TestSupport
import Testing

@testable import CoreBlueZ

/// Each in a process of its own: a queue is chosen once, and before anything has run on the actor.
@Suite(.realTime) struct QueueTests {
    /// Stops the child process if its code is not in turn with everything on the queue, or a value is wrong.
    @BluetoothActor private static func everything(
        on queue: DispatchQueue, _ check: @escaping @BluetoothActor () -> Void
    ) async throws {
        let simulator = try await SimulatorFixture()
        let central = CentralManager(bus: simulator.bus)
        central.stateHandler = { _ in check() }
        try await central.waitUntilPoweredOn(timeout: .ample)
        dispatchPrecondition(condition: .onQueue(queue))
        let peripheral = try await central.firstPeripheral(timeout: .ample) { _, _ in
            check()
            return true
        }
        try await peripheral.connect()
        for service in try await peripheral.discoverServices() { try await service.discoverCharacteristics() }
        let service = peripheral[SimulatorFixture.service]
        var values: [Data?] = []
        service?.updateHandler = { characteristic, _ in
            check()
            values.append(characteristic.value)
        }
        try await service?[SimulatorFixture.updates]?.setNotifyValue(true)
        await simulator.notify([9])
        try await eventually("the value") { values == [Data([9])] }
        let value = try await service?[SimulatorFixture.value]?.readValue()
        precondition(value == Data([1, 2, 3]))
        var isTimedOut = false
        _ = BluetoothActor.after(.milliseconds(5)) {
            check()
            isTimedOut = true
        }
        try await eventually("the timeout") { isTimedOut }
        try await peripheral.disconnect()
    }

    private static func refusal() -> BluetoothError? {
        do throws(BluetoothError) {
            try BluetoothActor.use(queue: .main)
            return nil
        } catch {
            return error
        }
    }

    @Test("A queue of the application's has everything: closures, handlers, deadlines and jobs")
    func ownQueue() async {
        await #expect(processExitsWith: .success) {
            let queue = DispatchQueue(label: "application")
            try BluetoothActor.use(queue: queue)
            try await BluetoothActor.run {
                try await Self.everything(on: queue) {
                    dispatchPrecondition(condition: .onQueue(queue))
                    BluetoothActor.assumeIsolated {}
                }
            }
        }
    }

    @Test("With the main queue closures may use what is the main actor's")
    func mainQueue() async {
        await #expect(processExitsWith: .success) {
            try BluetoothActor.use(queue: .main)
            try await BluetoothActor.run {
                try await Self.everything(on: .main) {
                    dispatchPrecondition(condition: .onQueue(.main))
                    MainActor.assumeIsolated {}
                }
            }
        }
    }

    @Test("What comes while the queue is blocked is delivered afterwards, all and in order")
    func blocked() async {
        await #expect(processExitsWith: .success) {
            let queue = DispatchQueue(label: "application")
            try BluetoothActor.use(queue: queue)
            let simulator = try await SimulatorFixture()
            try await BluetoothActor.run {
                let fixture = PeripheralFixture(simulator, adapter: nil)
                let updates = try fixture.updates(of: try await fixture.connect())
                var values: [UInt8] = []
                updates.service?.updateHandler = { characteristic, _ in
                    values += [UInt8](characteristic.value ?? Data())
                }
                try await updates.setNotifyValue(true)
                // Whoever is in the queue keeps the actor out; 100 values wait in the socket meanwhile.
                let turn = DispatchSemaphore(value: 0)
                queue.async { turn.wait() }
                await simulator.notify(100) { turn.signal() }
                try await eventually("all values") { values.count == 100 }
                precondition(values == Array(0..<100))
            }
        }
    }

    @Test("After something has run on the actor it is too late for a queue")
    func late() async {
        await #expect(processExitsWith: .success) {
            await BluetoothActor.run {}
            precondition(Self.refusal()?.code == .busy)
            // And nothing has changed.
            await BluetoothActor.run { dispatchPrecondition(condition: .notOnQueue(.main)) }
        }
    }

    @Test("A second queue is refused once the first is in use")
    func twice() async {
        await #expect(processExitsWith: .success) {
            let queue = DispatchQueue(label: "application")
            try BluetoothActor.use(queue: queue)
            await BluetoothActor.run { dispatchPrecondition(condition: .onQueue(queue)) }
            precondition(Self.refusal()?.code == .busy)
        }
    }
}

extension SimulatorFixture {
    func notify(_ count: UInt8, then body: @SimulatorActor () -> Void) {
        for number in 0..<count { notify([number]) }
        body()
    }
}
