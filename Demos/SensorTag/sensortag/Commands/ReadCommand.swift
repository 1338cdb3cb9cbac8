import ArgumentParser
import BlueZPrintableText
import BlueZScript
import BlueZSensorTag
import CoreBlueZ
import SensorTagProgram

/// `sensortag read`: prints one reading of each sensor.
struct ReadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "read",
        abstract: "Prints one reading of each sensor.",
        discussion: """
            By default, the command reads all sensors of the tag except the keys, which report only when they are \
            pressed. To wait for the keys, give --sensor keys.

            Examples:
              sensortag read
              sensortag read BC:6A:29:AB:CD:EF --json
              sensortag read --sensor barometer --sensor humidity
              sensortag read --simulate=cc2650

            \(ExitStatus.manual)
            """
    )

    @OptionGroup var device: DeviceOptions
    @OptionGroup var sensors: SensorOptions
    @OptionGroup var periods: PeriodOptions

    @Flag(help: "Prints one JSON object per line.")
    var json = false

    @Option(
        help: ArgumentHelp("The timeout for the readings.", valueName: "time"), transform: Duration.init(typed:))
    var timeout = Duration.seconds(30)

    func run() async throws {
        let chosen = SensorSelection(sensors.sensors, otherwise: [.all])
        try await perform {
            let session = TagSession(device.selected)
            let writer = try ReportWriter(json ? .json : .text) { session.outputFailed($0) }
            try await session.runWithTag { tag in try await read(tag, chosen, session, writer) }
        }
    }

    @BluetoothActor private func read(
        _ tag: SensorTag,
        _ chosen: SensorSelection,
        _ session: TagSession,
        _ writer: ReportWriter
    ) async throws {
        let all = try chosen.sensors(of: tag, say: session.say)
        var missing = Set(all.map(\.name))
        if chosen.isAll { missing.remove(tag.keys.name) }
        let complete = Stopper()
        session.stopper.whenStopped { complete.stop(.finished) }
        let report = { @BluetoothActor (report: Report) in
            guard missing.remove(report.sensor) != nil else { return }
            writer.write(report, device: tag.deviceText)
            if missing.isEmpty { complete.stop(.finished) }
        }
        if missing.contains(tag.battery.name) { report(Report(try await tag.battery.readLevel())) }
        if !missing.isEmpty {
            let choices = missing.compactMap { SensorChoice(rawValue: $0) }
            try await session.turnOn(
                SensorSelection(choices, otherwise: []), of: tag, periods: periods.periods, report: report)
            let limit = Task {
                try await Task.sleep(for: timeout)
                complete.stop(.finished)
            }
            await complete.wait()
            limit.cancel()
        }
        guard missing.isEmpty || session.stopper.isStopped else {
            let names = missing.sorted().joined(separator: ", ")
            throw CommandFailure(.timedOut, "There was no reading within \(timeout.roundedText) of: \(names)")
        }
    }
}
