import BlueZSimulator
import CoreBlueZ
import TestSupport
import Testing

@Suite(.virtualTime) struct EventSequencesTests {
    @Test("Scan results come one after another; leaving the loop ends the scan")
    @BluetoothActor func scanResults() async throws {
        let simulator = try await SimulatorFixture()
        let central = CentralManager(bus: simulator.bus)
        var names: [String] = []
        for try await result in central.scanResults(options: ScanOptions(allowDuplicates: true)) {
            names.append(result.peripheral.displayName)
            if names.count == 3 { break }
        }
        #expect(names == ["Watch", "Watch", "Watch"])
        try await eventually("the end of the scan") { !central.isScanning }
        try await eventually("bluetoothd's end of it") { await !simulator.isDiscovering }
    }

    @Test("A cancelled consumer ends the scan in bluetoothd")
    @BluetoothActor func cancelled() async throws {
        let simulator = try await SimulatorFixture()
        let central = CentralManager(bus: simulator.bus)
        let task = Task { @BluetoothActor in
            var count = 0
            for try await _ in central.scanResults() { count += 1 }
            return count
        }
        try await eventually("the scan") { await simulator.isDiscovering }
        task.cancel()
        _ = try await task.value
        try await eventually("the end of the scan") { !central.isScanning }
        try await eventually("bluetoothd's end of it") { await !simulator.isDiscovering }
    }

    @Test("A consumer of scan results that is too slow sees the overflow, and the scan ends")
    @BluetoothActor func overflow() async throws {
        let simulator = try await SimulatorFixture()
        let central = CentralManager(bus: simulator.bus)
        let results = central.scanResults(options: ScanOptions(allowDuplicates: true), bufferingUpTo: 2)
        try await eventually("the overflow") { !central.isScanning }
        var count = 0
        var end: BluetoothError?
        do {
            for try await _ in results { count += 1 }
        } catch {
            end = error
        }
        #expect(count == 2)
        #expect(end?.code == .overflow)
    }

    @Test("States and links come as sequences, which end with the manager")
    @BluetoothActor func statesAndEvents() async throws {
        let simulator = try await SimulatorFixture()
        var central: CentralManager? = CentralManager(bus: simulator.bus)
        let states = try #require(central).stateChanges()
        let events = try #require(central).events()
        let peripheral = try await #require(central).firstPeripheral()
        try await peripheral.connect()
        try await peripheral.disconnect()
        central = nil
        var seen: [CentralManagerState] = []
        for try await state in states { seen.append(state) }
        #expect(seen == [.unknown, .poweredOn])
        var links: [String] = []
        for try await event in events {
            switch event {
            case .connected: links.append("connected")
            case .disconnected: links.append("disconnected")
            default: break
            }
        }
        #expect(links == ["connected", "disconnected"])
    }
}

extension SimulatorFixture {
    var isDiscovering: Bool { bluez.adapters.contains { $0.isDiscovering } }
}
