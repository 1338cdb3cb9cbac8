import BlueZSimulator
import FoundationEssentials
import TestSupport
import Testing

@testable import CoreBlueZ

/// What goes to the main actor, and a peripheral as a value.
@Suite(.realTime) struct MainActorTests {
    @Test("Handlers of the main actor get all values in order, whichever handler they go to")
    @MainActor func order() async throws {
        var numbers: [Int] = []
        let first = BluetoothActor.onMainActor { (number: Int) in numbers.append(number) }
        let second = BluetoothActor.onMainActor { (number: Int, _: String) in numbers.append(number) }
        await BluetoothActor.run {
            for number in 0..<1000 { if number % 3 == 0 { second(number, "") } else { first(number) } }
        }
        try await eventually("all of them") { numbers.count == 1000 }
        #expect(numbers == Array(0..<1000))
    }

    @Test("What arrives while the main actor delivers follows in order")
    @MainActor func nested() async throws {
        var words: [String] = []
        let inner = BluetoothActor.onMainActor { (word: String) in words.append(word) }
        let outer = BluetoothActor.onMainActor { (word: String) in
            words.append(word)
            BluetoothActor.perform { inner("\(word) inner") }
        }
        BluetoothActor.perform {
            outer("1")
            outer("2")
        }
        try await eventually("all of them") { words.count == 4 }
        #expect(words == ["1", "2", "1 inner", "2 inner"])
    }

    @Test("A completion and a handler of the main actor are called there")
    @MainActor func completions() async throws {
        let simulator = try await SimulatorFixture()
        let fixture = await PeripheralFixture(simulator, adapter: nil)
        let peripheral = try await fixture.connect()
        let value = try await fixture.value(of: peripheral)
        var read: Data?
        var losses = 0
        let lost = BluetoothActor.onMainActor { (_: Peripheral, _: BluetoothError?) in losses += 1 }
        let done = BluetoothActor.onMainActor { (data: Data?, _: BluetoothError?) in read = data }
        await BluetoothActor.run {
            peripheral.disconnectHandler = lost
            value.readValue(completion: done)
        }
        try await eventually("the value") { read == Data([1, 2, 3]) }
        await simulator.disconnect()
        try await eventually("the loss") { losses == 1 }
    }

    @Test("An observer gets the present state of a peripheral, and each change once, until it is released")
    func observing() async throws {
        try await PeripheralFixture.run { fixture in
            let peripheral = try await fixture.find()
            var snapshots: [PeripheralSnapshot] = []
            var others = 0
            let observation = peripheral.observe { snapshots.append($0) }
            var other: EventObservation? = peripheral.observe { _ in others += 1 }
            try await eventually("the present") { snapshots.count >= 1 && others >= 1 }
            // The signal strength goes when the scan has ended.
            #expect(snapshots.first?.id == peripheral.snapshot.id)
            #expect(snapshots.first?.state == .disconnected)
            #expect(snapshots.first?.name == "Watch")
            other = nil
            _ = other
            try await fixture.central.barrier()
            let before = others
            // Out of range, it stays connecting until that was seen.
            await fixture.simulator.perform { $0.peripheral.simulateRangeLoss() }
            let connecting = Task { @BluetoothActor in
                try await peripheral.connect(options: ConnectOptions(timeout: .ample))
            }
            try await eventually("the attempt") { snapshots.last?.state == .connecting }
            await fixture.simulator.perform { $0.peripheral.simulateReturn() }
            try await connecting.value
            for service in try await peripheral.discoverServices() { try await service.discoverCharacteristics() }
            try await eventually("the services") {
                snapshots.last?.services.contains(SimulatorFixture.service) == true
            }
            #expect(Set(snapshots.map(\.state)).isSuperset(of: [.connecting, .connected]))
            #expect(zip(snapshots, snapshots.dropFirst()).allSatisfy { $0 != $1 })
            await fixture.simulator.disconnect()
            try await eventually("the loss") { snapshots.last?.state == .disconnected }
            #expect(others == before)
            observation.cancel()
            try await fixture.central.barrier()
            let count = snapshots.count
            try await fixture.simulator.deviceChanged(["Name": .string("Cellar")])
            try await eventually("the name") { peripheral.name == "Cellar" }
            try await fixture.central.barrier()
            #expect(snapshots.count == count)
        }
    }

    @Test("The snapshots are a sequence too, which ends with its task")
    func sequence() async throws {
        try await PeripheralFixture.run { fixture in
            let peripheral = try await fixture.find()
            var names: [String?] = []
            let task = Task { @BluetoothActor in
                for try await snapshot in peripheral.snapshots() { names.append(snapshot.name) }
            }
            try await eventually("the present") { names.last == "Watch" }
            try await fixture.simulator.deviceChanged(["Name": .string("Cellar")])
            try await eventually("the name") { names.last == "Cellar" }
            task.cancel()
            try await task.value
            try await fixture.central.barrier()
            #expect(peripheral.feed.isEmpty)
        }
    }
}
