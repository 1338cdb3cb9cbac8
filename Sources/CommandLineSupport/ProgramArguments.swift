import Glibc

/// The arguments of this program, which Swift reads from /proc.
public enum ProgramArguments {
    /// Ends the program with `ExitStatus.system` if its arguments cannot be read: without them it would do something
    /// other than requested. Call it before anything uses the arguments.
    ///
    /// - Parameter program: the beginning of the message.
    public static func require(_ program: String) {
        guard let failure = failure(of: CommandLine.arguments) else { return }
        StandardError.write(failure, program: program)
        exit(failure.status.rawValue)
    }

    /// If they can be read, the first argument, the program's name, is always there.
    static func failure(of arguments: [String]) -> CommandFailure? {
        guard arguments.isEmpty else { return nil }
        return CommandFailure(
            .system,
            "The arguments cannot be read from /proc/self/cmdline; mount /proc: mount -t proc proc /proc")
    }
}
