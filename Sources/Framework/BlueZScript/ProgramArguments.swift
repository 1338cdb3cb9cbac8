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

    /// The failure if the arguments cannot be read. Otherwise there is at least one, the program's name.
    static func failure(of arguments: [String]) -> CommandFailure? {
        guard arguments.isEmpty else { return nil }
        return CommandFailure(
            .system,
            "The arguments cannot be read from /proc/self/cmdline; mount /proc: mount -t proc proc /proc")
    }
}
