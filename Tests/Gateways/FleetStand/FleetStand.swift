import BlueZDBus
import BlueZSimulatedSensorTag
import BlueZSimulator
import CoreBlueZ
import Fleet
import Foundation
import Gateway
import GatewayProtocol

/// A simulated BlueZ, a gateway, a broker and a fleet in one process, for the contract suite: it prints the settings
/// `COREBLUEZ_TEST_BUS` and `COREBLUEZ_TEST_CONTROL`, and ends when its standard input does. With the argument `each`, the
/// fleet has an adapter for each gateway.
@main struct FleetStand {
    static func main() async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "fleet-stand-\(UUID().uuidString)")
        let (bluez, tag, control) = try await SimulatorActor.run {
            var timing = Timing()
            timing.disconnect = .milliseconds(20)
            let bluez = try await SimulatedBlueZ(.init(timing: timing, isExperimental: true))
            let probe = try bluez.add(ProbePeripheral.specification)
            let tag = try SimulatedSensorTag(in: bluez)
            let control = try ControlServer(
                peers: [ControlServer.Peer("tag", tag.peripheral), ControlServer.Peer("probe", probe)])
            return (bluez, tag, control)
        }
        let broker = InMemoryBroker()
        guard let name = GatewayName("room"), let client = GatewayName("fleet") else { return }
        var configuration = GatewayConfiguration(
            name: name, stateFile: directory.appending(path: "leases.json").path)
        configuration.bus = .address(bluez.address)
        configuration.interval = .milliseconds(100)
        configuration.repetition = .seconds(1)
        let gateway = try await BluetoothActor.run { [configuration] in
            try Gateway(configuration: configuration, broker: broker.client("room"))
        }
        let gatewayRun = Task { await gateway.run() }
        var fleetConfiguration = FleetConfiguration(name: client)
        fleetConfiguration.isExperimental = true
        if CommandLine.arguments.contains("each") { fleetConfiguration.adapters = .each }
        let fleet = try await Fleet(configuration: fleetConfiguration, broker: broker.client("fleet"))
        let fleetRun = Task { await fleet.run() }
        await fleet.waitForGateway(timeout: .seconds(60))
        let lines = "COREBLUEZ_TEST_BUS=\(fleet.address)\nCOREBLUEZ_TEST_CONTROL=\(control.path)\n"
        FileHandle.standardOutput.write(Data(lines.utf8))
        await Task.detached { while readLine() != nil {} }.value
        await fleet.end()
        _ = await fleetRun.value
        await gateway.end()
        _ = await gatewayRun.value
        try? FileManager.default.removeItem(at: directory)
        withExtendedLifetime((bluez, tag, control)) {}
    }
}
