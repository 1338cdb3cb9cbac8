import ArgumentParser
import CommandLineSupport
import CoreBlueZ
import SensorTag
import SensorTagProgram

/// Records readings in a file.
struct LogCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "log",
        abstract: "Record readings as CSV or JSON lines.",
        discussion: """
            Each reading is one line, written at once, with the time of its arrival in UTC with milliseconds. Lines are \
            added to a file that exists; a CSV header is written only if the file is empty. Without a file name, or for \
            "-", the lines go to the standard output.

            A CSV file has the columns of the tag's sensors, whichever of them are chosen, and numbers rounded to what a \
            sensor can resolve; JSON has all digits. A file with the columns of another tag is left as it is: status 73.

            A period is for all sensors, or for one: --period 500 --period barometer=1000. "shortest" is what the sensor can \
            do at most. The sensors take 100 to 2550 ms, the infrared thermometer 300 to 2550 ms; the period for all is \
            fitted to that. Old firmware has sensors with a fixed period.

            However it ends, the command says how many readings were written. A full disk is an error; a reader of the output \
            that is gone, such as head, is none.

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
        help: ArgumentHelp("Write comma-separated values with a header.", valueName: "file"), completion: .file())
    var csv: String?

    @Option(
        defaultAsFlag: "-", parsing: .next, help: ArgumentHelp("Write one JSON object per line.", valueName: "file"),
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
        try await perform { () async throws(CommandFailure) in
            let session = Session(device.tag)
            let writer = try ReportWriter(csv == nil ? .json : .csv([]), path: csv ?? jsonl ?? "-") {
                session.outputFailed($0)
            }
            do throws(CommandFailure) {
                try await session.runWithTags(device.selected) { tags in
                    let has = tags.flatMap { $0.sensors.filter(\.isDiscovered).map(\.name) }
                    if csv != nil { try writer.beginTable(CSV.columns(of: has)) }
                    let progress = LogProgress(writer, duration: duration.duration)
                    // Readings that arrive while the sensors are being switched off count too.
                    for tag in tags {
                        let device = tag.deviceText
                        try await session.turnOn(chosen, of: tag, periods: periods.periods) { report in
                            writer.write(report, device: device)
                        }
                    }
                    progress.start(until: session.stopper)
                    try await session.wait(duration.duration)
                }
            } catch {
                throw CommandFailure(error.status, "\(error.message)\n\(LogProgress.summary(of: writer))")
            }
            session.say(LogProgress.summary(of: writer))
        }
    }
}
