import ArgumentParser
import CoreBlueZ

/// A command that uses Bluetooth.
protocol SessionCommand: AsyncParsableCommand, Sendable {
    /// Whether the connection to BlueZ can be opened before the command runs.
    static var connectsEarly: Bool { get }

    /// Whether the command waits for events, so that it must notice a closed output even while it prints nothing.
    var isStreaming: Bool { get }

    /// Whether the process ends soon after a signal, even if the command is busy or waits for a file: it has no links or
    /// subscriptions to release.
    static var endsSoonAfterSignal: Bool { get }

    @BluetoothActor func run(in session: Session) async throws
}

extension SessionCommand {
    static var connectsEarly: Bool { true }
    var isStreaming: Bool { false }
    static var endsSoonAfterSignal: Bool { false }
}
