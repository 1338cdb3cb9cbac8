import BlueZDBus
import BlueZJSONLine
import BlueZRecording
import BlueZServer
import BlueZUnixSockets

/// The actor of all replays of a process. It is that of the simulators, too.
public typealias ReplayActor = BlueZServerActor

/// A recording, played as bluetoothd on a private bus: with the same devices, databases, responses, values and failures.
///
/// What a device did comes in the recorded order, after the requests that came before it in the recording, and as long
/// after them. If the client does not make such a request, its consequences come 10 s later without it. A request gets
/// the response of the same request in the recording. One that isn't there succeeds, returns the last known value, or
/// fails if there is none, and is added to `unrecordedRequests`.
///
/// To use it with any BlueZ client, set `DBUS_SYSTEM_BUS_ADDRESS` to its `address`. It ends when its last reference is
/// released.
@ReplayActor public final class ReplayedBlueZ {
    /// The address of the bus, for `BusAddress.address` and `DBUS_SYSTEM_BUS_ADDRESS`.
    public nonisolated let address: String
    /// The requests of clients for which the recording has no response, as sentences, each once. At most 1,000.
    public private(set) var unrecordedRequests: [String] = []

    let daemon: Daemon
    private var bus: PrivateBus?
    private var replay: Replay?

    /// Plays a file of `gatt record` or `gatt import` to any BlueZ client. It owns `org.bluez` on a private bus that it
    /// starts, or on the bus at an address.
    ///
    /// - Parameters:
    ///   - path: the path of the recording.
    ///   - isFast: whether to leave out the recorded waits; false by default.
    ///   - existing: the address of a bus; nil, the default, starts one.
    /// - Throws: `DBusError` if the file cannot be read or isn't a recording, with the line; or if the bus cannot be
    ///   started or reached, or `org.bluez` has another owner on it.
    public convenience init(_ path: String, isFast: Bool = false, bus existing: String? = nil) async throws {
        var options = Replay.Options()
        options.isFast = isFast
        try await self.init(try Self.plan(path), options, bus: existing)
    }

    /// Plays a recording that was read already.
    ///
    /// - Parameters:
    ///   - report: gets a sentence about each kind of request that the recording does not have.
    package init(
        _ plan: ReplayPlan, _ options: Replay.Options, bus existing: String? = nil,
        report: @escaping @BlueZServerActor (String) -> Void = { _ in }
    ) async throws {
        // Recordings contain what bluetoothd has only with --experimental.
        daemon = Daemon(timing: DaemonTiming(), isExperimental: true, version: plan.hasLinkEnds ? .v5_83 : .v5_66)
        if let existing {
            address = existing
        } else {
            let bus = try PrivateBus()
            address = bus.address
            self.bus = bus
        }
        let replay = Replay(plan, options) { [weak self] sentence in
            self?.unrecordedRequests.append(sentence)
            report(sentence)
        } restart: { [weak self] in
            Task { @BlueZServerActor in try? await self?.start() }
        }
        self.replay = replay
        try replay.addAdapters(to: daemon)
        try await start()
        replay.start()
    }

    isolated deinit {
        daemon.server.connection?.close()
    }

    /// Passes the next mark of each link; see `Replay.markKind`.
    package func mark() {
        replay?.mark()
    }

    private func start() async throws {
        try await daemon.start(on: address)
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
