import ArgumentParser
import BrokerOptions
import CommandLineSupport
import CoreBlueZ
import FoundationEssentials
import Gateway
import GatewayProtocol
import Glibc

/// The command: offers this computer's Bluetooth until it is asked to end.
@main struct GatewayTool: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gatt-gateway",
        abstract: "Offers this computer's Bluetooth to other computers, over an MQTT 5 broker.",
        discussion: """
            It publishes what it hears, and connects to devices for the fleets that ask. Each link is lent to one of them at \
            a time. It ends with Ctrl-C or SIGTERM; then its links end as well.

            Examples:
              gatt-gateway --broker mqtt://broker.local --name kitchen
              gatt-gateway --broker mqtts://broker.local --username kitchen \\
                  --password-file kitchen.password --name kitchen

            Exit status:
              0    ended by Ctrl-C, SIGTERM or SIGHUP
              64   wrong arguments
              69   the broker does not speak MQTT 5
              71   /proc is not mounted
              73   another gateway has the name, or the links cannot be noted
              77   the broker refuses the user
              78   a file of the options cannot be used

            Environment:
              DBUS_SYSTEM_BUS_ADDRESS   another message bus, such as that of
                                        gatt simulate
              RUNTIME_DIRECTORY         where links are noted, without --state;
                                        systemd sets it
              XDG_RUNTIME_DIR           they are noted in gatt-gateway in this
                                        folder, if there is no other
            """,
        version: CentralManager.version
    )

    @OptionGroup(title: "Broker") var broker: BrokerOptions

    @OptionGroup(title: "Log") var log: LogOptions

    @Option(help: "The gateway's name: letters, digits, _ and -. By default the computer's.")
    var name: GatewayName?

    @Option(help: "The Bluetooth adapter, such as hci0 or its address. By default the first that is on.")
    var adapter: String?

    @Option(
        help: ArgumentHelp(
            "Offer this device only. May be repeated; without it all devices are offered.", valueName: "address"))
    var allow: [BluetoothAddress] = []

    @Option(help: "How many links are lent at a time.")
    var slots = 10

    @Option(
        help: ArgumentHelp("How often what a device advertises is repeated if it stays the same.", valueName: "seconds")
    )
    var `repeat` = 10.0

    @Option(help: ArgumentHelp("How often what a device advertises is published at most.", valueName: "seconds"))
    var interval = 1.0

    @Option(
        help: ArgumentHelp(
            "A folder where links are noted, so that those of a gateway that was killed can be ended.",
            valueName: "folder"))
    var state: String?

    func validate() throws {
        guard (1...64).contains(slots) else { throw ValidationError("--slots must be between 1 and 64") }
        guard (0.01...86400).contains(`repeat`), (0.01...86400).contains(interval) else {
            throw ValidationError("--repeat and --interval must be between 0.01 and 86400 seconds")
        }
    }

    static func main() async {
        ProgramArguments.require("gatt-gateway")
        await main(nil)
    }

    func run() async throws {
        let termination = Termination()
        log.begin()
        guard let name = name ?? GatewayName(Self.hostName) else {
            throw ValidationError("\"\(Self.hostName)\", the computer's name, has other characters: use --name")
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
        case .ended: return
        case .refused(let error): throw ExitReport(error).exitCode
        case .nameTaken, .stateFileUnusable: throw ExitReport(73, end.description).exitCode
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

    private static var hostName: String {
        var bytes = [CChar](repeating: 0, count: 256)
        guard unsafe gethostname(&bytes, bytes.count - 1) == 0 else { return "" }
        let name = bytes.prefix { $0 != 0 && $0 != CChar(UInt8(ascii: ".")) }.map { UInt8(bitPattern: $0) }
        return String(decoding: name, as: UTF8.self)
    }

    /// A folder that belongs to the user, so that others cannot create it first.
    private static var stateFolder: String {
        let environment = ProcessInfo.processInfo.environment
        if let folder = environment["RUNTIME_DIRECTORY"] { return folder }
        if let folder = environment["XDG_RUNTIME_DIR"] { return "\(folder)/gatt-gateway" }
        if geteuid() == 0 { return "/run/gatt-gateway" }
        return FileManager.default.homeDirectoryForCurrentUser.appending(path: ".local/state/gatt-gateway").path
    }
}

extension BluetoothAddress: @retroactive ExpressibleByArgument {
    /// An address as an argument.
    public init?(argument: String) { self.init(argument) }
}
