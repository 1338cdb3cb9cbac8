import ArgumentParser
import BlueZScript
import BlueZSensorTag
import BlueZSimulatedSensorTag
import BlueZSimulator
import CoreBlueZ
import PeripheralServer
import SensorTagProgram

/// `sensortag serve`: makes this computer a SensorTag.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Makes this computer a SensorTag, for any central in range.",
        discussion: """
            The tag has the services, configuration, periods, calibration and keys of the real one, and measures a \
            simulated environment. A sensor notifies in its period, while it is switched on and a central has \
            subscribed. When the last central disconnects, the sensors are switched off.

            The computer advertises the name of the tag. The name that a central reads after it has connected is that \
            of the adapter; bluetoothctl system-alias changes it.

            With --simulate, the command needs no Bluetooth: it starts a simulator with two adapters, of which the \
            first is the tag, and the second reads it. The command prints the readings that arrive there, as \
            sensortag print does.

            Examples:
              sensortag serve
              sensortag serve --model cc2650 --adapter hci1
              sensortag serve --simulate=cc2650

            \(ExitStatus.manualOfServing)
            """
    )

    @Option(help: "The model: cc2541, cc2541-1.3 (with firmware 1.3) or cc2650. (default: cc2541)")
    var model: SensorTagModel?

    @Option(
        name: .customLong("simulate"), defaultAsFlag: SimulatedModels(.cc2541), parsing: .next,
        help: ArgumentHelp(
            "Serves the tag on a simulated adapter, and reads it on another; needs no Bluetooth.", valueName: "model"))
    var simulated: SimulatedModels?

    @Option(
        help: ArgumentHelp(
            "The adapter to use: its name (hci0) or its address. The default is the first one that is on.",
            valueName: "adapter"))
    var adapter: String?

    @Flag(help: "Prints every message between the command and bluetoothd on the standard error.")
    var trace = false

    func validate() throws {
        guard let simulated else { return }
        try simulated.validate()
        guard simulated.models.count == 1 else { throw ValidationError("Give --simulate one model: it is one tag") }
        guard adapter == nil else {
            throw ValidationError("Omit --adapter: with --simulate, the adapters are simulated")
        }
    }

    /// The model to serve.
    var chosenModel: SensorTagModel { model ?? simulated?.models.first ?? .cc2541 }

    func run() async throws {
        try await perform {
            guard simulated == nil else { return try await simulate() }
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

    /// Serves the tag on the first adapter of a simulator, and prints what the second one reads.
    @BluetoothActor private func simulate() async throws(CommandFailure) {
        let reader = TagOptions.reader
        let session = TagSession(reader)
        let writer = try ReportWriter(.text) { session.outputFailed($0) }
        let bus = try await SimulatedBus.startTwoAdapters()
        let address = await bus.address
        let manager = PeripheralManager(bus: .address(address), adapter: "hci0")
        // The tag stays until its reader has switched it off.
        let end = Stopper()
        let serving = Task { @BluetoothActor in
            do {
                try await serve(manager, until: end)
            } catch {
                if !end.isStopped { session.stopper.stop(.failed(CommandFailure(any: error))) }
            }
        }
        var failure: CommandFailure?
        do throws(CommandFailure) {
            let chosen = SensorSelection([], otherwise: [.temperature, .barometer])
            try await session.runWithTags([reader], on: address) { tags in
                try await session.print(tags, chosen, to: writer)
                await session.stopper.wait()
            }
        } catch {
            failure = error
        }
        end.stop(.finished)
        await serving.value
        await bus.stop()
        if let failure { throw failure }
    }

    @BluetoothActor private func serve(_ manager: PeripheralManager, until stopper: Stopper) async throws {
        let beginning = Task { @BluetoothActor in
            try await manager.waitUntilPoweredOn()
            let specification = chosenModel.specification(address: manager.centralManager.adapter?.address?.description)
            let tag = await SimulatorActor.run { [chosenModel] in
                SimulatedSensorTag(chosenModel, as: SimulatedPeripheral(specification))
            }
            let served = await ServedPeripheral(tag.peripheral, by: manager)
            served.eventHandler = Self.report
            try await served.publish(noting: Messages.say)
            try await manager.startAdvertising(LocalAdvertisement(specification))
            let identifier = manager.centralManager.adapter?.identifier ?? "the adapter"
            Messages.say("This computer is a SensorTag (\(chosenModel.rawValue)) on \(identifier); Ctrl-C ends it")
            return (tag, served)
        }
        stopper.whenStopped { beginning.cancel() }
        let (tag, served) = try await beginning.value
        await stopper.wait()
        await served.unpublish(noting: Messages.say)
        withExtendedLifetime(tag) {}
    }

    @BluetoothActor private static func report(_ event: ServedEvent) {
        switch event {
        case .connected(let central): Messages.say("\(text(central)) has connected")
        case .disconnected(let central): Messages.say("\(text(central)) has disconnected")
        case .suspended: Messages.say("bluetoothd or the adapter is gone; waiting for it")
        case .resumed: Messages.say("bluetoothd and the adapter are back")
        case .failed(let error): Messages.error(error.description)
        case .read, .written, .subscribed, .unsubscribed: break
        }
    }

    @BluetoothActor private static func text(_ central: Central) -> String {
        central.address?.description ?? "A central"
    }
}

extension SensorTagModel: @retroactive ExpressibleByArgument {}
