/// A rule that selects the broadcast messages that the bus delivers. Every part that is not nil must match.
public struct MatchRule: Hashable, Sendable, CustomStringConvertible {
    private var parts: [(key: String, value: String)] = []

    /// Creates a rule for signals.
    ///
    /// - Parameters:
    ///   - sender: the bus name of the sender, whose owner the bus tracks.
    ///   - interface: the signal's interface.
    ///   - member: the signal's name.
    ///   - path: the object that sends the signal.
    ///   - pathNamespace: the object that sends the signal, or an ancestor of it.
    ///   - argument0: the first argument, if that is a string.
    public init(
        sender: String? = nil,
        interface: String? = nil,
        member: String? = nil,
        path: ObjectPath? = nil,
        pathNamespace: ObjectPath? = nil,
        argument0: String? = nil
    ) {
        parts = [("type", "signal")]
        add("sender", sender)
        add("interface", interface)
        add("member", member)
        add("path", path?.string)
        add("path_namespace", pathNamespace?.string)
        add("arg0", argument0)
    }

    private mutating func add(_ key: String, _ value: String?) {
        if let value { parts.append((key, value)) }
    }

    /// The rule in the bus's format. An apostrophe in a value closes the quotes, is written unquoted, and opens them
    /// again.
    public var description: String {
        parts.map { "\($0.key)='\(Self.escape($0.value))'" }.joined(separator: ",")
    }

    private static func escape(_ value: String) -> String {
        value.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#)
    }

    /// Two rules are equal if their descriptions are.
    public static func == (left: MatchRule, right: MatchRule) -> Bool { left.description == right.description }

    /// Hashes the description.
    public func hash(into hasher: inout Hasher) { hasher.combine(description) }
}
