import BlueZDBus
import BlueZJSONLine
import BlueZRecording
import BlueZScript
import BlueZUnixSockets

/// The events of a file, which is a recording or a capture.
struct RecordingInput {
    private let path: String
    /// One of these.
    private var recording: RecordingReader?
    private var capture: CaptureImporter?

    /// The first line of the recording.
    let header: RecordingHeader

    /// Opens a file; `-` is the standard input.
    init(_ path: String) throws(CommandFailure) {
        self.path = path
        let file: FileInput
        do throws(DBusError) {
            file = try FileInput(path)
        } catch {
            throw CommandFailure(.notFound, "The file \(path) cannot be read: \(error.message)")
        }
        do {
            var source = ByteSource { try file.read() }
            if RecordingReader.isRecording(try source.peek(1)) {
                let recording = try RecordingReader(source)
                header = recording.header
                self.recording = recording
            } else {
                let importer = try CaptureImporter(source)
                header = importer.header
                capture = importer
            }
        } catch {
            throw Self.failure(error, path)
        }
    }

    /// Returns the next event; nil at the end.
    mutating func next() throws(CommandFailure) -> RecordedEvent? {
        do {
            // Both are changed in place: a copy of an importer is large.
            return try recording?.next() ?? capture?.next()
        } catch {
            throw Self.failure(error, path)
        }
    }

    static func failure(_ error: any Error, _ path: String) -> CommandFailure {
        switch error {
        case let error as FileError: CommandFailure(.data, "\(path):\(error.line): \(error.message)")
        case let error as CaptureError: CommandFailure(.data, "\(path): byte \(error.offset): \(error.message)")
        case let error as DBusError: CommandFailure(.notFound, "The file \(path) cannot be read: \(error.message)")
        default: CommandFailure(any: error)
        }
    }
}
