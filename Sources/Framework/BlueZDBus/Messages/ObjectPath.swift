/// The path of an object on the bus, such as `/org/example/device1`. It is always valid.
public struct ObjectPath: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The path as text.
    public let string: String
    /// The text's hash, which is computed once because paths are long and often used as keys.
    let hash: Int

    /// The path `/`.
    public static let root = ObjectPath(unchecked: "/")

    /// Creates a path, and checks it: it must start with a slash, have no empty component, and have only A-Z, a-z, 0-9
    /// and underscores between slashes.
    ///
    /// - Throws: `DBusError` if the text is not a path.
    public init(_ string: String) throws(DBusError) {
        try Names.check(path: string)
        self.init(unchecked: string)
    }

    /// Creates a path from text that has already been checked.
    init(unchecked string: String) {
        var string = string
        let hash = string.withUTF8 { bytes in unsafe Self.hash(UnsafeRawBufferPointer(bytes)) }
        self.init(unchecked: string, hash: hash)
    }

    init(unchecked string: String, hash: Int) {
        self.string = string
        self.hash = hash
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

    /// Returns whether this is `other` or an ancestor of it. `/org/example/device1` does not contain
    /// `/org/example/device10`.
    public func contains(_ other: ObjectPath) -> Bool {
        let count = string.utf8.count
        guard count > 1 else { return true }
        guard other.string.utf8.count >= count else { return false }
        var (above, below) = (string, other.string)
        return above.withUTF8 { above in
            below.withUTF8 { below in
                let start = unsafe UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(below)[..<count])
                guard unsafe MessageContents.isEqual(UnsafeRawBufferPointer(above), start) else { return false }
                guard below.count > count else { return true }
                let next = unsafe below[count]
                return next == UInt8(ascii: "/")
            }
        }
    }

    /// Returns the path with another component.
    ///
    /// - Throws: `DBusError` if the component has characters that a path cannot contain.
    public func appending(_ component: String) throws(DBusError) -> ObjectPath {
        try ObjectPath(string.utf8.count > 1 ? "\(string)/\(component)" : "/\(component)")
    }

    /// Whether both are the same text.
    public static func == (left: ObjectPath, right: ObjectPath) -> Bool {
        left.hash == right.hash && left.string == right.string
    }

    /// Hashes the text.
    public func hash(into hasher: inout Hasher) { hasher.combine(hash) }

    /// Used by dictionaries and sets. The hash already depends on a secret number. Hashing it again like any other
    /// number would take longer than finding the path. The table's own seed is included.
    public func _rawHashValue(seed: Int) -> Int {
        Int(truncatingIfNeeded: Self.mix(UInt64(bitPattern: Int64(hash ^ seed))))
    }

    /// Orders paths by their text.
    public static func < (left: ObjectPath, right: ObjectPath) -> Bool { left.string < right.string }
}

extension ObjectPath {
    /// A seed that differs in each run, as Swift's own for hashing does: peripherals choose parts of the paths, and must
    /// not be able to choose colliding ones.
    private static let seed = UInt64(bitPattern: Int64(Hasher().finalize()))

    static func hash(_ bytes: UnsafeRawBufferPointer) -> Int {
        var hash = seed ^ UInt64(truncatingIfNeeded: bytes.count)
        var offset = 0
        while offset + 8 <= bytes.count {
            let word = unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            hash = mix(hash ^ word)
            offset += 8
        }
        guard offset < bytes.count else { return Int(truncatingIfNeeded: hash) }
        guard bytes.count >= 8 else {
            return Int(truncatingIfNeeded: unsafe bytes.reduce(hash) { mix($0 ^ UInt64($1)) })
        }
        // The last eight bytes, some of which may have been included already.
        let word = unsafe bytes.loadUnaligned(fromByteOffset: bytes.count - 8, as: UInt64.self)
        return Int(truncatingIfNeeded: mix(hash ^ word))
    }

    /// Mixes the bits. Both halves of the product affect each bit.
    @inline(__always) private static func mix(_ value: UInt64) -> UInt64 {
        let product = (value ^ 0x9E37_79B9_7F4A_7C15).multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
        return product.high ^ product.low
    }

    /// Returns whether the path is this text.
    func consists(of bytes: UnsafeRawBufferPointer) -> Bool {
        var string = string
        return string.withUTF8 { text in unsafe MessageContents.isEqual(bytes, UnsafeRawBufferPointer(text)) }
    }
}
