import Glibc

/// A file descriptor that is closed with its last reference, as it comes out of a message or goes into one.
public final class UnixFileDescriptor: Hashable, Sendable {
    /// The descriptor's number. It stays owned by this object.
    public let rawValue: CInt

    /// Takes ownership of an open descriptor.
    public init(owning rawValue: CInt) {
        self.rawValue = rawValue
    }

    deinit {
        close(rawValue)
    }

    /// Two objects are equal where they own the same number.
    public static func == (left: UnixFileDescriptor, right: UnixFileDescriptor) -> Bool {
        left.rawValue == right.rawValue
    }

    /// Hashes the number.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(rawValue)
    }
}
