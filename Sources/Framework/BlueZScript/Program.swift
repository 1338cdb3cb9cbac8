import CoreBlueZ
import Glibc
import SystemPackage

/// The beginning and the end of a program's process.
public enum Program {
    /// Begins the process. Call it before anything uses the arguments or opens a file.
    ///
    /// The numbers of closed standard descriptors are reserved, so that no socket or file gets one and receives the
    /// user's output; reading and writing still fail. If the arguments cannot be read, the process ends with
    /// `ExitStatus.system`: without them it would do something other than requested.
    ///
    /// - Parameter name: the program's name, which precedes the message.
    public static func begin(_ name: String) {
        for (number, mode) in [(0, .writeOnly), (1, .readOnly), (2, .writeOnly)] as [(Int32, FileDescriptor.AccessMode)]
        where fcntl(number, F_GETFD) < 0 {
            // Opens the lowest free number, which is this one.
            _ = try? FileDescriptor.open("/dev/null", mode)
        }
        guard let failure = failure(of: CommandLine.arguments) else { return }
        StandardError.write(failure, program: name)
        exit(failure.status.rawValue)
    }

    /// The failure if the arguments, which Swift reads from /proc, cannot be read. Otherwise there is at least one, the
    /// program's name.
    static func failure(of arguments: [String]) -> CommandFailure? {
        guard arguments.isEmpty else { return nil }
        return CommandFailure(
            .system,
            "The arguments cannot be read from /proc/self/cmdline; mount /proc: mount -t proc proc /proc")
    }

    /// Runs the work of the program on `BluetoothActor`, and prints a failure on the standard error. If a signal has
    /// requested the end, and the work does not fail, the process ends by that signal. The log shows errors, unless the
    /// program has begun another one: see `TraceLog`.
    ///
    /// - Parameters:
    ///   - name: the program's name, which precedes the message of a failure.
    ///   - work: the work, which handles signals itself: see `SignalWatch`.
    /// - Returns: the exit status.
    public static func run(
        _ name: String, _ work: @escaping @BluetoothActor @Sendable () async throws -> Void
    ) async -> Int32 {
        TraceLog.begin(CommandLine.arguments.dropFirst())
        do {
            try await BluetoothActor.run(work)
        } catch {
            let failure = CommandFailure(any: error)
            StandardError.write(failure, program: name)
            return failure.status.rawValue
        }
        SignalWatch.shared.endBySignal()
        return 0
    }
}
