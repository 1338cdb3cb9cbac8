import BlueZSimulator
import CoreBlueZ
import TestSupport
import Testing

/// The parts from which a driver in another package is made.
@BluetoothActor @Suite(.virtualTime) struct DriverTests {
    @Test("Each sequence gets every element from its beginning, and one that is too slow ends alone")
    func consumers() async throws {
        let consumers = EventConsumers<Int>()
        let first = consumers.makeSequence(0, bufferingUpTo: 10)
        let slow = consumers.makeSequence(bufferingUpTo: 2)
        for number in 1...3 { consumers.append(number) }
        consumers.finish()
        #expect(consumers.isEmpty)
        #expect(await elements(of: first) == [0, 1, 2, 3])
        #expect(await elements(of: slow) == [1, 2, nil])
    }

    @Test("The sequences end, without an error, when the object that offers them is released")
    func released() async throws {
        var consumers: EventConsumers<Int>? = EventConsumers()
        let sequence = try #require(consumers?.makeSequence(1, bufferingUpTo: 10))
        consumers = nil
        #expect(await elements(of: sequence) == [1])
    }

    /// The elements until the end; nil stands for an overflow.
    private func elements(of sequence: EventSequence<Int>) async -> [Int?] {
        var elements: [Int?] = []
        do throws(BluetoothError) {
            for try await element in sequence { elements.append(element) }
        } catch {
            #expect(error.code == .overflow)
            elements.append(nil)
        }
        return elements
    }

    @Test("The async form of a driver's operation returns its result, and a cancelled task ends the operation")
    func bridge() async throws {
        let number = try await AsyncBridge.wait { completion in
            BluetoothActor.perform { completion(.success(7)) }
            return Cancellation()
        }
        #expect(number == 7)
        var begun = 0
        let task = Task { @BluetoothActor () -> BluetoothError? in
            do throws(BluetoothError) {
                try await AsyncBridge.wait { (completion: @escaping AsyncBridge.Completion<Void>) in
                    begun += 1
                    return Cancellation { completion(.failure($0)) }
                }
                return nil
            } catch {
                return error
            }
        }
        try await eventually("the operation") { begun == 1 }
        task.cancel()
        #expect(await task.value?.code == .cancelled)
    }

    @Test("A scheduled call runs once when its time has passed, unless it is cancelled")
    func scheduled() async throws {
        var calls: [String] = []
        BluetoothActor.after(.milliseconds(1)) { calls.append("cancelled") }.cancel()
        let call = BluetoothActor.after(.milliseconds(2)) { calls.append("run") }
        try await eventually("the call") { !calls.isEmpty }
        call.cancel()
        #expect(calls == ["run"])
    }

    @Test("Several observers get a manager's events beside its handler, until their observation ends")
    @BluetoothActor func observers() async throws {
        let simulator = try await SimulatorFixture()
        let central = CentralManager(bus: simulator.bus)
        var events: [String] = []
        central.eventHandler = { if Self.concernsLink($0) { events.append("handler") } }
        let first = central.observeEvents { if Self.concernsLink($0) { events.append("first") } }
        var second: EventObservation? = central.observeEvents {
            if Self.concernsLink($0) { events.append("second") }
        }
        let peripheral = try await central.firstPeripheral(timeout: .ample)
        try await peripheral.connect(options: ConnectOptions(timeout: .ample))
        try await eventually("the link") { events.count >= 3 }
        #expect(events.sorted() == ["first", "handler", "second"])
        first.cancel()
        withExtendedLifetime(second) {}
        second = nil
        events = []
        try await peripheral.disconnect()
        try await eventually("its end") { !events.isEmpty }
        #expect(events == ["handler"])
    }

    private static func concernsLink(_ event: CentralEvent) -> Bool {
        switch event {
        case .connected, .disconnected: true
        default: false
        }
    }
}
