import Glibc

/// What a file descriptor is waited for, or was found ready for: the bits of `poll()`.
public struct PollEvents: OptionSet, Sendable {
    /// The bits as `poll()` has them.
    public let rawValue: Int16

    /// Makes a set of the bits of `poll()`.
    public init(rawValue: Int16) { self.rawValue = rawValue }

    /// There is something to read (POLLIN).
    public static let readable = PollEvents(rawValue: Int16(POLLIN))
    /// There is room to write (POLLOUT).
    public static let writable = PollEvents(rawValue: Int16(POLLOUT))
    /// The descriptor has an error (POLLERR). Always reported.
    public static let error = PollEvents(rawValue: Int16(POLLERR))
    /// The other end is gone (POLLHUP). Always reported.
    public static let hangUp = PollEvents(rawValue: Int16(POLLHUP))
}
