import FoundationEssentials

/// The addresses of peripherals that a program has found, kept across runs: a JSON file `peripherals.json` in a
/// directory that only the user can access. Set it as `CentralManager.storedPeripherals` to have found peripherals
/// stored.
@BluetoothActor public final class StoredPeripherals {
    /// The path of the file.
    public let path: String

    /// The addresses, in the order in which they were stored.
    public private(set) var identifiers: [BluetoothAddress] {
        didSet { known = Set(identifiers) }
    }

    private var known: Set<BluetoothAddress> = []
    private var isDirty = false
    private var nextWrite: ScheduledCall?
    private let file: StoredFile

    /// A found peripheral is written at once; those that follow it are written together after this time.
    private static let period = Duration.seconds(5)

    /// Opens the store of an application, in `$XDG_STATE_HOME`, or in `~/.local/state` if that is not set to an
    /// absolute path (XDG Base Directory Specification 0.8). Nothing is written until something is stored.
    ///
    /// - Parameter application: the directory's name: letters, digits, dots, hyphens and underscores, without a leading
    ///   dot.
    /// - Throws: `invalidArguments` for another name; `invalidData` if the file is not such a store.
    public convenience init(application: String) throws(BluetoothError) {
        let characters = application.utf8.allSatisfy { byte in
            UnicodeScalar(byte).properties.isAlphabetic || (0x30...0x39).contains(byte)
                || [0x2D, 0x2E, 0x5F].contains(byte)
        }
        guard !application.isEmpty, characters, !application.hasPrefix(".") else {
            throw BluetoothError(
                .invalidArguments,
                "The name \"\(application)\" cannot be used; use letters, digits, dots, hyphens and underscores")
        }
        let environment = ProcessInfo.processInfo.environment
        let state = environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        let home = environment["HOME"] ?? "/"
        try self.init(directory: "\(state ?? "\(home)/.local/state")/\(application)")
    }

    /// Opens the store in a directory, which is made with mode 0700 when something is stored.
    ///
    /// - Throws: `invalidData` if the file is not such a store.
    public init(directory: String) throws(BluetoothError) {
        path = "\(directory)/peripherals.json"
        file = StoredFile(path)
        guard FileManager.default.fileExists(atPath: path) else {
            identifiers = []
            return
        }
        do {
            let content = try JSONDecoder().decode(StoredFile.Content.self, from: Data(contentsOf: URL(filePath: path)))
            identifiers = content.peripherals.compactMap { BluetoothAddress($0) }
            known = Set(identifiers)
        } catch {
            throw BluetoothError(.invalidData, "The file \(path) cannot be read as stored peripherals: \(error)")
        }
    }

    isolated deinit {
        flush()
    }

    /// Stores an address. Storing the same address again changes nothing.
    ///
    /// - Throws: `failed` if the file cannot be written; the store is then unchanged.
    public func add(_ address: BluetoothAddress) throws(BluetoothError) {
        guard !known.contains(address) else { return }
        try write(identifiers + [address])
    }

    /// Removes an address. An address that is not stored changes nothing.
    ///
    /// - Throws: the same as `add`.
    public func remove(_ address: BluetoothAddress) throws(BluetoothError) {
        guard known.contains(address) else { return }
        try write(identifiers.filter { $0 != address })
    }

    /// Removes all addresses.
    ///
    /// - Throws: the same as `add`.
    public func removeAll() throws(BluetoothError) {
        try write([])
    }

    // MARK: While scanning

    /// Stores the address of a peripheral that was found. The file is written on another thread, now and then.
    func addSoon(_ address: BluetoothAddress) {
        guard !known.contains(address) else { return }
        identifiers.append(address)
        isDirty = true
        guard nextWrite == nil else { return }
        writeSoon()
        nextWrite = BluetoothActor.after(Self.period) { [weak self] in
            self?.nextWrite = nil
            self?.writeSoon()
        }
    }

    /// Writes unsaved changes on another thread.
    func writeSoon() {
        guard isDirty else { return }
        isDirty = false
        let version = file.version(of: identifiers)
        _ = StoredFile.loop.schedule(after: .zero) {
            guard let error = version.write() else { return }
            log.warning("Found peripherals cannot be stored", metadata: ["error": "\(error)"])
        }
    }

    /// Writes unsaved changes now, at the end.
    func flush() {
        nextWrite?.cancel()
        nextWrite = nil
        guard isDirty else { return }
        isDirty = false
        guard let error = file.version(of: identifiers).write() else { return }
        log.warning("Found peripherals cannot be stored", metadata: ["error": "\(error)"])
    }

    private func write(_ addresses: [BluetoothAddress]) throws(BluetoothError) {
        if let error = file.version(of: addresses).write() { throw error }
        identifiers = addresses
        isDirty = false
    }
}
