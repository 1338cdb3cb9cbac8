import BlueZDBus

/// The bytes of messages: those that the bus writes itself, and those that it passes on (D-Bus specification, "Message
/// Format"). All are in little-endian order, as libdbus writes them here.
struct BusMessage {
    /// An argument of a message.
    enum Argument {
        case text(String)
        case number(UInt32)
        case texts([String])
        /// One entry of a dictionary of variants.
        case property(String, UInt32)

        var signature: String {
            switch self {
            case .text: "s"
            case .number: "u"
            case .texts: "as"
            case .property: "a{sv}"
            }
        }
    }

    static let bus = "org.freedesktop.DBus"

    private var bytes: [UInt8] = []

    /// Returns a reply to a call of the bus.
    static func reply(to call: Message, _ arguments: [Argument], serial: UInt32, receiver: String) -> [UInt8] {
        message(2, arguments, serial: serial) { header in
            header.addField(5, number: call.serial)
            header.addField(6, receiver)
        }
    }

    /// Returns an error as the reply to a call.
    static func error(
        _ name: String, _ text: String, to replySerial: UInt32, serial: UInt32, receiver: String
    ) -> [UInt8] {
        message(3, [.text(text)], serial: serial) { header in
            header.addField(4, bus + ".Error." + name)
            header.addField(5, number: replySerial)
            header.addField(6, receiver)
        }
    }

    /// Returns a signal of the bus.
    static func signal(_ member: String, _ arguments: [Argument], serial: UInt32, receiver: String?) -> [UInt8] {
        message(4, arguments, serial: serial) { header in
            header.addField(1, "/org/freedesktop/DBus", signature: "o")
            header.addField(2, bus)
            header.addField(3, member)
            if let receiver { header.addField(6, receiver) }
        }
    }

    /// Returns a message with the name of its sender, which only the bus writes.
    static func adding(sender: String, to message: ArraySlice<UInt8>) -> [UInt8] {
        let start = message.startIndex
        let length = message[(start + 12)..<(start + 16)].reversed().reduce(0) { $0 << 8 | Int($1) }
        let fields = message[start..<(start + 16 + length)]
        var header = BusMessage()
        header.bytes = Array(fields)
        header.addField(7, sender)
        header.endFields()
        return header.bytes + message[(start + (16 + length + 7) / 8 * 8)...]
    }

    private static func message(
        _ kind: UInt8, _ arguments: [Argument], serial: UInt32, _ addFields: (inout BusMessage) -> Void
    ) -> [UInt8] {
        var body = BusMessage()
        for argument in arguments { body.add(argument) }
        var header = BusMessage()
        header.bytes = [UInt8(ascii: "l"), kind, 1, 1]
        header.add(UInt32(body.bytes.count))
        header.add(serial)
        header.add(UInt32(0))
        addFields(&header)
        header.addField(7, bus)
        if !arguments.isEmpty { header.addField(8, signature: arguments.map(\.signature).joined()) }
        header.endFields()
        return header.bytes + body.bytes
    }

    private mutating func endFields() {
        let length = UInt32(bytes.count - 16)
        for index in 0..<4 { bytes[12 + index] = UInt8(truncatingIfNeeded: length >> (8 * index)) }
        align(8)
    }

    private mutating func addField(_ code: UInt8, _ text: String, signature: String = "s") {
        beginField(code, signature)
        add(text)
    }

    private mutating func addField(_ code: UInt8, number: UInt32) {
        beginField(code, "u")
        add(number)
    }

    private mutating func addField(_ code: UInt8, signature: String) {
        beginField(code, "g")
        add(signature: signature)
    }

    private mutating func beginField(_ code: UInt8, _ signature: String) {
        align(8)
        bytes.append(code)
        add(signature: signature)
    }

    private mutating func add(_ argument: Argument) {
        switch argument {
        case .text(let text): add(text)
        case .number(let number): add(number)
        case .texts(let texts):
            var list = BusMessage()
            for text in texts { list.add(text) }
            add(UInt32(list.bytes.count))
            bytes += list.bytes
        case .property(let name, let number):
            // The entry begins at a multiple of eight, and its value is 4-byte aligned within it.
            var entry = BusMessage()
            entry.add(name)
            entry.add(signature: "u")
            entry.add(number)
            add(UInt32(entry.bytes.count))
            align(8)
            bytes += entry.bytes
        }
    }

    private mutating func add(_ text: String) {
        add(UInt32(text.utf8.count))
        bytes += Array(text.utf8) + [0]
    }

    private mutating func add(signature: String) {
        bytes += [UInt8(signature.utf8.count)] + Array(signature.utf8) + [0]
    }

    private mutating func add(_ number: UInt32) {
        align(4)
        for index in 0..<4 { bytes.append(UInt8(truncatingIfNeeded: number >> (8 * index))) }
    }

    private mutating func align(_ size: Int) {
        while bytes.count % size != 0 { bytes.append(0) }
    }
}
