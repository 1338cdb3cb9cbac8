import BlueZDBus
import BlueZJSONLine
import BlueZScript
import BlueZSimulatedSensorTag
import BlueZSimulator

/// The simulator, its peripherals, and its control channel.
@SimulatorActor final class Simulation {
    /// The addresses for a client.
    private struct Endpoint: Encodable, Sendable {
        let address: String
        let control: String?
        let devices: [String: String]
    }

    private var bluez: SimulatedBlueZ?
    private var tag: SimulatedSensorTag?
    private var server: ControlServer?
    private let endpoint: Endpoint

    init(
        model: SensorTagModel, hasProbe: Bool, control: String?, isExperimental: Bool,
        warn: @escaping @Sendable (String) -> Void
    ) async throws(CommandFailure) {
        var peers: [ControlServer.Peer] = []
        var devices: [String: String] = [:]
        let central: SimulatedCentral
        do {
            let bluez = try await SimulatedBlueZ(SimulatedBlueZ.Configuration(isExperimental: isExperimental))
            let tag = try SimulatedSensorTag(model, in: bluez)
            peers.append(ControlServer.Peer("tag", tag.peripheral))
            devices["tag"] = tag.peripheral.address
            if hasProbe || control != nil {
                let probe = try bluez.add(ProbePeripheral.specification)
                peers.append(ControlServer.Peer("probe", probe))
                devices["probe"] = probe.address
            }
            central = bluez.addCentral()
            self.bluez = bluez
            self.tag = tag
            endpoint = Endpoint(address: bluez.address, control: control, devices: devices)
        } catch {
            throw CommandFailure(.unavailable, "The simulator does not start: \(error)")
        }
        guard let control else { return }
        do {
            server = try ControlServer(at: control, peers: peers, central: central)
            server?.warningHandler = warn
        } catch {
            throw CommandFailure(.cannotCreate, "The control socket cannot be created at \(control): \(error)")
        }
    }

    /// The setting for clients.
    nonisolated var line: String { "DBUS_SYSTEM_BUS_ADDRESS=\(endpoint.address)" }

    /// Address, control channel and devices, as one JSON object.
    nonisolated var json: String { (try? JSONLine.text(endpoint)) ?? "{}" }

    /// Ends the links, and removes the bus, sockets and their directories.
    func end() {
        server?.close()
        server = nil
        tag = nil
        bluez = nil
    }
}
