import ArgumentParser
import BlueZScript
import CoreBlueZ
import FoundationEssentials

/// `gatt write`
struct WriteCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "write",
        abstract: "Writes a characteristic or a descriptor.",
        discussion: """
            VALUE is hexadecimal unless you give another --format. With a number format, it can be several numbers, \
            separated by commas. The bytes of @FILE or of - (the standard input) are written unchanged; with --format, \
            they are parsed as text. Put -- before a negative number.

            Examples:
              gatt write Lamp FFE9 ff8800
              gatt write Thermometer 2A06 2 --format u8
              gatt write Thermometer 1802/2A06 --format i16le -- -300
              gatt write Board FFE1 @block.bin --without-response
            """)

    @Argument(help: .device, completion: .device)
    var device: String

    @Argument(help: .attribute)
    var characteristic: String

    @Argument(help: ArgumentHelp("The value, @file, or - for the standard input.", valueName: "value"))
    var value: String

    @Option(
        name: .shortAndLong, help: ArgumentHelp("The format of VALUE: any of these except auto.", valueName: "format")
    )
    var format: ValueFormat?

    @Flag(help: "Writes without response: the device does not confirm that the value has arrived.")
    var withoutResponse = false

    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard format != .auto else {
            throw ValidationError("The format auto is only for reading; choose another --format")
        }
    }

    @BluetoothActor func run(in session: Session) async throws {
        let data = try bytes()
        let peripheral = try await session.services(device, connection)
        let use = withoutResponse ? AttributeUse.writingWithoutResponse : .writing
        let attribute = try await Attribute.find(characteristic, for: use, on: peripheral)
        try attribute.check(use)
        try await session.access("Writing \(characteristic)", peripheral) {
            try await attribute.write(data, withoutResponse: withoutResponse)
        }
        guard output.json else { return }
        var record = attribute.record("write")
        record.value = ValueFormat.hex(data)
        try session.output.record(record)
    }

    private func bytes() throws(CommandFailure) -> Data {
        guard value == "-" || value.hasPrefix("@") else { return try (format ?? .hex).encode(value) }
        let data = try Input.read(value == "-" ? value : String(value.dropFirst()))
        guard let format, format != .raw else { return data }
        guard let text = String(validating: data, as: UTF8.self) else {
            throw CommandFailure(
                .data, "\(value) is not text, so it cannot be \(format.name); write hexadecimal or raw bytes")
        }
        return try format.encode(text.hasSuffix("\n") ? String(text.dropLast()) : text)
    }
}
