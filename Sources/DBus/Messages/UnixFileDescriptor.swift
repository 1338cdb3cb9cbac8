import Glibc

/// A file descriptor for messages, closed with its last reference.
public final class UnixFileDescriptor: Hashable, Sendable {
    /// The descriptor's number, which this object owns.
    public let rawValue: CInt

    /// Takes ownership of an open descriptor.
    public init(owning rawValue: CInt) {
        self.rawValue = rawValue
    }

    deinit {
        close(rawValue)
    }

    /// Two objects are equal if they own the same number.
    public static func == (left: UnixFileDescriptor, right: UnixFileDescriptor) -> Bool {
        left.rawValue == right.rawValue
    }

    /// Hashes the number.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(rawValue)
    }
}

extension UnixFileDescriptor {
    /// A descriptor of the same open file that belongs to the caller; closed on exec.
    ///
    /// - Throws: `DBusError` if the process has no descriptors left.
    public func duplicate() throws(DBusError) -> CInt {
        let number = fcntl(rawValue, F_DUPFD_CLOEXEC, 0)
        guard number >= 0 else { throw .system("fcntl", errno) }
        return number
    }
}
