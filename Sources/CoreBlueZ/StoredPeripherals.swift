import FoundationEssentials

/// The addresses of peripherals that a program has found, over its runs: a JSON file `peripherals.json` in a directory
/// that only the user can enter. Set it as `CentralManager.storedPeripherals` to have found peripherals stored.
@BluetoothActor public final class StoredPeripherals {
    private struct Content: Codable {
        var peripherals: [String]
    }

    /// The file.
    public let path: String

    /// The addresses, in the order in which they were stored.
    public private(set) var identifiers: [BluetoothAddress]

    /// Opens the store of an application, in `$XDG_STATE_HOME`, or `~/.local/state` where that is not set to an
    /// absolute path (XDG Base Directory Specification 0.8). Nothing is written before something is stored.
    ///
    /// - Parameter application: the directory's name: letters, digits, points, hyphens and underscores, no leading
    ///   point.
    /// - Throws: `invalidArguments` for another name; `invalidData` where the file is not such a store.
    public convenience init(application: String) throws(BluetoothError) {
        let characters = application.utf8.allSatisfy { byte in
            UnicodeScalar(byte).properties.isAlphabetic || (0x30...0x39).contains(byte)
                || [0x2D, 0x2E, 0x5F].contains(byte)
        }
        guard !application.isEmpty, characters, !application.hasPrefix(".") else {
            throw BluetoothError(.invalidArguments, "\"\(application)\" cannot be the name of a directory")
        }
        let environment = ProcessInfo.processInfo.environment
        let state = environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        let home = environment["HOME"] ?? "/"
        try self.init(directory: "\(state ?? "\(home)/.local/state")/\(application)")
    }

    /// Opens the store in a directory, which is made with mode 0700 when something is stored.
    ///
    /// - Throws: `invalidData` where the file is not such a store.
    public init(directory: String) throws(BluetoothError) {
        path = "\(directory)/peripherals.json"
        guard FileManager.default.fileExists(atPath: path) else {
            identifiers = []
            return
        }
        do {
            let content = try JSONDecoder().decode(Content.self, from: Data(contentsOf: URL(filePath: path)))
            identifiers = content.peripherals.compactMap { BluetoothAddress($0) }
        } catch {
            throw BluetoothError(.invalidData, "\(path) cannot be read as stored peripherals: \(error)")
        }
    }

    /// Stores an address. One that is stored already changes nothing.
    ///
    /// - Throws: `failed` where the file cannot be written; it is then as before.
    public func add(_ address: BluetoothAddress) throws(BluetoothError) {
        guard !identifiers.contains(address) else { return }
        try write(identifiers + [address])
    }

    /// Takes an address out. One that is not stored changes nothing.
    ///
    /// - Throws: as `add`.
    public func remove(_ address: BluetoothAddress) throws(BluetoothError) {
        guard identifiers.contains(address) else { return }
        try write(identifiers.filter { $0 != address })
    }

    /// Takes all addresses out.
    ///
    /// - Throws: as `add`.
    public func removeAll() throws(BluetoothError) {
        try write([])
    }

    /// The file is replaced as a whole, so that no reader and no crash finds half of it.
    private func write(_ addresses: [BluetoothAddress]) throws(BluetoothError) {
        do {
            let url = URL(filePath: path)
            try FileManager.default.createDirectory(
                atPath: url.deletingLastPathComponent().path, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
            try encoder.encode(Content(peripherals: addresses.map(\.description))).write(to: url, options: .atomic)
        } catch {
            throw BluetoothError(.failed, "\(path) cannot be written: \(error)")
        }
        identifiers = addresses
    }
}
