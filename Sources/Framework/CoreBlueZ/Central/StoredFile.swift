import BlueZDBus
import FoundationEssentials

/// The file of stored peripherals. It is written on the Bluetooth thread or, so that a slow disk does not block that
/// thread, on a separate one.
final class StoredFile: Sendable {
    /// The content of the file after a write.
    struct Version: Sendable {
        /// Greater than the number of every earlier write of this object.
        let number: UInt64
        let addresses: [BluetoothAddress]
    }

    /// The maximum number of addresses in the file, which then has about 26 KiB. See `StoredPeripherals.limit`.
    static let limit = 1_000

    private struct Content: Codable {
        var peripherals: [String]
    }

    /// The event loop of the thread for files, or that of the Bluetooth thread if no other thread can be started.
    static let loop: EventLoop = {
        do { return try EventLoop.forActor(name: "CoreBlueZ files") } catch { return BluetoothActor.loop }
    }()

    private let file: StateFile<Content>
    /// The addresses to add, the oldest first.
    private let pending = Lock<[BluetoothAddress]>([])
    /// The number of the last write. Its lock allows one write at a time.
    private let writing = Lock<UInt64>(0)

    init(_ path: String, timeout: Duration = .seconds(1)) {
        file = StateFile(path, of: "stored peripherals", timeout: timeout)
    }

    var path: String { file.path }

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
        try file.read().map(Self.addresses) ?? []
    }

    private static func addresses(of content: Content) -> [BluetoothAddress] {
        content.peripherals.compactMap { BluetoothAddress($0) }.suffix(limit)
    }

    /// Adds the pending addresses to the file, and then makes another change to it. If the write fails, the addresses
    /// are kept for the next one.
    ///
    /// - Returns: nil if there was nothing to write.
    func write(
        _ change: ((inout [BluetoothAddress]) -> Void)? = nil
    ) throws(BluetoothError) -> Version? {
        try writing.withLock { number throws(BluetoothError) in
            let noted = unwritten
            guard change != nil || !noted.isEmpty else { return nil }
            let content = try file.update(from: Content(peripherals: [])) { content in
                var addresses = Self.addresses(of: content)
                let known = Set(addresses)
                addresses += noted.filter { !known.contains($0) }
                change?(&addresses)
                content.peripherals = addresses.suffix(Self.limit).map(\.description)
            }
            pending.withLock { $0.removeAll(where: Set(noted).contains) }
            number += 1
            return Version(number: number, addresses: Self.addresses(of: content))
        }
    }
}
