import BlueZPrintableText
import CoreBlueZ
import FoundationEssentials
import SensorTagProgram
import SystemPackage

/// The readings of one tag in a CSV file of its own, which is removed with the recording.
@BluetoothActor final class Recording {
    /// The file.
    nonisolated let file: URL
    /// The name of the download.
    nonisolated let downloadName: String
    /// How many readings it has.
    private(set) var count = 0
    /// Whether readings are added.
    private(set) var isOn = true
    /// Why it ended early, if it did.
    private(set) var problem: String?

    private let columns: [String]
    private var output: FileDescriptor?
    private var size = 0
    /// Enough for four tags at full speed for an hour each.
    static let largest = 256 * 1024 * 1024

    /// Begins a file with the columns of these sensors.
    init(in folder: RecordingFolder, device: String, sensors: [String], at date: Date) throws {
        let name = device.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
        let time = date.formatted(.iso8601).filter { $0.isLetter || $0.isNumber }
        downloadName = "sensortag-\(name)-\(time).csv"
        var generator = SystemRandomNumberGenerator()
        file = folder.url.appending(
            path: "\(name)-\(String(hexadecimal: generator.next() as UInt64, digits: 16)).csv")
        columns = CSV.columns(of: sensors)
        output = try FileDescriptor.open(
            FilePath(file.path), .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec],
            permissions: [.ownerReadWrite])
        write(CSV.header(columns))
    }

    isolated deinit {
        end()
        try? FileManager.default.removeItem(at: file)
    }

    /// Adds a reading.
    func add(_ report: Report, device: String, at date: Date) {
        guard isOn else { return }
        let time = Date.ISO8601FormatStyle(includingFractionalSeconds: true).format(date)
        write(CSV.line(report, columns, device: device, time: time))
        if isOn { count += 1 }
    }

    /// Ends it; the file stays.
    func end() {
        isOn = false
        try? output?.close()
        output = nil
    }

    /// Ends it, and empties the file: downloads that have not finished end without the rest.
    func discard() {
        end()
        try? FileDescriptor.open(FilePath(file.path), .writeOnly, options: [.truncate, .closeOnExec]).close()
    }

    private func write(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        size += bytes.count
        do {
            guard size <= Self.largest else { return fail("The recording is as large as it can get") }
            try output?.writeAll(bytes)
        } catch {
            fail("The recording cannot be written: \(error)")
        }
    }

    private func fail(_ problem: String) {
        self.problem = problem
        end()
    }
}
