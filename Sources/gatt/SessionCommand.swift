import ArgumentParser
import CoreBlueZ

/// A command that uses Bluetooth.
protocol SessionCommand: AsyncParsableCommand, Sendable {
    /// Whether the connection to BlueZ can be opened before the command runs.
    static var connectsEarly: Bool { get }

    /// Whether the command waits for events, so that it must notice a closed output even while it prints nothing.
    var isStreaming: Bool { get }

    /// How long after a signal the process ends, even if the command is busy or waits for a file. Nil if it must first
    /// release links and subscriptions.
    static var timeAfterSignal: Duration? { get }

    @BluetoothActor func run(in session: Session) async throws
}

extension SessionCommand {
    static var connectsEarly: Bool { true }
    var isStreaming: Bool { false }
    static var timeAfterSignal: Duration? { nil }
}
