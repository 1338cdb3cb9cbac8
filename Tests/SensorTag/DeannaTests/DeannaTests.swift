import BlueZSimulatedSensorTag
import BlueZSimulator
import CoreBlueZ
import Deanna
import Foundation
import TestSupport
import Testing

/// The port of Deanna's classes, on a simulated tag. One at a time: there is one manager.
@Suite(.serialized) struct DeannaTests {
    @MainActor private static func run(
        _ body: @MainActor (SimulatedSensorTag, BusAddress) async throws -> Void
    ) async throws {
        let bluez = try await SimulatedBlueZ(.init(timing: .instant))
        let tag = try await SimulatorActor.run { try SimulatedSensorTag(.cc2541, in: bluez) }
        let result: Result<Void, any Error>
        do { result = .success(try await body(tag, .address(bluez.address))) } catch { result = .failure(error) }
        await DEACentralManager.endShared()
        try result.get()
    }

    @Test("The model follows barometer and thermometer of the first tag, until it is stopped")
    @MainActor func model() async throws {
        try await Self.run { tag, bus in
            let model = DEAModel()
            model.start(bus: bus, timeout: Patience.timeout)
            try await Patience.wait(for: "the sensors") { model.isOn && model.status == "Connected" }
            #expect(model.name == "SensorTag" || model.name == "TI BLE Sensor Tag")
            try await Patience.wait(for: "the values") { model.pressure != nil && model.objectTemp != nil }
            #expect((90_000.0...110_000.0).contains(model.pressure ?? 0))
            #expect((-20.0...50.0).contains(model.ambientTemp ?? 100))
            #expect((-20.0...50.0).contains(model.barometerTemp ?? 100))
            model.stop()
            try await Patience.wait(for: "the end") { model.status == "Disconnected" && !model.isOn }
            #expect(await !tag.peripheral.isConnected)
        }
    }

    @Test("When the link ends, the sensors are off and the calibration is gone")
    @MainActor func loss() async throws {
        try await Self.run { simulated, bus in
            let model = DEAModel()
            model.start(bus: bus, timeout: Patience.timeout)
            try await Patience.wait(for: "the sensors") { model.isOn }
            let tag = try #require(await DEACentralManager.shared?.peripherals.first as? DEASensorTag)
            #expect(await tag.barometer.isCalibrated)
            await simulated.peripheral.simulateDisconnection()
            try await Patience.wait(for: "the loss") { model.status == "Disconnected" && !model.isOn }
            #expect(await !tag.barometer.isCalibrated)
            #expect(await !tag.barometer.isOn)
            #expect(await !tag.temperature.isOn)
        }
    }

    @Test("A tag that was found once is remembered by the next manager")
    @MainActor func remembered() async throws {
        let directory = "/tmp/corebluez-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: directory) }
        try await Self.run { _, bus in
            for isFirst in [true, false] {
                let stored = try await StoredPeripherals(directory: directory)
                var tags: [DEASensorTag] = []
                let found = BluetoothActor.onMainActor { (tag: DEASensorTag) in tags.append(tag) }
                BluetoothActor.perform {
                    let central = DEACentralManager.startShared(bus: bus, stored: stored)
                    central.tagHandler = found
                    if isFirst { central.startScan { _ in } }
                }
                try await Patience.wait(for: "the tag, first: \(isFirst)") { tags.count == 1 }
                await DEACentralManager.shared?.stopScan()
                await DEACentralManager.endShared()
                // The last write is the manager's, when it is released.
                try await Patience.wait(for: "the file") { await Self.countRemembered(in: directory) == 1 }
            }
        }
    }

    @BluetoothActor private static func countRemembered(in directory: String) -> Int {
        (try? StoredPeripherals(directory: directory))?.identifiers.count ?? 0
    }

    @Test("A watchdog that is too short ends in its error")
    @MainActor func watchdog() async throws {
        try await Self.run { tag, bus in
            await SimulatorActor.run { tag.peripheral.connectionFault = .stalledDiscovery }
            let model = DEAModel()
            model.start(bus: bus, timeout: .milliseconds(100))
            try await Patience.wait(for: "the error") { model.status.contains("not done within") }
        }
    }
}
