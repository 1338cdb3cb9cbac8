import ArgumentParser
import BlueZSimulator
import CoreBlueZ

/// `gatt simulate`
struct SimulateCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract: "Simulates BlueZ with the peripherals that a JSON file describes, to try scripts without hardware.",
        discussion: """
            The command prints the environment variable with which other programs use the simulated BlueZ, and runs \
            until Ctrl-C (status 130) or SIGTERM (status 143).

            Example:
              gatt simulate strap.json > bus &
              until [ -s bus ]; do sleep 1; done; export "$(cat bus)"
              gatt read Strap 2A19

            A file:
              {"name": "Strap", "services": [{"uuid": "180F", "characteristics": [
                {"uuid": "2A19", "properties": ["read", "notify"], "value": "64",
                 "notifications": {"values": ["63", "62"], "interval": 0.5}}]}]}

            A file with a control point, for a device that is absent at times:
              {"name": "Wheel", "presence": {"seconds": 30, "away": 10},
               "services": [{"uuid": "1816", "characteristics": [
                {"uuid": "2A55", "properties": ["write", "indicate"],
                 "responses": [{"to": "04", "value": "1004010506"}]}]}]}

            The output of gatt inspect --json is also such a file.
            """)

    static let connectsEarly = false

    @Argument(
        help: ArgumentHelp("The description, or - for the standard input.", valueName: "file"),
        completion: .file(extensions: ["json"]))
    var file: String

    @BluetoothActor func run(in session: Session) async throws {
        let file = try SimulationFile.read(file)
        // The simulator ends with its last reference, and must do so on its actor, so that its directory is removed in
        // the end.
        try await SimulatorActor.run {
            let simulation = try await FileSimulation(file)
            try await session.output.line("DBUS_SYSTEM_BUS_ADDRESS=" + simulation.bluez.address)
            while !Task.isCancelled { try? await Task.sleep(for: .seconds(86400)) }
            withExtendedLifetime(simulation) {}
        }
    }
}
