import ArgumentParser
import CoreBlueZ

/// The demo: finds a SensorTag and prints what it measures.
@main struct SensorTagTool: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sensortag",
        abstract: "Finds a TI SensorTag and prints what it measures, live.",
        discussion: """
            Readings go to the standard output, a line each; everything else goes to the standard error.
            Ctrl-C switches the sensors off and disconnects; a second one ends at once.

            Examples:
              sensortag --simulate                    a simulated tag, no Bluetooth needed
              sensortag --simulate=cc2650             a simulated tag of the second generation
              sensortag                               the first SensorTag that is found
              sensortag --address BC:6A:29:AB:CD:EF --sensor all
              sensortag --json --duration 60 > readings.jsonl

            Exit status:
              0    the duration is over, Ctrl-C, or the reader of the output is gone
              64   the arguments are wrong
              66   no such SensorTag was found, or the device is none
              69   Bluetooth is not available: no bus, no bluetoothd, no adapter, no power
              74   the link was lost, the tag refused something, or the output cannot be written
              77   the message bus does not let this user talk to bluetoothd
              130  Ctrl-C was pressed twice
            """
    )

    @OptionGroup var tag: TagOptions
    @OptionGroup var reading: ReadingOptions

    mutating func run() async throws {
        let (tag, reading) = (tag, reading)
        do {
            try await BluetoothActor.run { try await ReadingSession(tag: tag, reading: reading).run() }
        } catch let failure as CommandFailure {
            Progress.error(failure.message)
            throw failure.status.exitCode
        }
    }
}
