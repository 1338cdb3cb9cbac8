import BlueZSimulator
import CoreBlueZ
import Foundation
import TestSupport
import Testing

@testable import gatt

/// What DEVICE means if the name of a device isn't the same all the time.
@Suite struct FindingTests {
    private static let tag = "BC:6A:29:00:00:01"

    /// A peripheral that advertises another name than the one that is read from it.
    private static var renamed: PeripheralSpecification {
        var specification = SimulatorFixture.specification("SensorTag", tag)
        specification.name = "TI BLE Sensor Tag"
        return specification
    }

    /// Runs tests with a folder for the state of `gatt`, which is removed.
    private func withState(
        _ specification: PeripheralSpecification = renamed,
        _ body: @BluetoothActor (PeripheralFixture, _ state: URL) async throws -> Void
    ) async throws {
        let state = FileManager.default.temporaryDirectory.appendingPathComponent("state-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: state) }
        let simulator = try await SimulatorFixture(peripheral: specification)
        try await PeripheralFixture.run(simulator) { try await body($0, state) }
    }

    /// Waits until bluetoothd has read the name of the connected device.
    @BluetoothActor private func waitForName(_ fixture: PeripheralFixture) async throws {
        try await Patience.wait(for: "the name that is read") {
            fixture.central.retrieveKnownPeripherals().first?.name == "TI BLE Sensor Tag"
        }
    }

    @BluetoothActor private func gatt(
        _ fixture: PeripheralFixture, _ state: URL, _ arguments: String..., status: Int32 = 0
    ) async throws -> ProgramRun {
        let environment = fixture.simulator.environment.merging(["XDG_STATE_HOME": state.path]) { $1 }
        let run = try ProgramRun(program: "gatt", arguments, environment: environment)
        #expect(try await run.status() == status, "\(arguments): \(run.errors)")
        return run
    }

    @Test("What gatt connect was given means that device until its link ends, in a file of this user")
    func kept() async throws {
        try await withState { fixture, state in
            let using = "Using TI BLE Sensor Tag (\(Self.tag))\n"
            let value = SimulatorFixture.value.description
            #expect(try await gatt(fixture, state, "connect", "SensorTag").errors.isEmpty)
            try await waitForName(fixture)
            let read = try await gatt(fixture, state, "read", "SensorTag", value)
            #expect(read.output == "010203\n")
            #expect(read.errors == using)
            let file = state.appendingPathComponent("gatt/connected.json").path
            let attributes = try FileManager.default.attributesOfItem(atPath: file)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            #expect(try await gatt(fixture, state, "disconnect", "SensorTag").errors == using)
            let again = try await gatt(fixture, state, "disconnect", "SensorTag", status: 66)
            #expect(again.errors.contains("BlueZ does not know the device SensorTag"))
        }
    }

    @Test("A device that only advertises, which bluetoothd forgets after each scan, is said to do so")
    func beacon() async throws {
        var specification = Self.renamed
        specification.isConnectable = false
        try await withState(specification) { fixture, state in
            for device in ["SensorTag", Self.tag] {
                let run = try await gatt(fixture, state, "read", device, "2A19", "--timeout", "20", status: 68)
                #expect(run.errors.contains("perhaps it only advertises"))
            }
        }
    }

    @Test("A misspelled name is answered with the device that was probably meant")
    func misspelled() async throws {
        try await withState { fixture, state in
            let run = try await gatt(fixture, state, "read", "Sensortga", "2A19", "--timeout", "1", status: 75)
            #expect(run.errors.contains("; did you mean \"SensorTag\"?"))
        }
    }

    @Test("A name that a command of a file has connected means that device in the lines after it")
    func file() async throws {
        try await withState { fixture, state in
            let value = SimulatorFixture.value.description
            let script = state.path + ".gatt"
            defer { try? FileManager.default.removeItem(atPath: script) }
            try "read SensorTag \(value)\nread SensorTag \(value)\n".write(
                toFile: script, atomically: true, encoding: .utf8)
            #expect(try await gatt(fixture, state, "run", script).output == "010203\n010203\n")
        }
    }

    @Test("If no device has the name, the connected ones are listed, at once and at the end")
    func connected() async throws {
        try await withState { fixture, state in
            try await fixture.find().connect()
            try await waitForName(fixture)
            let line = "  \(Self.tag)  TI BLE Sensor Tag  connected\n"
            let value = SimulatorFixture.value.description
            let read = try await gatt(
                fixture, state, "read", "SensorTag", value, "--timeout", "100ms", status: 75)
            #expect(read.errors.components(separatedBy: line).count == 3)
            #expect(try await gatt(fixture, state, "disconnect", "SensorTag", status: 66).errors.hasSuffix(line))
        }
    }

    @Test("A file of names that is malformed is reported, and keeps no command from its work")
    func malformed() async throws {
        try await withState(SimulatorFixture.specification()) { fixture, state in
            let folder = state.appendingPathComponent("gatt")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try "{\"devices\": [1]}".write(
                to: folder.appendingPathComponent("connected.json"), atomically: true, encoding: .utf8)
            let run = try await gatt(fixture, state, "read", "Watch", SimulatorFixture.value.description)
            #expect(run.output == "010203\n")
            #expect(run.errors.contains("cannot be read as names of connected devices"))
        }
    }

    @Test("An alias is a DEVICE, and tells devices of one name apart")
    func alias() async throws {
        try await withState(SimulatorFixture.specification("Sensor")) { fixture, state in
            try await fixture.simulator.add("Sensor", "BC:6A:29:00:00:02")
            let peripheral = try await fixture.central.firstPeripheral(timeout: Patience.timeout) { peripheral, _ in
                peripheral.address?.description == Self.tag
            }
            try await peripheral.pair()
            try await peripheral.setAlias("Kitchen")
            #expect(
                try await gatt(fixture, state, "read", "Kitchen", SimulatorFixture.value.description).errors.isEmpty)
            try await fixture.central.scanForPeripherals(options: ScanOptions(duration: Patience.timeout)) {
                found, _, _ in
                if found.address != peripheral.address { fixture.central.stopScan() }
            }
            let both = try await gatt(fixture, state, "read", "Sensor", "2A19", status: 64)
            #expect(both.errors.contains("\n  \(Self.tag)  Sensor  alias \"Kitchen\""))
            #expect(both.errors.contains("\n  BC:6A:29:00:00:02  Sensor"))
        }
    }

