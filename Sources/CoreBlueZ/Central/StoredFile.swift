import DBus
import FoundationEssentials

/// The file of stored peripherals. It is written on the Bluetooth thread or, so that a slow disk does not hold that up,
/// on a thread of its own. An older version never replaces a newer one.
@BluetoothActor final class StoredFile {
    struct Content: Codable {
        var peripherals: [String]
    }

    /// What the file should contain from some moment on.
    struct Version: Sendable {
        fileprivate let number: UInt64
        fileprivate let addresses: [BluetoothAddress]
        fileprivate let path: String
        fileprivate let written: Lock<UInt64>

        /// Replaces the file as a whole, so that no reader and no crash sees half of it. Does nothing if the file is
        /// newer.
        func write() -> BluetoothError? {
            written.withLock { written in
                guard number > written else { return nil }
                do {
                    let url = URL(filePath: path)
                    try FileManager.default.createDirectory(
                        atPath: url.deletingLastPathComponent().path, withIntermediateDirectories: true,
                        attributes: [.posixPermissions: 0o700])
                    let encoder = JSONEncoder()
                    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
                    let content = Content(peripherals: addresses.map(\.description))
                    try encoder.encode(content).write(to: url, options: .atomic)
                    written = number
                    return nil
                } catch {
                    return BluetoothError(.failed, "The file \(path) cannot be written: \(error)")
                }
            }
        }
    }

    /// The thread for files, or the Bluetooth thread if no other can be started.
    static let loop: EventLoop = {
        do { return try EventLoop(name: "CoreBlueZ files") } catch { return BluetoothActor.loop }
    }()

    private let path: String
    private let written = Lock<UInt64>(0)
    private var last: UInt64 = 0

    init(_ path: String) {
        self.path = path
    }

    func version(of addresses: [BluetoothAddress]) -> Version {
        last += 1
        return Version(number: last, addresses: addresses, path: path, written: written)
    }
}
