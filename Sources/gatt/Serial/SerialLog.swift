import CommandLineSupport
import CoreBlueZ
import FoundationEssentials
import PrintableText
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

    func received(_ bytes: Data) throws(CommandFailure) { try write("<", Self.text(bytes)) }

    func sent(_ bytes: Data) throws(CommandFailure) { try write(">", Self.text(bytes)) }

    func note(_ message: String) throws(CommandFailure) { try write("*", message.escapedForTerminal()) }

    private static func text(_ bytes: Data) -> String {
        let characters = bytes.map { (0x20...0x7E).contains($0) ? Character(Unicode.Scalar($0)) : "." }
        return String(hexadecimal: bytes) + "  " + String(characters)
    }

    private func write(_ mark: String, _ text: String) throws(CommandFailure) {
        let time = Date().formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
        do {
            try file.writeAll("\(time) \(mark) \(text)\n".utf8)
        } catch {
            throw CommandFailure(.inputOutput, "The log \(path) cannot be written: \(error)")
        }
    }
}
