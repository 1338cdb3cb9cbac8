import ArgumentParser
import BlueZScript
import BlueZSensorTag
import BlueZSimulatedSensorTag
import CoreBlueZ
import FoundationEssentials
import SensorTagProgram

/// `sensortag scan`: lists the tags in range.
struct ScanCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scan",
        abstract: "Lists the SensorTags in range.",
        discussion: """
            On a terminal, the command updates a list in place. Otherwise it prints a line when it finds a tag, and \
            when a tag advertises something new. A CC2541 advertises only its name: to find one that was renamed, use \
            --all. With --simulate, there is also a tag of the other generation.

            Examples:
              sensortag scan
              sensortag scan --duration 10 --json
              sensortag scan --all
              sensortag scan --simulate

            \(ExitStatus.manual)
            """
    )

    @OptionGroup var tag: TagOptions
    @OptionGroup var duration: DurationOptions

    @Flag(help: "Lists all Bluetooth LE devices.")
    var all = false

    @Flag(help: "Prints a line for every advertisement, with its signal strength.")
    var repeats = false

    @Flag(help: "Prints one JSON object per line.")
    var json = false

    private var isScreen: Bool { !json && TerminalScreen.isAvailable }

    func run() async throws {
        if isScreen { try TerminalScreen.silenceLog(isTraced: tag.trace) }
        let models = tag.simulatedModels.map { models in
            models.count == 1 ? models + [models == [.cc2650] ? .cc2541 : .cc2650] : models
        }
        try await perform {
            let session = TagSession(tag)
            try await session.run(simulating: models) { bus in
                await session.interruptibly { try await scan(session, bus) }
                session.stopper.stop(.finished)
            }
        }
    }

    @BluetoothActor private func scan(_ session: TagSession, _ bus: String?) async throws {
        let central = ScanManager(bus: bus.map { .address($0) } ?? .system, adapter: tag.adapter)
        central.isOpen = all
        central.knownAddresses = Set([tag.address].compactMap { $0 })
        central.knownPeripheralNames = Set([tag.name].compactMap { $0 })
        try await central.waitUntilUsable()
        let options = ScanOptions(
            allowDuplicates: isScreen || repeats, duration: duration.duration)
        if isScreen {
            try await showList(session, central, options)
        } else {
            let writer = try ReportWriter(json ? .json : .found) { session.outputFailed($0) }
            try await central.scanForPeripherals(options: options) { tag, _, rssi in
                writer.write(Report(ScanEntry(tag, rssi)), device: tag.address?.description ?? tag.displayName)
            }
        }
    }

    @BluetoothActor private func showList(
        _ session: TagSession,
        _ central: ScanManager,
        _ options: ScanOptions
    ) async throws {
        var table = ScanEntry.table
        Messages.hold()
        defer { Messages.release() }
        let screen = try TerminalScreen(
            { table.lines(now: Uptime.now, size: $0) }, failed: { session.outputFailed($0) })
        defer { screen.close() }
        screen.keyHandler = { key in
            if key == "q" || key == "Q" { session.stopper.stop(.finished) }
        }
        try await central.scanForPeripherals(options: options) { tag, _, rssi in
            let entry = ScanEntry(tag, rssi)
            table.add(entry.texts, rssi: rssi, of: entry.address, at: Uptime.now)
        }
    }
}

/// A manager that can also report other devices.
private final class ScanManager: SensorTagManager {
    var isOpen = false

    override func isKnownPeripheral(_ device: DiscoveredDevice) -> Bool {
        let isChosen = !knownAddresses.isEmpty || !knownPeripheralNames.isEmpty
        return isOpen && !isChosen || super.isKnownPeripheral(device)
    }
}
