import BlueZPrintableText
import BlueZScript
import CoreBlueZ
import FoundationEssentials
import SystemPackage

/// `--log`: a line for each piece of data and each message: the time, `<` for data from the device, `>` for data to it,
/// `*` for messages.
@BluetoothActor final class SerialLog {
    private let path: String
    private let file: FileDescriptor

    /// Opens the file to append lines; a new one is accessible to this user only.
    init(_ path: String) throws(CommandFailure) {
        self.path = path
        do {
            file = try FileDescriptor.open(
                FilePath(path), .writeOnly, options: [.append, .create, .nonBlocking], permissions: .ownerReadWrite)
        } catch {
            throw CommandFailure(.cannotCreate, "The log \(path) cannot be opened: \(error)")
        }
    }

    isolated deinit {
        try? file.close()
    }

    func write(_ mark: String, _ text: String) throws(CommandFailure) {
        let time = Date().formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
        do {
            try file.writeAll("\(time) \(mark) \(text)\n".utf8)
        } catch {
            throw CommandFailure(.inputOutput, "The log \(path) cannot be written: \(error)")
        }
    }
}
