import BlueZDBus
import BlueZScript
import BlueZUnixSockets
import CoreBlueZ
import Glibc

/// The standard input.
enum SerialInput {
    /// Whether a person types it.
    static let isTerminal = isatty(STDIN_FILENO) == 1

    /// Opens it for reading in pieces.
    ///
    /// - Throws: `inputOutput` if it is closed.
    @BluetoothActor static func open() throws(CommandFailure) -> ByteBridge {
        do throws(DBusError) {
            return ByteBridge(try PlainDescriptor(duplicating: STDIN_FILENO))
        } catch {
            throw CommandFailure(.inputOutput, "The standard input is closed")
        }
    }
}
