import ArgumentParser
import BlueZPrintableText
import BlueZRecording
import BlueZScript
import CoreBlueZ

/// `gatt show`
struct ShowCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Shows a recording or a capture: what happened, and a summary of each device.",
        discussion: """
            FILE is a recording of gatt record or gatt import, or a capture. Advertisements are shown if they differ \
            from the device's last one; the summary counts all.

            Examples:
              gatt show strap.jsonl
              gatt show btsnoop_hci.log --device BC:6A:29:AB:CD:EF
              gatt show strap.jsonl --html > strap.html
            """)

    static let connectsEarly = false
    static let endsSoonAfterSignal = true

    @Argument(
        help: ArgumentHelp("The recording or the capture, or - for the standard input.", valueName: "file"),
        completion: .file())
    var file: String

    @Option(help: ArgumentHelp("Shows only the device with this address.", valueName: "address"))
    var device: String?

    @Flag(help: "Shows only the summary.")
    var summary = false

    @Flag(help: "Prints a page for a web browser. It needs no other files.")
    var html = false

    func validate() throws {
        if let device, BluetoothAddress(typed: device) == nil {
            throw ValidationError("\"\(device)\" is not an address")
        }
    }

    @BluetoothActor func run(in session: Session) async throws {
        var input = try RecordingInput(file)
        var filter = device.flatMap { BluetoothAddress(typed: $0) }.map { DeviceFilter($0) }
        let output = try RecordingOutput(nil)
        var timeline = RecordingTimeline()
        var page = RecordingPage(title: file)
        if html { try output.write(page.start(input.header).utf8) }
        func write(_ rows: [RecordingTimeline.Row]) throws {
            guard !summary else { return }
            for row in rows {
                try output.write((html ? page.row(row) : row.line.escapedForTerminal() + "\n").utf8)
            }
        }
        var failure: CommandFailure?
        do {
            while let event = try input.next() {
                if filter?.keeps(event) ?? true { try write(timeline.rows(for: event)) }
                if Task.isCancelled { return }
            }
        } catch let error as CommandFailure where error.status == .data {
            // What comes before the error is of use.
            failure = error
        }
        try write(timeline.finish())
        let result = timeline.summary
        if html {
            try output.write(page.end(result).utf8)
        } else {
            let heading = summary ? "" : "\n"
            try output.write((heading + result.text(input.header)).utf8)
        }
        try output.finish()
        if let failure { throw failure }
    }
}
