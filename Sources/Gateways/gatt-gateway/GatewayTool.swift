import ArgumentParser
import BlueZScript
import BrokerOptions
import CoreBlueZ
import FoundationEssentials
import Gateway
import GatewayProtocol
import Glibc

/// `gatt-gateway`: offers this computer's Bluetooth until a signal ends it.
@main struct GatewayTool: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gatt-gateway",
        abstract: "Offers this computer's Bluetooth to other computers, over an MQTT 5 broker.",
        discussion: """
            A gateway publishes the advertisements that it receives, and connects to devices on request of fleets. It \
            lends each link to one fleet at a time. It runs until Ctrl-C or SIGTERM, which also ends its links.

            Examples:
              gatt-gateway --broker mqtt://broker.local --name kitchen
              gatt-gateway --broker mqtts://broker.local --username kitchen \\
                  --password-file kitchen.password --name kitchen

            \(ExitStatus.section(statuses, BrokerOptions.statuses, ending: ", after the links have ended"))

            Environment:
              DBUS_SYSTEM_BUS_ADDRESS   the message bus to use instead of the
                                        system's, such as that of gatt simulate
              RUNTIME_DIRECTORY         the folder for --state, as set by systemd
              XDG_RUNTIME_DIR           otherwise, the folder for --state is
                                        gatt-gateway in this folder
            """,
        version: CentralManager.version
    )

    private static let statuses: [ExitStatus: String] = [
        .cannotCreate: "another gateway has the name, or the file that records the links cannot be written"
    ]

    @OptionGroup(title: "Broker") var broker: BrokerOptions

    @OptionGroup(title: "Log") var log: LogOptions

    @Option(help: "The gateway's name: letters, digits, _ and -. The default is the host name.")
    var name: GatewayName?

    @Option(help: "The adapter to use: its name (hci0) or its address. The default is the first one that is on.")
    var adapter: String?

    @Option(
        help: ArgumentHelp(
            "Offers only this device. May be repeated. By default, all devices are offered.", valueName: "address"))
    var allow: [BluetoothAddress] = []

    @Option(help: "The largest number of links at a time, 1 to 64.")
    var slots = 10

    @Option(
        help: ArgumentHelp(
            "The interval at which an unchanged advertisement is published again: 0.01 to 86400 seconds.",
            valueName: "seconds")
    )
    var `repeat` = 10.0

    @Option(
        help: ArgumentHelp(
            "The shortest interval between two advertisements of a device: 0.01 to 86400 seconds.",
            valueName: "seconds"))
    var interval = 1.0

    @Option(
        help: ArgumentHelp(
            "The folder for the file that records the links, so that the next start ends those of a killed gateway.",
            valueName: "folder"))
    var state: String?

    func validate() throws {
        guard (1...64).contains(slots) else { throw ValidationError("Give --slots a number from 1 to 64") }
        guard (0.01...86400).contains(`repeat`), (0.01...86400).contains(interval) else {
            throw ValidationError("Give --repeat and --interval a number of seconds from 0.01 to 86400")
        }
    }

    static func main() async {
        Program.begin("gatt-gateway")
        await main(nil)
    }

    func run() async throws {
        let termination = Termination()
        log.begin()
        guard let name = name ?? GatewayName(Self.hostName) else {
            throw ValidationError(
                "The host name \"\(Self.hostName)\" has characters that are not permitted in a name; give --name")
        }
        let end: GatewayEnd
        do {
            let broker = try broker.makeBroker(name: name.description)
            let gateway = try await Gateway(configuration: configuration(name), broker: broker)
            let waiting = Task {
                await termination.wait()
                await gateway.end()
            }
            end = await BluetoothActor.run { await gateway.run() }
            waiting.cancel()
        } catch {
            throw ExitReport(error).exitCode
        }
        switch end {
        case .ended: termination.endBySignal()
        case .refused(let error): throw ExitReport(error).exitCode
        case .nameTaken, .stateFileUnusable: throw ExitReport(.cannotCreate, end.description).exitCode
        }
    }

    private func configuration(_ name: GatewayName) -> GatewayConfiguration {
        var configuration = GatewayConfiguration(
            name: name, stateFile: "\(state ?? Self.stateFolder)/leases-\(name).json")
        configuration.prefix = broker.prefix
        configuration.adapter = adapter
        configuration.slots = slots
        configuration.allowed = allow.isEmpty ? nil : Set(allow)
        configuration.repetition = .seconds(`repeat`)
        configuration.interval = .seconds(interval)
        return configuration
    }

    private static var hostName: String { String(ProcessInfo.processInfo.hostName.prefix { $0 != "." }) }

    /// The default folder for `--state`. It belongs to the user, so that no other user can create it first.
    private static var stateFolder: String {
        let environment = ProcessInfo.processInfo.environment
        if let folder = environment["RUNTIME_DIRECTORY"] { return folder }
        if let folder = environment["XDG_RUNTIME_DIR"] { return "\(folder)/gatt-gateway" }
        if geteuid() == 0 { return "/run/gatt-gateway" }
        return FileManager.default.homeDirectoryForCurrentUser.appending(path: ".local/state/gatt-gateway").path
    }
}

extension BluetoothAddress: ExpressibleByArgument {
    /// Parses an address: six pairs of hexadecimal digits, separated by colons or hyphens.
    public init?(argument: String) { self.init(argument) }
}
