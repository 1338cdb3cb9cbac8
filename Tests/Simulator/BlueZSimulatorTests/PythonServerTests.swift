import BlueZSimulator
import CoreBlueZ
import Foundation
import TestSupport
import Testing

/// Peripherals that were not written against the simulator: bluezero by dbus-python, bless by dbus-next.
@Suite(.realTime) struct PythonServerTests {
    private static let python = ProcessInfo.processInfo.environment["COREBLUEZ_TEST_BLUEZERO"]
    private static let servers = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "Servers")

    @Test(
        "A Python library publishes, and a central on another adapter reads, writes and is notified",
        .enabled("needs a Python with bluezero and bless, named by COREBLUEZ_TEST_BLUEZERO") { python != nil },
        .timeLimit(.minutes(5)),
        arguments: ["bluezero", "bless"]
    )
    func publish(library: String) async throws {
        let python = try #require(Self.python)
        let adapters = ["00:AA:01:00:00:42", "00:AA:01:00:00:43"]
        let configuration = SimulatedBlueZ.Configuration(
            adapters: adapters.map { AdapterSpecification(address: $0) }, timing: .instant)
        let simulator = try await SimulatorFixture.start(configuration)
        let script = Self.servers.appending(path: "\(library)_server.py").path
        let server = try ProgramRun(
            program: library, [], environment: ["DBUS_SYSTEM_BUS_ADDRESS": simulator.address],
            through: [python, "-B", "-u", script, adapters[0]])
        try await server.wait(for: "the advertisement") { server.output.contains("Advertisement registered") }
        try await Self.use(simulator)
        server.signal(SIGINT)
        #expect(try await server.status() == 0, "\(server.errors)")
    }

    @BluetoothActor private static func use(_ simulator: SimulatedBlueZ) async throws {
        let central = CentralManager(bus: .address(simulator.address), adapter: "hci1")
        try await central.waitUntilPoweredOn(timeout: .ample)
        let peripheral = try await central.firstPeripheral(
            withServices: [SimulatorFixture.service], timeout: .ample)
        #expect(peripheral.name == "Python")
        try await peripheral.connect(options: ConnectOptions(timeout: .ample))
        try await peripheral.discoverServices()
        let service = peripheral.service(SimulatorFixture.service)
        let value = service.characteristic(SimulatorFixture.value)
        let updates = service.characteristic(SimulatorFixture.updates)
        #expect(value.properties == [.read, .write])
        #expect(updates.properties == [.notify])
        #expect(try await value.readValue() == Data([1, 2, 3]))
        let descriptions = try await value.discoverDescriptors().filter { $0.uuid == 0x2901 }
        #expect(try await descriptions.first?.readValue() == Data([0x41]))

        var notifications = try await updates.notifications().makeAsyncIterator()
        try await value.writeValue(Data([4, 5]), type: .withResponse)
        #expect(try await notifications.next() == Data([4, 5]))
        #expect(try await value.readValue() == Data([4, 5]))
        try await updates.setNotifyValue(false)
        try await peripheral.disconnect()
    }
}
