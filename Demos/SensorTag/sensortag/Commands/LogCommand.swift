import ArgumentParser
import BlueZScript
import BlueZSensorTag
import CoreBlueZ
import SensorTagProgram

/// `sensortag log`: records readings in a file.
struct LogCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "log",
        abstract: "Records readings as CSV or JSON lines.",
        discussion: """
            Each reading is one line with the time of its arrival: UTC, in milliseconds. The command writes the line \
            immediately and appends it to an existing file. It writes the CSV header only if the file is empty. \
            Without a file name, or for "-", the lines go to the standard output.

            A CSV file has the columns of all sensors of the tag, even if you choose some of them, and numbers rounded \
            to the resolution of the sensor. JSON has all digits. The command does not change a file that has the \
            columns of another tag: the status is then 73.

            A period applies to all sensors or to one: --period 500 --period barometer=1000. The range is 100 to 2550 \
            ms, and 300 to 2550 ms for the infrared thermometer; "shortest" is the minimum. A period for all sensors \
            is adjusted to the range of each. With old firmware, some sensors have a fixed period.

            At the end, the command prints how many readings it has written. A full disk is an error; a reader of the \
            output that has exited, as head does, is not. When the link is lost, the command reports it, reconnects, \
            and switches on the sensors again: a gap between the times of two lines is such a loss.

            Examples:
              sensortag log --csv readings.csv
              sensortag log BC:6A:29:AB:CD:EF --jsonl hour.jsonl --duration 3600
              sensortag log --jsonl --sensor humidity | head -10
              sensortag log Kitchen Cellar --csv both.csv
              sensortag log --simulate --csv --period 500 --duration 10

            \(ExitStatus.manual)
            """
    )

    @OptionGroup var device: DevicesOptions

    @Option(
        defaultAsFlag: "-", parsing: .next,
        help: ArgumentHelp("Writes comma-separated values with a header.", valueName: "file"), completion: .file())
    var csv: String?

    @Option(
        defaultAsFlag: "-", parsing: .next, help: ArgumentHelp("Writes one JSON object per line.", valueName: "file"),
        completion: .file())
    var jsonl: String?

    @OptionGroup var sensors: SensorOptions

    @OptionGroup var periods: PeriodOptions

    @OptionGroup var duration: DurationOptions

    func validate() throws {
        guard csv == nil || jsonl == nil else {
            throw ValidationError("Give either --csv or --jsonl: they write the same readings")
        }
        guard csv != nil || jsonl != nil else {
            throw ValidationError("Choose how to write: --csv [FILE] or --jsonl [FILE]")
        }
    }

    func run() async throws {
        let chosen = SensorSelection(sensors.sensors, otherwise: [.all])
        try await perform {
            let session = TagSession(device.tag)
            let writer = try ReportWriter(csv == nil ? .json : .csv([]), path: csv ?? jsonl ?? "-") {
                session.outputFailed($0)
            }
            do throws(CommandFailure) {
                try await session.runWithTags(device.selected) { tags in
                    let has = tags.flatMap { $0.sensors.filter(\.isDiscovered).map(\.name) }
                    if csv != nil { try writer.beginTable(CSV.columns(of: has)) }
                    let progress = LogProgress(writer, duration: duration.duration)
                    // Readings that arrive while the sensors are being switched off count too.
                    try await session.keepConnected(tags, chosen, periods.periods) {
                        LinesView(writer) { session.stopper.stop(.failed(CommandFailure($0))) }
                    } begin: {
                        progress.start(until: session.stopper)
                        session.stop(after: duration.duration)
                    }
                }
            } catch {
                throw CommandFailure(error.status, "\(error.message)\n\(LogProgress.summary(of: writer))")
            }
            session.say(LogProgress.summary(of: writer))
        }
    }
}
