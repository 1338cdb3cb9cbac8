import BlueZDBus

/// A match rule of a client (D-Bus specification, "Match Rules").
struct BusRule: Equatable {
    let text: String
    private var parts: [String: String] = [:]

    /// Reads a rule; nil if it is malformed.
    init?(_ text: String) {
        self.text = text
        var rest = text[...]
        while let equals = rest.firstIndex(of: "=") {
            let key = rest[..<equals]
            rest = rest[rest.index(after: equals)...]
            var value = ""
            var isQuoted = false
            while let character = rest.popFirst() {
                if character == "'" {
                    isQuoted.toggle()
                } else if character == "\\", !isQuoted, rest.first == "'" {
                    value.append(rest.removeFirst())
                } else if character == ",", !isQuoted {
                    break
                } else {
                    value.append(character)
                }
            }
            guard !isQuoted else { return nil }
            parts[String(key)] = value
        }
        guard rest.isEmpty else { return nil }
    }

    /// Returns whether a message matches.
    ///
    /// - Parameter owner: the owner of a well-known name.
    func matches(_ message: Message, from sender: String, owner: (String) -> String?) -> Bool {
        parts.allSatisfy { key, value in
            switch key {
            case "type": Self.kinds[value] == message.kind
            case "sender": value == sender || owner(value) == sender
            case "interface": value == message.interface
            case "member": value == message.member
            case "path": value == message.path?.string
            case "path_namespace": Self.isPath(message.path?.string, below: value)
            case "arg0": value == Self.firstArgument(of: message)
            default: false
            }
        }
    }

    private static let kinds: [String: Message.Kind] = [
        "signal": .signal, "method_call": .methodCall, "method_return": .methodReturn, "error": .error,
    ]

    private static func isPath(_ path: String?, below ancestor: String) -> Bool {
        guard let path else { return false }
        return path == ancestor || ancestor == "/" || path.hasPrefix(ancestor + "/")
    }

    private static func firstArgument(of message: Message) -> String? {
        var reader = message.reader
        return try? reader.readString()
    }
}
