import BlueZDBus
import BlueZJSONLine
import BlueZRecording
import BlueZReplay
import BlueZUnixSockets

extension SimulatedBlueZ {
    /// Creates a simulator that plays a file of `gatt record` or `gatt import` to any BlueZ client: the same devices,
    /// databases, responses, values and failures. It owns `org.bluez` on a private bus that it starts, or on the bus at
    /// an address.
    ///
    /// What a device did comes in the recorded order, after the requests that came before it in the recording, and as
    /// long after them. If the client does not make such a request, its consequences come 10 s later without it. A
    /// request gets the response of the same request in the recording. One that isn't there succeeds, returns the last
    /// known value, or fails if there is none, and is added to `unrecordedRequests`.
    ///
    /// - Parameters:
    ///   - path: the path of the recording.
    ///   - isFast: whether to leave out the recorded waits; false by default.
    ///   - existing: the address of a bus; nil, the default, starts one.
    /// - Throws: `DBusError` if the file cannot be read or isn't a recording, with the line; or if the bus cannot be
    ///   started or reached, or `org.bluez` has another owner on it.
    public convenience init(replaying path: String, isFast: Bool = false, bus existing: String? = nil) async throws {
        var options = Replay.Options()
        options.isFast = isFast
        try await self.init(replaying: try Self.plan(path), options, bus: existing)
    }

    private static func plan(_ path: String) throws(DBusError) -> ReplayPlan {
        let file = try FileInput(path)
        do {
            var reader = try RecordingReader(ByteSource { try file.read() })
            return try ReplayPlan(reader.header.origin) { try reader.next() }
        } catch let error as FileError {
            throw .invalidArguments("\(path):\(error.line): \(error.message)")
        } catch let error as ReplayPlan.Failure {
            throw .invalidArguments("\(path): \(error.message)")
        } catch {
            throw error as? DBusError ?? .invalidArguments("\(path): \(error)")
        }
    }
}
