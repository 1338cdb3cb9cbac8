import DBus
import FoundationEssentials

/// The file of stored peripherals. It is written on the Bluetooth thread or, so that a slow disk does not block that
/// thread, on a separate one. Each write adds to the file's current content, because other managers and programs use it
/// too.
final class StoredFile: Sendable {
    /// The content of the file after a write.
    struct Version: Sendable {
        /// Greater than the number of every earlier write of this object.
        let number: UInt64
        let addresses: [BluetoothAddress]
    }

    /// The maximum number of addresses in the file. See `StoredPeripherals.limit`.
    static let limit = 1_000

    /// The size of files that are refused. A file with `limit` addresses has about 26 KiB.
    private static let sizeLimit = 1 << 20

    private struct Content: Codable {
        var peripherals: [String]
    }

    /// The event loop of the thread for files, or that of the Bluetooth thread if no other thread can be started.
    static let loop: EventLoop = {
        do { return try EventLoop(name: "CoreBlueZ files") } catch { return BluetoothActor.loop }
    }()

    let path: String
    /// How long to wait for another program's lock of the file.
    private let timeout: Duration
    /// The addresses to add, the oldest first.
    private let pending = Lock<[BluetoothAddress]>([])
    /// The number of the last write. Its lock allows one write at a time.
    private let writing = Lock<UInt64>(0)

    init(_ path: String, timeout: Duration = .seconds(1)) {
        self.path = path
        self.timeout = timeout
    }

    /// The addresses that the next write adds, the oldest first.
    var unwritten: [BluetoothAddress] { pending.withLock { $0 } }

    /// Adds an address to the next write.
    func add(_ address: BluetoothAddress) {
        pending.withLock { addresses in
            addresses.append(address)
            if addresses.count > Self.limit { addresses.removeFirst() }
        }
    }

    /// Returns the addresses in the file, the oldest first; none if there is no file.
    func read() throws(BluetoothError) -> [BluetoothAddress] {
        guard FileManager.default.fileExists(atPath: path) else { return [] }
        let reason: String
        do {
            if let text = PrivateFile.read(path, limit: Self.sizeLimit) {
                let content = try JSONDecoder().decode(Content.self, from: Data(text.utf8))
                return content.peripherals.compactMap { BluetoothAddress($0) }.suffix(Self.limit)
            }
            reason = "it is larger than \(Self.sizeLimit) bytes, or not readable"
        } catch {
            reason = "\(error)"
        }
        throw BluetoothError(.invalidData, "The file \(path) cannot be read as stored peripherals: \(reason)")
    }

    /// Adds the pending addresses to the file, and then makes another change to it. The file is replaced as a whole, so
    /// that a reader or a crash never sees half of it. If the write fails, the addresses are kept for the next one.
    ///
    /// - Returns: nil if there was nothing to write.
    func write(
        _ change: ((inout [BluetoothAddress]) -> Void)? = nil
    ) throws(BluetoothError) -> Version? {
        try writing.withLock { number throws(BluetoothError) in
            let noted = unwritten
            guard change != nil || !noted.isEmpty else { return nil }
            let claim = try claim()
            defer { withExtendedLifetime(claim) {} }
            var addresses = try read()
            let known = Set(addresses)
            addresses += noted.filter { !known.contains($0) }
            change?(&addresses)
            addresses = addresses.suffix(Self.limit)
            try replace(addresses)
            pending.withLock { $0.removeAll(where: Set(noted).contains) }
            number += 1
            return Version(number: number, addresses: addresses)
        }
    }

    /// Takes the lock for writing the file. Other programs hold it for a few milliseconds.
    private func claim() throws(BluetoothError) -> PrivateFile.Claim {
        do {
            try FileManager.default.createDirectory(
                atPath: URL(filePath: path).deletingLastPathComponent().path, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            if let claim = try PrivateFile.claim(path, within: timeout) { return claim }
        } catch {
            throw unwritable("\(error)")
        }
        throw unwritable("another program has locked \(path).lock")
    }

    private func replace(_ addresses: [BluetoothAddress]) throws(BluetoothError) {
        do {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
            let data = try encoder.encode(Content(peripherals: addresses.map(\.description)))
            try PrivateFile.replace(path, with: String(decoding: data, as: UTF8.self), syncs: true)
        } catch {
            throw unwritable("\(error)")
        }
    }

    private func unwritable(_ reason: String) -> BluetoothError {
        BluetoothError(.failed, "The file \(path) cannot be written: \(reason)")
    }
}
