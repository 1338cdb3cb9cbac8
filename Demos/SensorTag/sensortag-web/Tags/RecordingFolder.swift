import BlueZPrintableText
import BlueZScript
import FoundationEssentials

/// The folder for recordings until they are downloaded: private, and removed with the program.
struct RecordingFolder: Sendable {
    let url: URL

    init() throws(CommandFailure) {
        var generator = SystemRandomNumberGenerator()
        let name = "sensortag-web-" + String(hexadecimal: generator.next() as UInt64, digits: 16)
        url = FileManager.default.temporaryDirectory.appending(path: name)
        do {
            try FileManager.default.createDirectory(
                at: url, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        } catch {
            throw CommandFailure(.cannotCreate, "The folder for recordings cannot be created: \(error)")
        }
    }

    /// Removes the folder with everything in it.
    func remove() {
        try? FileManager.default.removeItem(at: url)
    }
}
