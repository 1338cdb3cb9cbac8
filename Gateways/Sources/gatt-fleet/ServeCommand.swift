import ArgumentParser
import BrokerOptions
import Fleet
import GatewayProtocol
import SystemPackage

/// `gatt-fleet serve`: serves BlueZ on a private bus until it is asked to end.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Offers the Bluetooth of many gateways as if it were that of this computer.",
        discussion: """
            Prints the setting that lets other programs use it, as soon as a gateway is online, but after 3 seconds at \
            most, and goes on until Ctrl-C or SIGTERM. Without any gateway the adapter is off.

            Exit status:
              0    ended by Ctrl-C, SIGTERM or SIGHUP
              64   wrong arguments
              69   no bus can be started (is dbus-daemon installed?), or the broker
                   does not speak MQTT 5
              71   /proc is not mounted
              77   the broker refuses the user
              78   a file of the options cannot be used

            Environment:
              XDG_RUNTIME_DIR           the folder of the private bus; without it
                                        the folder for temporary files
            """)

    /// The adapters on the bus.
    enum Adapters: String, ExpressibleByArgument, CaseIterable {
        case one
        case each
    }

    @OptionGroup(title: "Broker") var broker: BrokerOptions

    @OptionGroup(title: "Log") var log: LogOptions

    @Option(help: "The fleet's name at the broker: letters, digits, _ and -. By default \"fleet\".")
    var name: GatewayName?

    @Option(
        help: "One adapter for all gateways, which takes the best one for each device; or an adapter for each gateway.")
    var adapters = Adapters.one

    @Option(
        help: ArgumentHelp(
            "How long a gateway keeps a link without hearing from this fleet, 1 to 600.", valueName: "seconds"))
    var lease = 15.0

    @Flag(help: "Offer what bluetoothd offers only with --experimental.")
    var experimental = false

    func validate() throws {
        guard (1.0...600).contains(lease) else { throw ValidationError("--lease must be between 1 and 600 seconds") }
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
            throw ExitReport(69, "\(error)").exitCode
        }
        if case .refused(let error) = end { throw ExitReport(error).exitCode }
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
