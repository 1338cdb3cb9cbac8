import BlueZDBus
import BlueZSimulatedSensorTag
import BlueZSimulator
import TestSupport

/// The simulator in this process, with the same control channel as `bluez-simulator --control`.
@SimulatorActor enum SimulatedSide {
    static func make(timeScale: Double) async throws -> Side {
        var timing = Timing()
        // As asynchronous as bluetoothd's 2 seconds, without the wait in each test.
        timing.disconnect = .milliseconds(20)
        // The lab's bluetoothd runs with --experimental.
        let bluez = try await SimulatorFixture.start(
            SimulatedBlueZ.Configuration(timing: timing, isExperimental: true))
        let probe = try bluez.add(ProbePeripheral.specification)
        let tag = try SimulatedSensorTag(in: bluez)
        let control = try ControlServer(
            peers: [ControlServer.Peer("tag", tag.peripheral), ControlServer.Peer("probe", probe)],
            central: bluez.addCentral())
        return Side(
            bus: .address(bluez.address),
            control: try await ControlClient(path: control.path),
            harness: SimulatedHarness(bluez: bluez, tag: tag, control: control),
            timeScale: timeScale
        )
    }
}

/// Kills and restarts the simulated bluetoothd; keeps the simulator.
private struct SimulatedHarness: Harness {
    let bluez: SimulatedBlueZ
    let tag: SimulatedSensorTag
    let control: ControlServer

    func killDaemon() async throws { await SimulatorActor.run { bluez.simulateCrash() } }
    func startDaemon() async throws { try await SimulatorActor.run { try await bluez.restart() } }
}
