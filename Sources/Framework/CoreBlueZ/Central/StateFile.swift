import BlueZDBus
import FoundationEssentials

/// The folder of applications' state.
package enum StateDirectory {
    /// Returns an application's directory in `$XDG_STATE_HOME`, or in `~/.local/state` if that is not set to an absolute
    /// path (XDG Base Directory Specification 0.8).
    package static func path(of application: String) -> String {
        let environment = ProcessInfo.processInfo.environment
        let state = environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        return "\(state ?? "\(environment["HOME"] ?? "/")/.local/state")/\(application)"
    }
}

/// A small JSON file of a program's state, which only the user can read (mode 0600). Several programs can use the same
/// file, because each change is made to its current content. They lock a file next to it, which is never deleted.
package struct StateFile<Content: Codable>: Sendable {
    package let path: String
    /// The file's content in a word, for messages.
    private let subject: String
    /// How long to wait for another program's lock of the file.
    private let timeout: Duration

    /// The size of files that are refused.
    private static var sizeLimit: Int { 1 << 20 }

    package init(_ path: String, of subject: String, timeout: Duration = .seconds(1)) {
        self.path = path
        self.subject = subject
        self.timeout = timeout
    }

    /// Returns the content, or nil if there is no file.
    ///
    /// - Throws: `invalidData` if the file cannot be read, or contains something else.
    package func read() throws(BluetoothError) -> Content? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        let reason: String
        do {
            if let text = PrivateFile.read(path, limit: Self.sizeLimit) {
                return try JSONDecoder().decode(Content.self, from: Data(text.utf8))
            }
            reason = "it is larger than \(Self.sizeLimit) bytes, or not readable"
        } catch {
            reason = "\(error)"
        }
        throw BluetoothError(.invalidData, "The file \(path) cannot be read as \(subject): \(reason)")
    }

    /// Changes the content. The file is replaced as a whole, so that a reader or a crash never sees half of it. Its
    /// directory is created with mode 0700.
    ///
    /// - Parameters:
    ///   - empty: the content if there is no file.
    ///   - change: changes the current content.
    /// - Returns: the new content.
    /// - Throws: `failed` if the file cannot be written, or another program has kept it locked for a second;
    ///   `invalidData` if it contains something else.
    package func update(
        from empty: Content, _ change: (inout Content) -> Void
    ) throws(BluetoothError) -> Content {
        let claim = try claim()
        defer { withExtendedLifetime(claim) {} }
        var content = try read() ?? empty
        change(&content)
        do {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
            let data = try encoder.encode(content)
            try PrivateFile.replace(path, with: String(decoding: data, as: UTF8.self), syncs: true)
        } catch {
            throw unwritable("\(error)")
        }
        return content
    }

    /// Takes the lock for writing the file. Other programs hold it for a few milliseconds.
    private func claim() throws(BluetoothError) -> PrivateFile.Claim {
        do {
            if let claim = try PrivateFile.claim(path, within: timeout) { return claim }
        } catch {
            throw unwritable("\(error)")
        }
        throw unwritable("another program has locked \(path).lock")
    }

    private func unwritable(_ reason: String) -> BluetoothError {
        BluetoothError(.failed, "The file \(path) cannot be written: \(reason)")
    }
}
