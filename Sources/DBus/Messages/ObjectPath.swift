/// The path of an object on the bus, such as `/org/example/device1`. It is always valid.
public struct ObjectPath: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The path as text.
    public let string: String

    /// The path `/`.
    public static let root = ObjectPath(unchecked: "/")

    /// A checked path: it starts with a slash, has no empty component, and has only A-Z, a-z, 0-9 and
    /// underscores between slashes.
    ///
    /// - Throws: `DBusError` if the text is not a path.
    public init(_ string: String) throws(DBusError) {
        try Names.check(path: string)
        self.string = string
    }

    /// A path from text that libdbus has already checked.
    init(unchecked string: String) {
        self.string = string
    }

    /// The path as text.
    public var description: String { string }

    /// The parts of the path between its slashes; none for `/`.
    public var components: [Substring] {
        string.split(separator: "/")
    }

    /// The last component, empty for `/`.
    public var lastComponent: Substring {
        guard let slash = string.utf8.lastIndex(of: UInt8(ascii: "/")) else { return Substring(string) }
        return string[string.utf8.index(after: slash)...]
    }

    /// The path without its last component; nil for `/`.
    public var parent: ObjectPath? {
        guard string.utf8.count > 1, let slash = string.utf8.lastIndex(of: UInt8(ascii: "/")) else { return nil }
        return slash == string.startIndex ? .root : ObjectPath(unchecked: String(string[..<slash]))
    }

    /// Whether this is `other` or an ancestor of it. `/org/example/device1` does not contain `/org/example/device10`.
    public func contains(_ other: ObjectPath) -> Bool {
        guard string.utf8.count > 1 else { return true }
        let utf8 = other.string.utf8
        guard utf8.starts(with: string.utf8) else { return false }
        let end = utf8.index(utf8.startIndex, offsetBy: string.utf8.count)
        return end == utf8.endIndex || utf8[end] == UInt8(ascii: "/")
    }

    /// A path one component longer.
    ///
    /// - Throws: `DBusError` if the component has characters that a path cannot contain.
    public func appending(_ component: String) throws(DBusError) -> ObjectPath {
        try ObjectPath(string.utf8.count > 1 ? "\(string)/\(component)" : "/\(component)")
    }

    /// Orders paths by their text.
    public static func < (left: ObjectPath, right: ObjectPath) -> Bool { left.string < right.string }
}
