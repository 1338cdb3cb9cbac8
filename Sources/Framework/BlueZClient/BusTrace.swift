import BlueZDBus
import BlueZPrintableText

/// The messages between the program and the bus, one line each, for the log level `trace`.
///
///     > 7 /org/bluez/hci0 org.bluez.Adapter1.StartDiscovery()
///     < 7 ()
///     < /org/bluez/hci0/dev_C0_DE_00_00_00_01 org.freedesktop.DBus.Properties.PropertiesChanged("org.bluez.Device1" ...)
///
/// A call and its reply have the same number. The arguments of the pairing agent's messages are omitted, because they
/// include keys.
enum BusTrace {
    private static let longest = 300
    private static let agent = BlueZ.agent

    static func line(_ traffic: Connection.Traffic) -> String {
        switch traffic {
        case .sent(let message, let serial): "> \(sent(message, serial))"
        case .received(let message): "< \(received(message))"
        case .noReply(let serial, let error): "! \(serial) \(text(of: error))"
        }
    }

    private static func sent(_ message: Message, _ serial: UInt32) -> String {
        switch message.kind {
        case .methodReturn: "reply to \(message.replySerial)"
        case .error: "reply to \(message.replySerial): \(message.error.map(text) ?? "")"
        case .methodCall: "\(serial) \(title(message))\(arguments(message))"
        case .signal, .unknown: "\(title(message))\(arguments(message))"
        }
    }

    private static func received(_ message: Message) -> String {
        switch message.kind {
        case .methodReturn: "\(message.replySerial) \(arguments(message))"
        case .error: "\(message.replySerial) \(message.error.map(text) ?? "")"
        case .methodCall: "call \(message.serial) \(title(message))\(arguments(message))"
        case .signal, .unknown: "\(title(message))\(arguments(message))"
        }
    }

    private static func title(_ message: Message) -> String {
        "\(message.path?.string ?? "") \(message.interface.map { "\($0)." } ?? "")\(message.member ?? "")"
    }

    private static func text(of error: DBusError) -> String {
        "\(error.name): \(error.message)".escapedForTerminal()
    }

    private static func arguments(_ message: Message) -> String {
        if message.interface == agent { return "(not shown)" }
        // bluetoothd may have tens of thousands of objects.
        if message.signature == "a{oa{sa{sv}}}" { return "(all objects)" }
        var reader = message.reader
        guard let values = try? reader.readRemainingValues() else { return "(unreadable)" }
        let text = values.map(short).joined(separator: " ")
        return "(" + (text.count > longest ? text.prefix(longest) + "..." : text).escapedForTerminal() + ")"
    }

    private static func short(_ value: Value) -> String {
        switch value {
        case .byte(let number): "\(number)"
        case .boolean(let value): "\(value)"
        case .int16(let number): "\(number)"
        case .uint16(let number): "\(number)"
        case .int32(let number): "\(number)"
        case .uint32(let number): "\(number)"
        case .int64(let number): "\(number)"
        case .uint64(let number): "\(number)"
        case .double(let number): "\(number)"
        case .string(let text), .signature(let text): "\"\(text)\""
        case .objectPath(let path): path.string
        case .fileDescriptor: "a descriptor"
        case .bytes(let bytes): "<\(String(hexadecimal: bytes))>"
        case .array(_, let values): "[" + values.map(short).joined(separator: ", ") + "]"
        case .structure(let values): "(" + values.map(short).joined(separator: ", ") + ")"
        case .variant(let value): short(value)
        case .dictionary(_, _, let entries):
            "{" + entries.map { "\(short($0.key)): \(short($0.value))" }.sorted().joined(separator: ", ") + "}"
        }
    }
}
