import ArgumentParser

/// What to read, for how long, and how to print it.
struct ReadingOptions: ParsableArguments, Sendable {
    @Option(help: ArgumentHelp("End after this time of readings.", valueName: "seconds"))
    var duration: Double?

    @Flag(help: "Print one JSON object a line.")
    var json = false

    @Option(
        name: .customLong("sensor"),
        help: ArgumentHelp("Read this sensor; may be given several times.", valueName: "sensor")
    )
    var sensors: [SensorChoice] = [.temperature, .barometer]

    func validate() throws {
        guard let duration else { return }
        guard duration > 0, duration <= 1e9 else {
            throw ValidationError("--duration must be more than 0 and at most 1000000000 seconds.")
        }
    }
}

/// The sensors by the names that the command line and the JSON objects use.
enum SensorChoice: String, ExpressibleByArgument, CaseIterable, Sendable {
    case all
    case temperature
    case humidity
    case barometer
    case accelerometer
    case magnetometer
    case gyroscope
    case movement
    case optical
    case keys
    case battery
}
