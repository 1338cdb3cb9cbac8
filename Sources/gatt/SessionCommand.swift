import ArgumentParser
import CoreBlueZ

/// A command that uses Bluetooth.
protocol SessionCommand: AsyncParsableCommand, Sendable {
    /// Whether the connection to BlueZ may be opened before it runs.
    static var connectsEarly: Bool { get }

    /// Whether it runs without input, so that a closed output must be noticed even while it is silent.
    var isStreaming: Bool { get }

    @BluetoothActor func run(in session: Session) async throws
}

extension SessionCommand {
    static var connectsEarly: Bool { true }
    var isStreaming: Bool { false }
}
