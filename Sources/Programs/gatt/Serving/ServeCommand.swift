import ArgumentParser
import BlueZPrintableText
import BlueZScript
import BlueZSimulator
import CoreBlueZ
import PeripheralServer

/// `gatt serve`
struct ServeCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Offers the services that a JSON file describes, so that this computer is that device.",
        discussion: """
            The file is one for gatt simulate, or the output of gatt inspect --json. Values, notifications, responses, \
            errors and serial ports work as described there, for centrals in range. Each event is one line: the time, \
            the event, the central, the characteristic, and the value in hexadecimal, separated by tabs. The events \
            are connected, disconnected, read, write, subscribed, unsubscribed, and suspended, resumed and failed if \
            bluetoothd or the adapter is gone and comes back. The command runs until Ctrl-C (status 130) or SIGTERM \
            (status 143).

            The computer advertises what the file says, or its name and the first services that fit. BlueZ chooses \
            the handles, and offers Generic Access (1800) and Generic Attribute (1801) itself. The name that a \
            central reads there is that of the adapter.

            Examples:
              gatt serve strap.json
              gatt inspect Thermometer --json > copy.jsonl && gatt serve copy.jsonl
              gatt serve strap.json --name "Strap 2" --json | jq -r .event
            """)

    @Argument(
        help: ArgumentHelp("The description, or - for the standard input.", valueName: "file"),
        completion: .file(extensions: ["json", "jsonl"]))
    var file: String

    @Option(
        help: ArgumentHelp("The advertised name, at most 29 bytes; by default, that of the file.", valueName: "name"))
    var name: String?

    @Flag(
        inversion: .prefixedNo,
        help: "Advertises the services. Without that, only devices that know the address connect.")
    var advertising = true

    @OptionGroup var adapter: AdapterOptions
    @OptionGroup var output: OutputOptions

    var isStreaming: Bool { true }

    @BluetoothActor func run(in session: Session) async throws {
        let description = try ServedDescription(try SimulationFile.read(file))
        for note in description.notes { Progress.report(note) }
        let manager = PeripheralManager(try await session.central(adapter))
        let (peripheral, behaviour) = try await description.peripheral()
        let served = await ServedPeripheral(peripheral, by: manager)
        let (events, continuation) = AsyncStream.makeStream(of: ServedEvent.self)
        served.eventHandler = { continuation.yield($0) }
        do {
            try await offer(served, description)
            for await event in events { try write(event, session) }
            try Task.checkCancellation()
        } catch {
            await served.unpublish(noting: Progress.report)
            throw error
        }
        withExtendedLifetime(behaviour) {}
    }

    @BluetoothActor private func offer(_ served: ServedPeripheral, _ description: ServedDescription) async throws {
        do throws(BluetoothError) {
            try await served.publish(noting: Progress.report)
        } catch {
            throw description.failure(error)
        }
        var text = ""
        if advertising {
            let advertisement = description.advertisement(name: name)
            do throws(BluetoothError) {
                try await served.manager.startAdvertising(advertisement)
            } catch {
                throw description.failure(error, of: advertisement)
            }
            text = advertisement.localName.map { ", advertised as \"\($0)\"" } ?? ", advertised without a name"
        }
        let adapter = served.manager.centralManager.adapter
        let count = served.services.count
        Progress.report(
            """
            Offering \(count) service\(count == 1 ? "" : "s") on \(adapter?.identifier ?? "the adapter")\(text); \
            Ctrl-C ends it
            """)
    }

    @BluetoothActor private func write(_ event: ServedEvent, _ session: Session) throws {
        let record = Record(event)
        if output.json { return try session.output.record(record) }
        try session.output.line(record.servedLine)
    }
}
