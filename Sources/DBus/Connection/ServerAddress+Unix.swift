import CDBus

extension ServerAddress {
    /// Returns the Unix sockets of the address, in order, in libdbus's format: `unix:` with a path or an abstract name.
    ///
    /// libdbus connects on the calling thread, and waits there for a network (`tcp:`, `nonce-tcp:`) or for a program
    /// that it starts (`unixexec:`, `autolaunch:`, `launchd:`). Such addresses of a list are omitted.
    ///
    /// - Throws: `DBusError` if the address is malformed, or has no such socket.
    func unixSockets() throws(DBusError) -> String {
        try Names.check(text: description)
        var entries: UnsafeMutablePointer<OpaquePointer?>?
        var count: CInt = 0
        var error = DBusErrorStorage()
        guard unsafe dbus_parse_address(description, &entries, &count, &error.raw) != 0 else { throw error.take() }
        defer { unsafe dbus_address_entries_free(entries) }
        var sockets: [String] = []
        for index in 0..<Int(count) {
            guard let entry = unsafe entries?[index], unsafe Self.text(dbus_address_entry_get_method(entry)) == "unix"
            else { continue }
            let path = unsafe Self.part("path", of: entry) ?? Self.part("abstract", of: entry)
            guard let path else { continue }
            let parts = unsafe [path, Self.part("guid", of: entry)].compactMap { $0 }
            sockets.append("unix:\(parts.joined(separator: ","))")
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
        return sockets.joined(separator: ";")
    }

    private static func part(_ key: String, of entry: OpaquePointer) -> String? {
        unsafe text(dbus_address_entry_get_value(entry, key)).map { "\(key)=\(escaped($0))" }
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
