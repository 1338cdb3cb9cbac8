import BlueZDBus
import CBlueZTerminal
import Glibc

/// A pseudo-terminal. This program has one end, and any serial program of the user can open the other (mode 0600).
/// Bytes pass unchanged, without an echo, whatever baud rate a program sets. A process can have one at a time.
public final class PseudoTerminal: Sendable {
    /// This program's end.
    public let channel: PlainDescriptor
    /// The path of the other end, such as /dev/pts/3.
    public let path: String
    /// A descriptor that becomes readable when a program has opened or closed the other end. Then call `isUsed`. Nil if
    /// the system has none left.
    public let watch: UnixFileDescriptor?

    /// Creates a pseudo-terminal.
    ///
    /// - Throws: `DBusError` if the system has none left, or this process already has one.
    public init() throws(DBusError) {
        let code = pseudo_terminal_open()
        guard code == 0 else { throw .system("A pseudo-terminal", code) }
        path = "/dev/pts/\(pseudo_terminal_number())"
        do throws(DBusError) {
            channel = try PlainDescriptor(duplicating: pseudo_terminal_leader())
            watch = try? PlainDescriptor(duplicating: pseudo_terminal_watch()).descriptor
        } catch {
            pseudo_terminal_close()
            throw error
        }
    }

    deinit {
        terminal_unlink()
        pseudo_terminal_close()
    }

    /// Returns whether a program has the other end open.
    public func isUsed() -> Bool { pseudo_terminal_is_used() != 0 }

    /// Resets the settings of the last program, and discards the bytes that it has not read.
    public func reset() {
        pseudo_terminal_reset()
    }

    /// Creates a symbolic link to the other end. It is removed with the pseudo-terminal, or when the program ends by
    /// `exit` or a signal that it handles. An existing file is never replaced.
    ///
    /// - Returns: 0, or an errno value, such as EEXIST if the path exists.
    public func link(at path: String) -> CInt {
        unsafe terminal_link(self.path, path)
    }
}
