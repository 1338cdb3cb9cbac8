import ArgumentParser
import BlueZScript
import BlueZSensorTag
import CoreBlueZ
import SensorTagProgram
import SystemPackage

/// `sensortag print`, the default: prints readings as they arrive.
struct PrintCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "print",
        abstract: "Prints readings as they arrive, one per line.",
        discussion: """
            You can leave out the word "print", unless the tag's name resembles a command.

            Examples:
              sensortag --simulate            uses a simulated tag
              sensortag --simulate=cc2650     uses one of the second generation
              sensortag                       uses the first SensorTag found
              sensortag BC:6A:29:AB:CD:EF --sensor all --period shortest
              sensortag print Kitchen Cellar  uses two tags at once
              sensortag --json --duration 60 > readings.jsonl

            \(ExitStatus.manual)
            """
    )

    @OptionGroup var device: DevicesOptions
    @OptionGroup var duration: DurationOptions
    @OptionGroup var sensors: SensorOptions
    @OptionGroup var periods: PeriodOptions

    @Flag(help: "Prints one JSON object per line.")
    var json = false

    func run() async throws {
        let chosen = SensorSelection(sensors.sensors, otherwise: [.temperature, .barometer])
        try await perform {
            let session = TagSession(device.tag)
            let format = json ? ReportFormat.json : device.devices.count > 1 ? .textOfSeveral : .text
            let writer = try ReportWriter(format) { session.outputFailed($0) }
            try await session.runWithTags(device.selected) { tags in
                try await session.print(tags, chosen, periods.periods, to: writer)
                session.stop(after: duration.duration)
                await session.stopper.wait()
            }
        }
    }
}

extension TagSession {
    /// Prints what the tags are, and lets them print the readings of sensors.
    func print(
        _ tags: [SensorTag], _ chosen: SensorSelection, _ periods: [PeriodChoice] = [], to writer: ReportWriter
    ) async throws {
        for tag in tags {
            let device = tag.deviceText
            let write = { @BluetoothActor (report: Report) in
                if !self.stopper.isStopped { writer.write(report, device: device) }
            }
            if tag.information.isDiscovered {
                let information = try await tag.information.readInformation()
                for failure in information.failures { Messages.error(failure.description) }
                write(Report(information))
            }
            try await turnOn(chosen, of: tag, periods: periods, report: write)
        }
    }

    /// Ends a session when its output cannot be written. A closed output is not an error.
    func outputFailed(_ error: any Error) {
        if let error = error as? Errno, error == .brokenPipe {
            stopper.stop(.outputClosed)
        } else {
            stopper.stop(.failed(CommandFailure(.inputOutput, "The output cannot be written: \(error)")))
        }
    }
}

/// The option `--duration`.
struct DurationOptions: ParsableArguments, Sendable {
    @Option(help: ArgumentHelp("Ends after this time.", valueName: "time"), transform: Duration.init(typed:))
    var duration: Duration?

    func validate() throws {
        guard duration != .zero else { throw ValidationError("Give --duration more than 0 seconds") }
    }
}

/// The option `--sensor`.
struct SensorOptions: ParsableArguments, Sendable {
    @Option(
        name: .customLong("sensor"),
        help: ArgumentHelp("Uses only this sensor, or all of them. May be repeated.", valueName: "sensor")
    )
    var sensors: [SensorChoice] = []
}

/// The option `--period`.
struct PeriodOptions: ParsableArguments, Sendable {
    @Option(
        name: .customLong("period"),
        help: ArgumentHelp(
            "The time between two readings, of all sensors or of one. May be repeated.",
            valueName: "[sensor=]milliseconds|shortest"))
    var periods: [PeriodChoice] = []
}
