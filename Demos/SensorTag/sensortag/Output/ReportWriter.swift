import BlueZPrintableText
import BlueZScript
import CoreBlueZ
import FoundationEssentials
import SensorTagProgram
import SystemPackage

/// Writes reports immediately to a file or to the standard output, one line each.
@BluetoothActor final class ReportWriter {
    /// How many reports were written.
    private(set) var count = 0
    private var format: ReportFormat
    private let output: FileDescriptor
    private let path: String?
    private var failure: (any Error)?
    private let failed: @BluetoothActor (any Error) -> Void

    /// Opens the file, or the standard output for "-". Lines are appended to existing ones.
    ///
    /// - Parameter failed: called once, when a line cannot be written; nothing is written after it.
    init(
        _ format: ReportFormat,
        path: String = "-",
        failed: @escaping @BluetoothActor (any Error) -> Void
    ) throws(CommandFailure) {
        self.format = format
        self.failed = failed
        guard path != "-" else {
            output = .standardOutput
            self.path = nil
            return
        }
        self.path = path
        do {
            output = try FileDescriptor.open(
                FilePath(path), .writeOnly, options: [.create, .append, .closeOnExec],
                permissions: [.ownerReadWrite, .groupRead, .otherRead])
        } catch {
            throw CommandFailure(.cannotCreate, "The file \(path.escapedForTerminal()) cannot be opened: \(error)")
        }
    }

    isolated deinit {
        if path != nil { try? output.close() }
    }

    /// Whether it writes to a file, not to the standard output.
    var isFile: Bool { path != nil }

    /// The name of the file, for users.
    var name: String { path.map { $0.escapedForTerminal() } ?? "the standard output" }

    /// The length of the file so far; nil if it has none.
    private var length: Int64? { path == nil ? nil : try? output.seek(offset: 0, from: .end) }

    /// Writes the header of a table with these columns. A file that is not empty must have the same header.
    func beginTable(_ columns: [String]) throws(CommandFailure) {
        format = .csv(columns)
        let header = CSV.header(columns)
        guard let path, (length ?? 0) > 0 else { return write(line: header) }
        // Mapped: a recording may be larger than the memory.
        let old = try? Data(contentsOf: URL(filePath: path), options: .mappedIfSafe)
        guard let old, old.starts(with: (header + "\n").utf8) else {
            throw CommandFailure(
                .cannotCreate,
                "The columns of the file \(path.escapedForTerminal()) are not those of this tag; give another file")
        }
    }

    /// Writes one report.
    func write(_ report: Report, device: String) {
        guard failure == nil else { return }
        do {
            write(line: try format.line(report, device: device, at: Date()))
            if failure == nil { count += 1 }
        } catch {
            fail(error)
        }
    }

    private func write(line: String) {
        guard failure == nil else { return }
        let start = length
        do {
            try output.writeAll((line + "\n").utf8)
        } catch {
            // An incomplete line would corrupt the file for its readers and for the next run.
            if let start, let end = length, end > start { try? output.resize(to: start) }
            fail(error)
        }
    }

    private func fail(_ error: any Error) {
        failure = error
        failed(error)
    }
}
