import ArgumentParser
import CoreBlueZ

/// A command that uses Bluetooth.
protocol SessionCommand: AsyncParsableCommand, Sendable {
    /// Whether the connection to BlueZ may be there before it runs.
    static var connectsEarly: Bool { get }

    /// Whether it goes on by itself, so that the end of whoever reads its output must be noticed also while it is
    /// silent.
    var isStreaming: Bool { get }

    @BluetoothActor func run(in session: Session) async throws
}

extension SessionCommand {
    static var connectsEarly: Bool { true }
    var isStreaming: Bool { false }
}
