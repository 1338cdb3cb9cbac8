import CBlueZDBus

extension ServerAddress {
    /// A Unix socket of an address.
    package struct UnixSocket: Hashable, Sendable {
        /// The path in the file system, or the abstract name.
        package let name: String
        /// Whether the name is abstract (unix(7)).
        package let isAbstract: Bool
        fileprivate let guid: String?

        fileprivate var text: String {
            let name = "\(isAbstract ? "abstract" : "path")=\(ServerAddress.escaped(name))"
            return "unix:\(name)" + (guid.map { ",guid=\(ServerAddress.escaped($0))" } ?? "")
        }
    }

    /// Returns the Unix sockets of the address, in order, in libdbus's format: `unix:` with a path or an abstract name.
    ///
    /// - Throws: the same as `unixSocketList`.
    func unixSockets() throws(DBusError) -> String {
        try unixSocketList().map(\.text).joined(separator: ";")
    }

    /// Returns the address of a Unix socket at a path.
    package static func socket(at path: String) -> ServerAddress { .address("unix:path=\(escaped(path))") }

    /// Returns the Unix sockets of the address, in order.
    ///
    /// libdbus connects on the calling thread, and waits there for a network (`tcp:`, `nonce-tcp:`) or for a program
    /// that it starts (`unixexec:`, `autolaunch:`, `launchd:`). Such addresses of a list are omitted.
    ///
    /// - Throws: `DBusError` if the address is malformed, or has no such socket.
    package func unixSocketList() throws(DBusError) -> [UnixSocket] {
        try Names.check(text: description)
        var entries: UnsafeMutablePointer<OpaquePointer?>?
        var count: CInt = 0
        var error = DBusErrorStorage()
        guard unsafe dbus_parse_address(description, &entries, &count, &error.raw) != 0 else { throw error.take() }
        defer { unsafe dbus_address_entries_free(entries) }
        var sockets: [UnixSocket] = []
        for index in 0..<Int(count) {
            guard let entry = unsafe entries?[index], unsafe Self.text(dbus_address_entry_get_method(entry)) == "unix"
            else { continue }
            let path = unsafe Self.value("path", of: entry)
            guard let name = unsafe path ?? Self.value("abstract", of: entry) else { continue }
            let guid = unsafe Self.value("guid", of: entry)
            sockets.append(UnixSocket(name: name, isAbstract: path == nil, guid: guid))
        }
        guard !sockets.isEmpty else {
            throw DBusError(
                name: DBusError.Name.notSupported,
                message: """
                    "\(description)" names no Unix socket. Buses are reached by Unix sockets only: write \
                    unix:path=/path/of/the/socket; ssh -L forwards the socket of another machine
                    """,
                isLocal: true)
        }
        return sockets
    }

    private static func value(_ key: String, of entry: OpaquePointer) -> String? {
        unsafe text(dbus_address_entry_get_value(entry, key))
    }

    private static func text(_ text: UnsafePointer<CChar>?) -> String? {
        unsafe text.map { unsafe String(cString: $0) }
    }

    /// Returns a value in the form of D-Bus addresses: everything except letters, digits and `-_/.\*` is a percent sign
    /// and two digits.
    static func escaped(_ value: String) -> String {
        guard let escaped = unsafe dbus_address_escape_value(value) else { return value }
        defer { unsafe dbus_free(escaped) }
        return unsafe String(cString: escaped)
    }
}
