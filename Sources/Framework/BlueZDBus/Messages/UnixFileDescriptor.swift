import Glibc

/// A file descriptor for messages, which is closed when its last reference is released.
public final class UnixFileDescriptor: Hashable, Sendable {
    /// The descriptor's number, which this object owns.
    public let rawValue: CInt

    /// Creates an object that owns an open descriptor.
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
    /// Returns another descriptor of the same open file, which the caller owns. It is closed on exec.
    ///
    /// - Throws: `DBusError` if the process has no descriptors left.
    public func duplicate() throws(DBusError) -> CInt {
        let number = fcntl(rawValue, F_DUPFD_CLOEXEC, 0)
        guard number >= 0 else { throw .system("fcntl", errno) }
        return number
    }
}
