import ArgumentParser
import BlueZPrintableText
import CoreBlueZ
import FoundationEssentials

/// Options for printing values.
struct ValueOutputOptions: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "How the value is printed. The default is auto (decoded for people) on a terminal, and hex elsewhere.",
            valueName: "format"))
    var format: ValueFormat?

    @OptionGroup var output: OutputOptions

    /// Prints one value.
    ///
    /// - Parameters:
    ///   - time: when it arrived.
    ///   - label: precedes the value if there are lines of several characteristics.
    @BluetoothActor func write(
        _ data: Data, of attribute: Attribute, _ event: String, at time: Date = Date(), label: String? = nil,
        _ session: Session
    ) throws {
        if output.json {
            var record = attribute.record(event)
            record.time = Record.text(time)
            record.value = ValueFormat.hex(data)
            if let format, format != .auto {
                record.decoded = try format.decode(data)
            } else {
                record.setMeaning(ReadableValue.known(data, attribute.uuid))
            }
            record.mtu = attribute.characteristic.mtu
            return try session.output.record(record)
        }
        let isTerminal = session.output.isTerminal
        let text: String
        switch format ?? (isTerminal ? .auto : .hex) {
        case .raw: return try session.output.bytes(data)
        case .auto: text = ReadableValue.text(data, attribute.uuid)
        case let format: text = try format.decode(data).text
        }
        let shown = isTerminal ? text.escapedForTerminal(keepingLineBreaks: true) : text
        try session.output.line((label.map { $0 + "\t" } ?? "") + shown)
    }
}
