import CoreBlueZ

/// The work of a program, and how its process ends.
public enum ProgramWork {
    /// Runs the work on `BluetoothActor`, and prints a failure on the standard error. If a signal has requested the
    /// end, and the work does not fail, the process ends by that signal.
    ///
    /// - Parameters:
    ///   - program: the program's name, which precedes the message of a failure.
    ///   - work: the work, which handles signals itself: see `SignalWatch`.
    /// - Returns: the exit status.
    public static func status(
        of program: String, _ work: @escaping @BluetoothActor @Sendable () async throws -> Void
    ) async -> Int32 {
        do {
            try await BluetoothActor.run(work)
        } catch {
            let failure = CommandFailure(any: error)
            StandardError.write(failure, program: program)
            return failure.status.rawValue
        }
        SignalWatch.shared.endBySignal()
        return 0
    }
}
