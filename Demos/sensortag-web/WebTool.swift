import ArgumentParser
import CommandLineSupport
import CoreBlueZ
import PrintableText
import SensorTagProgram
import SimulatedSensorTag

/// Shows SensorTags on a page of a web browser. `sensortag web` starts it.
@main struct WebTool: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sensortag web",
        abstract: "Show SensorTags live on a page of a web browser.",
        discussion: """
            Prints the address of the page and serves it until Ctrl-C, which switches all sensors off and disconnects. The \
            page lists the tags in range; several can be connected at once, and several browsers can look at them. Each \
            sensor has a graph, a switch and a period; readings can be recorded and downloaded as CSV.

            The address contains a secret. Whoever opens the page with it can switch sensors; whoever opens it without can \
            only look. The page is for this machine alone unless --listen says otherwise.

            Examples:
              sensortag web
              sensortag web --simulate=cc2541,cc2650    two simulated tags; no Bluetooth needed
              sensortag web --port 9000
              sensortag web --listen 192.168.1.5        for the local network

            Exit status:
              64   the arguments are wrong
              69   Bluetooth is not available, or the port is taken
              71   /proc is not mounted
              130  Ctrl-C; 143 for SIGTERM (the command cleans up and then ends by the
                   signal; if it cannot clean up, it says which sensors may still be
                   on, and the status is that of the error: 68 the link was lost,
                   75 not in time, 76 an ATT error)
            """,
        version: CentralManager.version
    )

    @Option(
        name: .customLong("simulate"), defaultAsFlag: SimulatedModels(.cc2541), parsing: .next,
        help: ArgumentHelp("Use simulated tags; no Bluetooth is needed.", valueName: "model[,model...]"))
    var simulated: SimulatedModels?

    @Option(help: "The port of the page; 0 means any free one.")
    var port: UInt16 = 8650

    @Option(
        help: ArgumentHelp(
            "The address of this machine to serve the page at; otherwise 127.0.0.1.",
            discussion: "Traffic is not encrypted: whoever can read the network can read the secret.",
            valueName: "address"),
        transform: { text in
            guard let address = IPv4Address(text) else {
                throw ValidationError(
                    "Give --listen an IPv4 address of this machine, such as 192.168.1.5, or 0.0.0.0 for all of them")
            }
            return address
        })
    var listen = IPv4Address.loopback

    @Option(
        name: .customLong("host"),
        help: ArgumentHelp("A name that browsers may use for this machine; can be repeated.", valueName: "name"))
    var hosts: [String] = []

    @Option(help: ArgumentHelp("The adapter, by name or address; else the first that is on.", valueName: "hci0"))
    var adapter: String?

    func validate() throws {
        try simulated?.validate()
    }

    static func main() async {
        StandardDescriptors.keepClosed()
        ProgramArguments.require("sensortag")
        await main(nil)
    }

    func run() async throws {
        let models = simulated?.models
        do throws(CommandFailure) {
            try await BluetoothActor.run { () async throws(CommandFailure) in try await serve(models) }
        } catch {
            Message.say("sensortag: \(error.message)")
            throw ExitCode(error.status.rawValue)
        }
        SignalWatch.shared.endBySignal()
    }

    @BluetoothActor private func serve(_ models: [SensorTagModel]?) async throws(CommandFailure) {
        let stopper = Stopper()
        SignalWatch.shared.start { Task { @BluetoothActor in stopper.stop(.interrupted) } }
        let bus: SimulatedBus? = if let models { try await SimulatedBus.start(models) } else { nil }
        let address = await bus?.address
        do throws(CommandFailure) {
            try await serve(on: address, until: stopper)
        } catch {
            await bus?.stop()
            throw error
        }
        await bus?.stop()
    }

    @BluetoothActor private func serve(on bus: String?, until stopper: Stopper) async throws(CommandFailure) {
        let recordings = try RecordingFolder()
        defer { recordings.remove() }
        let hub = EventHub()
        let station = TagStation(
            bus: bus, adapter: adapter, hub: hub, recordings: recordings, isStoring: bus == nil)
        let server = PageServer(station: station, hub: hub, address: listen, port: port, otherHosts: hosts)
        let url: String
        do throws(CommandFailure) {
            url = try await server.start()
        } catch {
            await server.stop()
            throw error
        }
        Message.say("SensorTags are at \(url)", toOutput: true)
        Message.say("Ctrl-C switches all sensors off and ends it.")
        station.start()
        server.whenFailed { stopper.stop(.failed($0)) }
        await stopper.wait()
        Message.say("Switching off...")
        let leaving = await station.stop()
        await server.stop()
        var failure: CommandFailure?
        if case .failed(let reason) = stopper.reason { failure = reason }
        if let failure = failure.adding(leaving) { throw failure }
    }
}