    @Test(
        "A device whose name is another one by the end of the search is the one that was found",
        arguments: ["w", "Watch 2"])
    func alternating(_ name: String) async throws {
        try await PeripheralFixture.run { fixture in
            let search = DeviceSearch(DeviceName("Watch"), fixture.central)
            let scan = Task { try await search.scan(for: Patience.timeout) }
            try await Patience.wait(for: "the device") { search.best == .exact }
            await fixture.simulator.perform { $0.peripheral.advertisement.localName = name }
            let peripheral = try #require(fixture.central.retrieveKnownPeripherals().first)
            try await Patience.wait(for: "another name") { peripheral.name == name }
            try await scan.value
            #expect(try search.only(.exact) === peripheral)
        }
    }

    @Test("A scan goes on if BlueZ has forgotten the device that it found")
    func forgotten() async throws {
        try await PeripheralFixture.run { fixture in
            let search = DeviceSearch(DeviceName("Watch"), fixture.central)
            let scan = Task { try await search.scan(for: Patience.timeout) }
            try await Patience.wait(for: "the device") { search.best == .exact }
            await fixture.simulator.perform { $0.peripheral.isAdvertising = false }
            let peripheral = try #require(fixture.central.retrieveKnownPeripherals().first)
            try await fixture.central.forgetPeripheral(peripheral)
            #expect(search.settling != nil)
            try await Patience.wait(for: "the end of the settling time") { search.settling == nil }
            #expect(fixture.central.isScanning)
            await fixture.simulator.perform { $0.peripheral.isAdvertising = true }
            try await scan.value
            #expect(try search.only()?.address?.description == Self.tag)
        }
    }

    @Test("scan lists a device once that advertises two names in turn")
    func listedOnce() async throws {
        try await withState(SimulatorFixture.specification("Sensor 41")) { fixture, state in
            let turns = Task {
                while true {
                    for name in ["s", "Sensor 41"] {
                        await fixture.simulator.perform { $0.peripheral.advertisement.localName = name }
                        try await ContinuousClock().sleep(for: .milliseconds(20))
                    }
                }
            }
            defer { turns.cancel() }
            let run = try await gatt(
                fixture, state, "scan", "--duration", "\(Patience.scaled(.seconds(1)).components.seconds)")
            #expect(run.lines.count == 1)
        }
    }
}
