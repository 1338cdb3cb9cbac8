import ArgumentParser
import CoreBlueZ
import FoundationEssentials
import PrintableText

/// How values are printed.
struct ValueOutputOptions: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "How to print the value; by default hex and, on a terminal, what it means.", valueName: "format"))
    var format: ValueFormat?

    @OptionGroup var output: OutputOptions

    @BluetoothActor func write(
        _ data: Data, of attribute: Attribute, _ event: String, _ session: Session
    ) throws {
        if output.json {
            var record = attribute.record(event)
            record.value = ValueFormat.hex(data)
            record.decoded =
                if let format { try format.decode(data) } else { ReadableValue.known(data, attribute.uuid) }
            record.mtu = attribute.mtu
            return try session.output.record(record)
        }
        switch format {
        case .raw: try session.output.bytes(data)
        case let format?:
            let text = try format.decode(data).text
            try session.output.line(
                session.output.isTerminal ? text.escapedForTerminal(keepingLineBreaks: true) : text)
        case nil:
            try session.output.line(
                session.output.isTerminal
                    ? ReadableValue.text(data, attribute.uuid) : ValueFormat.hex(data))
        }
    }
}
