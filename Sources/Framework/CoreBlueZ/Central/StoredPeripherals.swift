import FoundationEssentials

/// The addresses of the peripherals that a program has found, kept across runs in a JSON file, `peripherals.json`, that
/// only the user can read (mode 0600). To store found peripherals, set `CentralManager.storedPeripherals`.
///
/// Several managers and programs can use the same directory, because each write adds to the file's current content.
/// They lock the file `peripherals.json.lock`, which is never deleted.
@BluetoothActor public final class StoredPeripherals {
    /// The maximum number of stored addresses: 1,000, which takes a few milliseconds to write. If there are more, the
    /// oldest address is removed; a scan that finds that peripheral again stores it again. Addresses do not expire.
    public nonisolated static let limit = StoredFile.limit

    /// The path of `peripherals.json`.
    public nonisolated var path: String { file.path }

    /// The addresses, in the order in which they were stored. Addresses that other programs have stored in the meantime
    /// are included after the next write.
    public private(set) var identifiers: [BluetoothAddress]

    private var known: Set<BluetoothAddress>
    private var lastWrite: UInt64 = 0
    private var nextWrite: ScheduledCall?
    private nonisolated let file: StoredFile

    /// How long later peripherals are collected before they are written together. The first one is written immediately.
    private static let period = Duration.seconds(5)

    /// Opens the store of an application, in `$XDG_STATE_HOME`, or in `~/.local/state` if that is not set to an
    /// absolute path (XDG Base Directory Specification 0.8). Nothing is written until something is stored.
    ///
    /// - Parameter application: the directory's name: letters, digits, dots, hyphens and underscores, without a leading
    ///   dot.
    /// - Throws: `invalidArguments` if the name contains other characters; `invalidData` if the file is not such a
    ///   store or cannot be read.
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
        try self.init(directory: StateDirectory.path(of: application))
    }

    /// Opens the store in a directory, which is created with mode 0700 when something is stored.
    ///
    /// - Throws: `invalidData` if the file is not such a store or cannot be read.
    public convenience init(directory: String) throws(BluetoothError) {
        try self.init(StoredFile("\(directory)/peripherals.json"))
    }

    init(_ file: StoredFile) throws(BluetoothError) {
        self.file = file
        identifiers = try file.read()
        known = Set(identifiers)
    }

    isolated deinit {
        flush()
    }

    /// Stores an address. Storing the same address again changes nothing.
    ///
    /// - Throws: `failed` if the file cannot be written, or another program has kept it locked for a second;
    ///   `invalidData` if it is no longer such a store. The store is then unchanged.
    public func add(_ address: BluetoothAddress) throws(BluetoothError) {
        guard !known.contains(address) else { return }
        try write { if !$0.contains(address) { $0.append(address) } }
    }

    /// Removes an address. Does nothing if the address is not stored.
    ///
    /// - Throws: the same as `add`.
    public func remove(_ address: BluetoothAddress) throws(BluetoothError) {
        guard known.contains(address) else { return }
        try write { $0.removeAll { $0 == address } }
    }

    /// Removes all addresses, including those that other programs have stored.
    ///
    /// - Throws: the same as `add`.
    public func removeAll() throws(BluetoothError) {
        try write { $0 = [] }
    }

    // MARK: While scanning

    /// Stores the address of a found peripheral. The file is written later, on another thread.
    func addSoon(_ address: BluetoothAddress) {
        guard known.insert(address).inserted else { return }
        file.add(address)
        identifiers.append(address)
        if identifiers.count > Self.limit { known.remove(identifiers.removeFirst()) }
        guard nextWrite == nil else { return }
        writeSoon()
        nextWrite = BluetoothActor.after(Self.period) { [weak self] in
            self?.nextWrite = nil
            self?.writeSoon()
        }
    }

    /// Writes unsaved changes on another thread.
    func writeSoon() {
        guard !file.unwritten.isEmpty else { return }
        _ = StoredFile.loop.schedule(after: .zero) { [file, weak self] in
            do throws(BluetoothError) {
                let version = try file.write()
                BluetoothActor.perform { [weak self] in self?.apply(version) }
            } catch {
                Self.warn(of: error)
            }
        }
    }

    /// Writes unsaved changes now, when the store is released.
    func flush() {
        nextWrite?.cancel()
        nextWrite = nil
        do throws(BluetoothError) { apply(try file.write()) } catch { Self.warn(of: error) }
    }

    private nonisolated static func warn(of error: BluetoothError) {
        log.warning("Found peripherals cannot be stored", metadata: ["error": "\(error)"])
    }

    private func write(_ change: @escaping (inout [BluetoothAddress]) -> Void) throws(BluetoothError) {
        apply(try file.write(change))
    }

    /// Applies the content of the file, which other managers and programs may have changed too.
    private func apply(_ version: StoredFile.Version?) {
        guard let version, version.number > lastWrite else { return }
        lastWrite = version.number
        let written = Set(version.addresses)
        identifiers = (version.addresses + file.unwritten.filter { !written.contains($0) }).suffix(Self.limit)
        known = Set(identifiers)
    }
}
