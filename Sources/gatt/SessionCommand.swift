import ArgumentParser
import CoreBlueZ

/// A command that uses Bluetooth.
protocol SessionCommand: AsyncParsableCommand, Sendable {
    /// Whether the connection to BlueZ may be open before it runs.
    static var connectsEarly: Bool { get }

    /// Whether it runs on its own, so that a reader of its output that goes away must be noticed even while it is
    /// silent.
    var isStreaming: Bool { get }

    @BluetoothActor func run(in session: Session) async throws
}

extension SessionCommand {
    static var connectsEarly: Bool { true }
    var isStreaming: Bool { false }
}
