import ArgumentParser
import BlueZSimulator
import CommandLineSupport
import CoreBlueZ
import PeripheralServer
import SensorTagProgram
import SimulatedSensorTag

/// `sensortag serve`: lets this computer be a SensorTag.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Lets this computer be a SensorTag, for any central in range.",
        discussion: """
            The tag has the services, configuration, periods, calibration and keys of the real one, and measures a \
            simulated environment. A sensor notifies in its period, while it is switched on and a central has \
            subscribed. When the last central disconnects, the sensors are switched off.

            The computer advertises the name of the tag. The name that a central reads after it has connected is that \
            of the adapter; bluetoothctl system-alias changes it.

            Examples:
              sensortag serve
              sensortag serve --model cc2650 --adapter hci1

            \(ExitStatus.manual)
            """
    )

    @Option(help: "The model: cc2541, cc2541-1.3 (with firmware 1.3) or cc2650.")
    var model = SensorTagModel.cc2541

    @Option(
        help: ArgumentHelp(
            "The adapter to use: its name (hci0) or its address. The default is the first one that is on.",
            valueName: "adapter"))
    var adapter: String?

    @Flag(help: "Prints every message between the command and bluetoothd on the standard error.")
    var trace = false

    func run() async throws {
        try await perform { () async throws(CommandFailure) in
            let stopper = Stopper()
            SignalWatch.shared.start { Task { @BluetoothActor in stopper.stop(.interrupted) } }
            let manager = PeripheralManager(adapter: adapter)
            do {
                try await serve(manager, until: stopper)
            } catch {
                guard stopper.isStopped else { throw CommandFailure(any: error) }
            }
        }
    }

    @BluetoothActor private func serve(_ manager: PeripheralManager, until stopper: Stopper) async throws {
        let beginning = Task { @BluetoothActor in
            try await manager.waitUntilPoweredOn()
            let specification = model.specification(address: manager.centralManager.adapter?.address?.description)
            let tag = await SimulatorActor.run { [model] in
                SimulatedSensorTag(model, as: SimulatedPeripheral(specification))
            }
            let served = await ServedPeripheral(tag.peripheral, by: manager)
            served.eventHandler = Self.report
            try await served.publish(noting: Progress.say)
            try await manager.startAdvertising(LocalAdvertisement(specification.advertisement))
            let identifier = manager.centralManager.adapter?.identifier ?? "the adapter"
            Progress.say("This computer is a SensorTag (\(model.rawValue)) on \(identifier); Ctrl-C ends it")
            return (tag, served)
        }
        stopper.whenStopped { beginning.cancel() }
        let (tag, served) = try await beginning.value
        await stopper.wait()
        await served.unpublish(noting: Progress.say)
        withExtendedLifetime(tag) {}
    }

    @BluetoothActor private static func report(_ event: ServedEvent) {
        switch event {
        case .connected(let central): Progress.say("\(text(central)) has connected")
        case .disconnected(let central): Progress.say("\(text(central)) has disconnected")
        case .suspended: Progress.say("bluetoothd or the adapter is gone; waiting for it")
        case .resumed: Progress.say("bluetoothd and the adapter are back")
        case .failed(let error): Progress.error(error.description)
        case .read, .written, .subscribed, .unsubscribed: break
        }
    }

    @BluetoothActor private static func text(_ central: Central) -> String {
        central.address?.description ?? "A central"
    }
}

extension SensorTagModel: ExpressibleByArgument {}
