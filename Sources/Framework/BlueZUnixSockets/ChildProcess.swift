import BlueZDBus
import CBlueZTerminal
import Glibc

/// A program that this process has started, with the same standard input, output and error. It outlives this object.
public final class ChildProcess: Sendable {
    /// How a program ended.
    public enum Ending: Hashable, Sendable {
        /// It ended itself, with this status.
        case status(Int32)
        /// A signal ended it.
        case signal(Int32)
    }

    /// The descriptor to watch in an event loop. It is readable when the program has ended.
    public let descriptor: UnixFileDescriptor

    private let process: pid_t
    private let ending = Lock<Ending?>(nil)

    /// A program that could not be started.
    public struct Failure: Error {
        /// The value of `errno`, such as ENOENT if there is no such program.
        public let code: CInt
        /// The failure as text.
        public let error: DBusError
    }

    /// Starts a program, which is searched for on the PATH.
    ///
    /// - Parameters:
    ///   - words: the program and its arguments.
    ///   - variable: the name of a variable of its environment, in addition to this program's.
    ///   - value: the variable's value.
    /// - Throws: `Failure` if it can't be started, or the kernel is older than Linux 5.3.
    public init(_ words: [String], setting variable: String, to value: String) throws(Failure) {
        var pointers = unsafe words.map { unsafe strdup($0) }
        unsafe pointers.append(nil)
        defer { unsafe pointers.forEach { unsafe free($0) } }
        let result = words.isEmpty ? -EINVAL : unsafe child_start(pointers, "\(variable)=\(value)")
        guard result > 0 else { throw Self.failure(words.first ?? "", -result) }
        process = result
        let number = child_watch(result)
        guard number >= 0 else {
            let code = errno
            _ = kill(result, SIGTERM)
            throw Self.failure("pidfd_open", code)
        }
        descriptor = UnixFileDescriptor(owning: number)
    }

    private static func failure(_ text: String, _ code: CInt) -> Failure {
        Failure(code: code, error: .system(text, code))
    }

    /// Sends a signal to the program, unless `poll` has returned how it ended.
    public func send(signal: Int32) {
        ending.withLock { ending in
            // Another process may have the number then.
            if ending == nil { _ = kill(process, signal) }
        }
    }

    /// Returns how the program ended, or nil if it still runs. It never waits.
    public func poll() -> Ending? {
        ending.withLock { ending in
            var status: CInt = 0
            guard ending == nil, unsafe waitpid(process, &status, WNOHANG) == process else { return ending }
            // The macros of wait(2) are not visible to Swift.
            let signal = status & 0x7F
            ending = signal == 0 ? .status(status >> 8 & 0xFF) : .signal(signal)
            return ending
        }
    }
}
