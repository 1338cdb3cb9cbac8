import BlueZScript
import FoundationEssentials
import Glibc
import SystemPackage

/// Files and the standard input.
enum Input {
    /// The whole file; `-` is the standard input.
    static func read(_ path: String) throws(CommandFailure) -> Data {
        if path == "-" { return try readStandardInput() }
        if let data = try? Data(contentsOf: URL(filePath: path)) { return data }
        var reason = "it is no regular file"
        do {
            try FileDescriptor.open(FilePath(path), .readOnly, options: .nonBlocking).close()
        } catch {
            reason = "\(error)"
        }
        throw CommandFailure(.notFound, "The file \(path) cannot be read: \(reason)")
    }

    /// FoundationEssentials reads only regular files, and this is usually a pipe.
    private static func readStandardInput() throws(CommandFailure) -> Data {
        var data = Data()
        errno = 0
        if fcntl(STDIN_FILENO, F_GETFD) >= 0 {
            while case let byte = getchar(), byte != EOF { data.append(UInt8(truncatingIfNeeded: byte)) }
        }
        guard errno == 0 else { throw CommandFailure(.inputOutput, "The standard input cannot be read") }
        return data
    }
}
