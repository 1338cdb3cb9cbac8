import BlueZSimulator
import CoreBlueZ
import Foundation
import TestSupport
import Testing

@testable import gatt

/// What the peripherals of a file do.
@Suite struct FileSimulationTests {
    /// Runs a test with a manager on the simulated peripherals of a file.
    private func run(
        _ text: String, _ body: @BluetoothActor (CentralManager, FileSimulation) async throws -> Void
    ) async throws {
        let file = try SimulationFile(Data(text.utf8), path: "file")
        let simulation = try await SimulatorActor.run { try await FileSimulation(file) }
        try await BluetoothActor.run {
            let central = CentralManager(bus: .address(simulation.bluez.address))
            try await central.waitUntilPoweredOn(timeout: Patience.timeout)
            try await body(central, simulation)
        }
        withExtendedLifetime(simulation) {}
    }

    @Test("A control point in a file responds to requests, by itself and through another characteristic")
    func controlPoint() async throws {
        let text = """
            {"instant": true, "peripherals": [{"name": "Glucose meter", "services": [
              {"uuid": "FFE0", "characteristics": [{"uuid": "2A18", "properties": ["notify"]}]},
              {"uuid": "1808", "characteristics": [
                {"uuid": "2A18", "properties": ["notify"]},
                {"uuid": "2A52", "properties": ["write", "indicate"], "responses": [
                  {"to": "", "value": "0600{0}02"},
                  {"to": "0101", "value": "aa00", "on": "2A18"},
                  {"to": "0101", "value": "06000101", "delay": 0.01},
                  {"to": "01", "value": "06{}"}]}]}]}]}
            """
        try await run(text) { central, _ in
            let found = try await central.firstPeripheral(timeout: Patience.timeout)
            try await found.connectAndDiscover(timeout: Patience.timeout)
            let point = found.service(0x1808).characteristic(0x2A52)
            let records = found.service(0x1808).characteristic(0x2A18)
            var received: [Data] = []
            try await records.startNotifying { value, _ in received += value.map { [$0] } ?? [] }
            #expect(try await point.sendRequest(Data([1, 1]), timeout: Patience.timeout) == Data([6, 0, 1, 1]))
            try await Patience.wait(for: "the record") { received == [Data([0xAA, 0])] }
            #expect(try await point.sendRequest(Data([1, 7]), timeout: Patience.timeout) == Data([6, 1, 7]))
            #expect(try await point.sendRequest(Data([9, 8]), timeout: Patience.timeout) == Data([6, 0, 9, 2]))
            // Without responses that fit, the record's characteristic has sent nothing more.
            #expect(received.count == 1)
        }
    }

    @Test("The devices of the example that only advertise are found with their data, and with a name if they have one")
    func beacons() async throws {
        let path = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../GattTests/beacons.json")
        try await run(String(decoding: Data(contentsOf: path), as: UTF8.self)) { central, _ in
            let expected = [
                "00:AA:02:00:00:31": ["DIY-sensor", "4002c40903bf13"],
                "CB:B8:33:4C:88:4F": ["Ruuvi 884F", "0512fc5394c37c0004fffc040cac364200cdcbb8334c884f"],
                "00:AA:02:00:00:33": ["no name", "0215e2c56db5dffb48d2b060d0f5a71096e000000000c5"],
                "00:AA:02:00:00:34": ["no name", "10ee03676f6f2e676c2f417131387a46"],
                "A4:C1:38:02:83:F4": ["no name", "a4c1380283f400a22f5f0bf819"],
            ]
            var found: [String: [String]] = [:]
            try await central.scanForPeripherals(options: ScanOptions(duration: Patience.timeout)) {
                peripheral, advertisement, _ in
                let data = Array(advertisement.manufacturerData.values) + Array(advertisement.serviceData.values)
                found[peripheral.address?.description ?? ""] =
                    [peripheral.name ?? "no name"] + data.map { $0.map { String(format: "%02x", $0) }.joined() }
                // On a slow machine, the temperature may have changed. It returns.
                if found == expected { central.stopScan() }
            }
            #expect(found == expected)
        }
    }

    @Test("A peripheral with a schedule loses its link when it leaves, and can be connected to again when it is back")
    func presence() async throws {
        let text = #"{"name": "Bird", "presence": {"seconds": 0.3, "away": 0.2}}"#
        try await run(text) { central, _ in
            let bird = try await central.firstPeripheral(timeout: Patience.timeout)
            var losses: [BluetoothError.Code?] = []
            bird.disconnectHandler = { losses.append($1?.code) }
            try await Patience.wait(for: "two losses of the link") {
                try? await bird.connect()
                return losses.count >= 2
            }
            #expect(losses.allSatisfy { $0 == .disconnected })
        }
    }

    @Test("A peripheral that does not repeat its schedule leaves once, and then stays")
    func single() async throws {
        // B is away for so long that it is seen.
        let text = """
            {"peripherals": [
            {"name": "A", "presence": {"seconds": 0.05, "away": 0.05, "repeat": true}},
            {"name": "B", "presence": {"seconds": 0.05, "away": 1, "repeat": false}}]}
            """
        let file = try SimulationFile(Data(text.utf8), path: "file")
        let (simulation, watch) = try await SimulatorActor.run {
            let simulation = try await FileSimulation(file)
            return (simulation, DepartureWatch(simulation.bluez.peripherals))
        }
        try await Patience.wait(for: "both to leave, and one again and again") {
            await SimulatorActor.run { watch.departures[0] >= 5 && watch.departures[1] > 0 && watch.isThere[1] }
        }
        #expect(await watch.departures[1] == 1)
        withExtendedLifetime(simulation) {}
    }
}

/// Counts how often peripherals leave. It misses none that lasts longer than its period: both use the simulator's timers.
@SimulatorActor private final class DepartureWatch {
    private let peripherals: [SimulatedPeripheral]
    private(set) var isThere: [Bool]
    private(set) var departures: [Int]

    init(_ peripherals: [SimulatedPeripheral]) {
        self.peripherals = peripherals
        isThere = peripherals.map { _ in true }
        departures = peripherals.map { _ in 0 }
        look()
    }

    private func look() {
        for (index, peripheral) in peripherals.enumerated() {
            if isThere[index], !peripheral.isAdvertising { departures[index] += 1 }
            isThere[index] = peripheral.isAdvertising
        }
        SimulatorActor.schedule(after: .milliseconds(1)) { [weak self] in self?.look() }
    }
}
