import Glibc

/// The events of a file descriptor that are awaited or have occurred: the bits of `poll()`.
public struct PollEvents: OptionSet, Sendable {
    /// The bits of `poll()`.
    public let rawValue: Int16

    /// Creates a set from the bits of `poll()`.
    public init(rawValue: Int16) { self.rawValue = rawValue }

    /// There is something to read (POLLIN).
    public static let readable = PollEvents(rawValue: Int16(POLLIN))
    /// There is space to write (POLLOUT).
    public static let writable = PollEvents(rawValue: Int16(POLLOUT))
    /// The descriptor has an error (POLLERR). It is always reported.
    public static let error = PollEvents(rawValue: Int16(POLLERR))
    /// The other end is gone (POLLHUP). It is always reported.
    public static let hangUp = PollEvents(rawValue: Int16(POLLHUP))
}
