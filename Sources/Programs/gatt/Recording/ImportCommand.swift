import ArgumentParser
import BlueZRecording
import BlueZScript
import CoreBlueZ
import SystemPackage

/// `gatt import`
struct ImportCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Makes a recording of a capture: btsnoop (Android, btmon), PacketLogger, pcap or pcapng.",
        discussion: """
            The recording contains the advertisements, links, services, values, errors and pairings of the capture, \
            and notes about what the capture doesn't contain. Documentation/Recordings.md describes it; gatt show \
            prints it. FILE can also be a recording, to keep one device of it or to redact it.

            --redact replaces addresses, names, serial numbers and keys, each with the same everywhere, also within \
            values. Other values can identify people too: see --hide-values.

            Examples:
              gatt import btsnoop_hci.log -o strap.jsonl
              gatt import trace.btsnoop --device BC:6A:29:AB:CD:EF | gatt show -
              gatt import strap.jsonl --redact -o public.jsonl
            """)

    static let connectsEarly = false
    static let endsSoonAfterSignal = true

    @Argument(
        help: ArgumentHelp("The capture, or - for the standard input.", valueName: "file"), completion: .file())
    var file: String

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Where to write the recording, to a new file. The default is the standard output."),
        completion: .file())
    var output: String?

    @Option(help: ArgumentHelp("Keeps only the device with this address.", valueName: "address"))
    var device: String?

    @Flag(help: "Replaces addresses, names, serial numbers and keys.")
    var redact = false

    @Flag(help: "With --redact: replaces all values with zeros, too.")
    var hideValues = false

    @Flag(help: "Prints the packets of the Attribute Protocol instead: number, handle, direction and bytes.")
    var packets = false

    func validate() throws {
        if hideValues, !redact { throw ValidationError("Use --hide-values with --redact") }
        if redact, file == "-" { throw ValidationError("Give --redact a file: it reads it several times") }
        if packets, redact || device != nil || output != nil {
            throw ValidationError("Use --packets without other options")
        }
        if let device, BluetoothAddress(typed: device) == nil {
            throw ValidationError("\"\(device)\" is not an address")
        }
    }

    @BluetoothActor func run(in session: Session) async throws {
        if packets { return try PacketList.write(file) }
        var input = try RecordingInput(file)
        var redaction = redact ? try redaction() : nil
        var filter = device.flatMap { BluetoothAddress(typed: $0) }.map { DeviceFilter($0) }
        let sink = try RecordingOutput(output)
        var writer = try RecordingWriter(redaction?.redacting(input.header) ?? input.header) { try sink.write($0) }
        do {
            while !Task.isCancelled, let event = try input.next() {
                guard filter?.keeps(event) ?? true else { continue }
                if redaction == nil {
                    try writer.append(event)
                } else if let event = redaction?.redacting(event) {
                    try writer.append(event)
                }
            }
        } catch {
            // What comes before the error is of use.
            try? sink.finish()
            throw error
        }
        try sink.finish()
    }

    /// Returns the redaction of the file's secrets.
    private func redaction() throws -> Redaction {
        var secrets = Secrets()
        for _ in 0..<2 {
            var input = try RecordingInput(file)
            var filter = device.flatMap { BluetoothAddress(typed: $0) }.map { DeviceFilter($0) }
            do {
                while !Task.isCancelled, let event = try input.next() {
                    if filter?.keeps(event) ?? true { try secrets.add(event) }
                }
            } catch let error as CommandFailure where error.status == .data {
                // What comes before the error is imported, which then reports it.
            } catch is Secrets.TooMany {
                throw CommandFailure(
                    .data, "\(file) has too many addresses and names to redact; keep one device: --device ADDRESS")
            }
        }
        return Redaction(secrets, hidesValues: hideValues)
    }
}
