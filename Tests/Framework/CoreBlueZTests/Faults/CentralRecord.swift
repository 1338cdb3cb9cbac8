import BlueZDBus
import FoundationEssentials
import TestSupport

@testable import BlueZClient
@testable import CoreBlueZ

/// What was asked for in one round, how it ended, and what was sent by then.
///
/// The moment is known by markers: calls without an effect, on the same connection as all others. Messages of one
/// connection arrive in order, so that what follows a marker in bluetoothd's log was sent after it.
@BluetoothActor final class CentralRecord: FaultRecord {
    /// One operation with one completion.
    struct Entry {
        let title: String
        let attribute: CentralSchedule.Attribute
        let isTask: Bool
        /// The value that only this operation writes.
        let number: UInt32?
        let isWithResponse: Bool
        let isThroughSocket: Bool
        var ends = 0
        var error: BluetoothError?
        /// What was sent behind this marker was sent after the operation had ended.
        var marker: Int?
        /// Whether its task has come to run.
        var hasBegun: Bool
        /// The marker before its task was cancelled, which had begun by then.
        var cancellation: Int?

        var isPending: Bool { ends == 0 }
    }

    /// A subscription with a consumer, or a socket with a closure for its end.
    @BluetoothActor final class Track {
        let title: String
        let attribute: CentralSchedule.Attribute
        let takesValues: Bool
        var isEstablished = false
        /// Whether its link, peripheral or manager has gone, so that it must end by itself.
        var isDoomed = false
        var ends = 0
        var lastValue: Data?

        init(_ title: String, _ attribute: CentralSchedule.Attribute, takesValues: Bool) {
            self.title = title
            self.attribute = attribute
            self.takesValues = takesValues
        }

        var isOpen: Bool { isEstablished && ends == 0 }
    }

    private(set) var entries: [Entry] = []
    private(set) var tracks: [Track] = []
    weak var client: BlueZClient?
    private var openMarker: Int?
    private var lastMarker: Int
    private var lastNumber: UInt32

    /// Makes a record of nothing so far.
    ///
    /// - Parameter index: the record's among those of a simulator: each has numbers of its own.
    init(_ index: Int = 0) {
        lastMarker = index * 100_000
        lastNumber = UInt32(lastMarker)
    }

    /// Notes the beginning of an operation.
    ///
    /// - Returns: what `end` takes.
    func begin(
        _ title: String, _ attribute: CentralSchedule.Attribute, isTask: Bool, number: UInt32? = nil,
        isWithResponse: Bool = false, isThroughSocket: Bool = false
    ) -> Int {
        // What begins now may be sent now.
        openMarker = nil
        entries.append(
            Entry(
                title: title, attribute: attribute, isTask: isTask, number: number, isWithResponse: isWithResponse,
                isThroughSocket: isThroughSocket, hasBegun: !isTask
            )
        )
        return entries.count - 1
    }

    /// Notes that an operation's task runs.
    func taskBegins(_ index: Int) {
        openMarker = nil
        entries[index].hasBegun = true
    }

    /// Notes an operation's end. A task's end is known late, therefore nothing is concluded from its moment.
    func end(_ index: Int, _ error: BluetoothError?) {
        entries[index].ends += 1
        entries[index].error = error
        guard !entries[index].isTask else { return }
        // After a success the next one may be sent at once, and more than one message may come in a turn.
        guard error != nil else { return openMarker = nil }
        if openMarker == nil { mark() }
        guard entries[index].marker == nil, !isBehindTask(index) else { return }
        entries[index].marker = openMarker
    }

    /// Whether a task's operation of the attribute may have succeeded just now, without a note of it yet.
    private func isBehindTask(_ index: Int) -> Bool {
        entries[..<index].contains { $0.isPending && $0.isTask && $0.attribute == entries[index].attribute }
    }

    func track(_ title: String, _ attribute: CentralSchedule.Attribute, takesValues: Bool) -> Track {
        let track = Track(title, attribute, takesValues: takesValues)
        tracks.append(track)
        return track
    }

    /// A number that no other write of the round has.
    func makeNumber() -> UInt32 {
        lastNumber += 1
        return lastNumber
    }

    /// All that is established now must end by itself.
    func doom() {
        for track in tracks where track.isEstablished { track.isDoomed = true }
    }

    // MARK: Markers

    private nonisolated static let prefix = "/marker/"

    /// Sends a marker. It holds for what ends in this turn of the actor.
    func mark() {
        openMarker = nil
        guard let connection = client?.connection else { return }
        lastMarker += 1
        let number = lastMarker
        do throws(DBusError) {
            let message = try Message.methodCall(
                to: BlueZ.service, path: try ObjectPath("/org/bluez/hci0"), interface: BlueZ.adapter,
                member: "RemoveDevice"
            )
            message.forbidAutoStart()
            message.forbidReply()
            let path = try ObjectPath("\(Self.prefix)\(number)")
            try message.write { (writer) throws(DBusError) in try writer.append(.objectPath(path)) }
            try connection.send(message)
        } catch {
            return
        }
        openMarker = number
        BluetoothActor.perform { [weak self] in
            if self?.openMarker == number { self?.openMarker = nil }
        }
    }

    /// Everything that is pending ends in `body`, if that returns true.
    func markEnd(_ body: () -> Bool) {
        mark()
        let marker = openMarker
        let pending = entries.indices.filter { entries[$0].isPending }
        guard body() else { return }
        for index in pending { entries[index].marker = entries[index].marker ?? marker }
    }

    /// The tasks are cancelled now: the operations of those that have begun end soon, one right after the other; those of
    /// the others must not begin.
    func markCancellation() {
        mark()
        for index in entries.indices where entries[index].isPending && entries[index].isTask {
            if entries[index].hasBegun {
                entries[index].cancellation = entries[index].cancellation ?? openMarker
            } else {
                entries[index].marker = entries[index].marker ?? openMarker
            }
        }
        openMarker = nil
    }

    /// The number of a marker among the arguments of a call.
    nonisolated static func marker(in arguments: [Value]) -> Int? {
        guard case .objectPath(let path) = arguments.first, path.string.hasPrefix(prefix) else { return nil }
        return Int(path.string.dropFirst(prefix.count))
    }

    var pending: [String] { entries.filter(\.isPending).map(\.title) }
}
