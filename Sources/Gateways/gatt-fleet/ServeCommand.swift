import ArgumentParser
import BlueZScript
import BrokerOptions
import Fleet
import GatewayProtocol
import SystemPackage

/// `gatt-fleet serve`: serves BlueZ on a private bus until a signal ends it.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Offers the Bluetooth of many gateways as if it were that of this computer.",
        discussion: """
            The command prints the environment variable with which other programs use the gateways, as soon as one is \
            online, or after 3 s. Then it runs until Ctrl-C or SIGTERM. While no gateway is online, the adapter is off.

            Examples:
              gatt-fleet serve --broker mqtt://broker.local
              gatt-fleet serve --broker mqtts://broker.local --username fleet \\
                  --password-file fleet.password --adapters each

            \(ExitStatus.section(statuses, BrokerOptions.statuses, ending: ""))

            Environment:
              XDG_RUNTIME_DIR           the folder of the private bus; the default
                                        is the folder for temporary files
            """)

    private static let statuses: [ExitStatus: String] = [
        .unavailable: "the bus cannot be started (install dbus-daemon), or the broker does not support MQTT 5"
    ]

    /// The adapters on the bus.
    enum Adapters: String, ExpressibleByArgument, CaseIterable {
        case one
        case each
    }

    @OptionGroup(title: "Broker") var broker: BrokerOptions

    @OptionGroup(title: "Log") var log: LogOptions

    @Option(help: "The fleet's name at the broker: letters, digits, _ and -. The default is \"fleet\".")
    var name: GatewayName?

    @Option(
        help: "One adapter, which uses the best gateway for each device; or each gateway as an adapter.")
    var adapters = Adapters.one

    @Option(
        help: ArgumentHelp(
            "How long a gateway keeps a link without hearing from this fleet: 1 to 600 seconds.", valueName: "seconds"))
    var lease = 15.0

    @Flag(help: "Adds what bluetoothd offers only with --experimental.")
    var experimental = false

    func validate() throws {
        guard (1.0...600).contains(lease) else {
            throw ValidationError("Give --lease a number of seconds from 1 to 600")
        }
    }

    func run() async throws {
        let termination = Termination()
        log.begin()
        guard let name = name ?? GatewayName("fleet") else { return }
        var configuration = FleetConfiguration(name: name)
        configuration.prefix = broker.prefix
        configuration.adapters = adapters == .one ? .one : .each
        configuration.lease = .seconds(lease)
        configuration.isExperimental = experimental
        let end: FleetEnd
        do {
            end = try await serve(configuration, broker.makeBroker(name: name.description), termination)
        } catch let error as BrokerError {
            throw ExitReport(error).exitCode
        } catch {
            throw ExitReport(.unavailable, "\(error)").exitCode
        }
        if case .refused(let error) = end { throw ExitReport(error).exitCode }
        termination.endBySignal()
    }

    private func serve(
        _ configuration: FleetConfiguration, _ broker: any Broker, _ termination: Termination
    ) async throws -> FleetEnd {
        let fleet = try await Fleet(configuration: configuration, broker: broker)
        let waiting = Task {
            await termination.wait()
            await fleet.end()
        }
        defer { waiting.cancel() }
        async let end = fleet.run()
        await fleet.waitForGateway(timeout: .seconds(3))
        do {
            try FileDescriptor.standardOutput.writeAll("DBUS_SYSTEM_BUS_ADDRESS=\(fleet.address)\n".utf8)
        } catch {
            await fleet.end()
            throw error
        }
        return await end
    }
}
