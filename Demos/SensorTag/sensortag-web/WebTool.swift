import ArgumentParser
import BlueZPrintableText
import BlueZScript
import BlueZSimulatedSensorTag
import CoreBlueZ
import SensorTagProgram

/// `sensortag-web`: shows SensorTags on a web page. `sensortag web` starts it.
@main struct WebTool: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sensortag web",
        abstract: "Shows SensorTags live on a web page.",
        discussion: """
            The command prints the address of the page and serves it until Ctrl-C, which switches all sensors off and \
            disconnects. The page lists the tags in range. Several tags can be connected, and several browsers can \
            show them, at the same time. Each sensor has a graph, a switch and a period. Readings can be recorded and \
            downloaded as CSV.

            The address contains a secret. A browser that opens the page with the secret can switch sensors; a browser \
            that opens it without can only show them. Only this machine can open the page, unless you give --listen.

            Examples:
              sensortag web
              sensortag web --simulate=cc2541,cc2650    uses two simulated tags
              sensortag web --port 9000
              sensortag web --listen 192.168.1.5        serves the local network
              sensortag web --listen 0.0.0.0 --host 192.168.1.5 --host kitchen.local

            \(ExitStatus.section(statuses, others, ending: signals))
            """,
        version: CentralManager.version
    )

    private static let statuses: [ExitStatus: String] = [
        .unavailable: "Bluetooth is not available, or the port is in use"
    ]
    /// Nothing but the page needs the output.
    private static let others = ExitStatus.bluetooth.filter { $0.key != .inputOutput }
    private static let signals = """
        . The command cleans up first. If that fails, it prints which sensors may still be on, and the status is that \
        of the error: 68 if the link was lost, 75 if a tag did not respond in time, 76 after an ATT error
        """

    @Option(
        name: .customLong("simulate"), defaultAsFlag: SimulatedModels(.cc2541), parsing: .next,
        help: ArgumentHelp("Uses simulated tags; needs no Bluetooth.", valueName: "model[,model...]"))
    var simulated: SimulatedModels?

    @Option(help: "The TCP port of the page; 0 means any free one.")
    var port: UInt16 = 8650

    @Option(
        help: ArgumentHelp(
            "The IPv4 address of this machine at which the page is served. The default is 127.0.0.1.",
            discussion: "The traffic is not encrypted: anyone who can read the network can read the secret.",
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
        help: ArgumentHelp(
            "A name or an address that browsers may use for this machine, besides that of --listen. May be repeated.",
            valueName: "name"))
    var hosts: [String] = []

    @Option(
        help: ArgumentHelp(
            "The adapter to use: its name (hci0) or its address. The default is the first one that is on.",
            valueName: "adapter"))
    var adapter: String?

    func validate() throws {
        try simulated?.validate()
    }

    static func main() async {
        Program.begin("sensortag")
        await main(nil)
    }

    func run() async throws {
        throw ExitCode(await Program.run("sensortag") { try await serve(simulated?.models) })
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
        try? StandardOutput.writeLine("SensorTags are at \(url)")
        Messages.say("Ctrl-C switches all sensors off and ends the command.")
        station.start()
        server.whenFailed { stopper.stop(.failed($0)) }
        await stopper.wait()
        Messages.say("Switching off...")
        let leaving = await station.stop()
        await server.stop()
        var failure: CommandFailure?
        if case .failed(let reason) = stopper.reason { failure = reason }
        if let failure = failure.adding(leaving) { throw failure }
    }
}
