import ArgumentParser
import BlueZDBus
import BlueZReplay
import BlueZScript
import BlueZSimulator
import CoreBlueZ

/// `gatt simulate`
struct SimulateCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract: "Simulates BlueZ with described or recorded peripherals, to try programs without hardware.",
        discussion: """
            The command prints the environment variable with which other programs use the simulated BlueZ, and runs \
            until Ctrl-C (status 130) or SIGTERM (status 143).

            Example:
              rm -f bus; gatt simulate strap.json > bus &
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

            A recording or a capture, see gatt record and gatt import, is played: the device sends what it sent, after \
            the requests after which it sent it, and each request gets the response that it got. Requests that the \
            recording does not have are reported on the standard error:
              gatt simulate --replay strap.jsonl > bus &
            """)

    static let connectsEarly = false
    static let endsSoonAfterSignal = true

    @Argument(
        help: ArgumentHelp("The description, or - for the standard input.", valueName: "file"),
        completion: .file(extensions: ["json"]))
    var file: String?

    @Option(
        help: ArgumentHelp("Plays this recording or capture; - is the standard input.", valueName: "file"),
        completion: .file())
    var replay: String?

    @Flag(help: "With --replay: leaves out the recorded waits.")
    var fast = false

    func validate() throws {
        guard (file == nil) != (replay == nil) else {
            throw ValidationError("Give either a description or --replay with a recording")
        }
        if fast, replay == nil { throw ValidationError("Give --fast only with --replay") }
    }

    @BluetoothActor func run(in session: Session) async throws {
        if let file {
            let description = try SimulationFile.read(file)
            try await run(session) {
                try await FileSimulation(description)
            } address: {
                $0.bluez.address
            }
        } else if let replay {
            var input = try RecordingInput(replay)
            let plan = try Self.plan(&input, replay)
            for note in plan.notes { Progress.report("\(note.device.map { "\($0): " } ?? "")\(note.text)") }
            var options = Replay.Options()
            options.isFast = fast
            try await run(session) { [options] in
                try await ReplayedBlueZ(plan, options) { sentence in Progress.report(sentence) }
            } address: {
                $0.address
            }
        }
    }

    /// Runs a simulation until the command is told to end. The simulator ends with its last reference, and must do so
    /// on its actor, so that its directory is removed in the end.
    private func run<Simulation>(
        _ session: Session, _ start: @escaping @SimulatorActor () async throws -> Simulation,
        address: @escaping @SimulatorActor (Simulation) -> String
    ) async throws {
        try await SimulatorActor.run {
            let simulation = try await start()
            try await session.output.line("DBUS_SYSTEM_BUS_ADDRESS=" + address(simulation))
            while !Task.isCancelled { try? await Task.sleep(for: .seconds(86400)) }
            withExtendedLifetime(simulation) {}
        }
    }

    private static func plan(_ input: inout RecordingInput, _ path: String) throws(CommandFailure) -> ReplayPlan {
        do {
            return try ReplayPlan(input.header.origin) { try input.next() }
        } catch let error as ReplayPlan.Failure {
            throw CommandFailure(.data, "\(path): \(error.message)")
        } catch {
            throw CommandFailure(any: error)
        }
    }
}

/// A simulated BlueZ with the described peripherals.
@SimulatorActor final class FileSimulation {
    nonisolated let bluez: SimulatedBlueZ
    private let behaviour = FileBehaviour()

    init(_ file: SimulationFile) async throws {
        bluez = try await SimulatedBlueZ(
            .init(adapters: file.adapters, timing: file.isInstant ? .instant : Timing()))
        for description in file.peripherals {
            do {
                let peripheral = try bluez.add(description.specification)
                behaviour.add(description, peripheral)
                behaviour.move(peripheral)
            } catch let error as DBusError {
                throw CommandFailure(.data, "\(file.path):\(description.line): \(error.message)")
            }
        }
    }
}
