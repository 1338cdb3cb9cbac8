import BlueZDBus

extension Mirror {
    /// The part of bluetoothd's reply to GetManagedObjects, `a{oa{sa{sv}}}`, that has not been applied yet.
    final class Snapshot {
        fileprivate var entries: MessageReader
        /// The objects in the mirror that have not occurred in the list yet.
        fileprivate var unseen: Set<ObjectPath>?
        /// The devices whose services are resolved, so that all of their objects are in the list.
        fileprivate var resolved: [ObjectPath] = []
        fileprivate(set) var isDone = false

        init(_ message: Message) throws(DBusError) {
            var reader = message.reader
            entries = try reader.enterArray()
        }
    }

    /// The duration of one slice of a snapshot. The actor does other work between slices.
    private static let slice = Duration.milliseconds(5)

    /// Applies the next objects of the list. After the last one, `isDone` is true, and objects that did not occur in
    /// the list are removed.
    func apply(_ snapshot: Snapshot) throws(DBusError) -> [Change] {
        let end = MonotonicInstant.now.advanced(by: Self.slice)
        var changes: [Change] = []
        if snapshot.unseen == nil { snapshot.unseen = paths }
        while !snapshot.entries.isAtEnd {
            for _ in 0..<32 where !snapshot.entries.isAtEnd {
                try snapshot.entries.readEntry { (entry) throws(DBusError) in
                    let path = try entry.readObjectPath()
                    snapshot.unseen?.remove(path)
                    try add(path, &entry, isListed: true, &changes)
                    if devices[path]?.areServicesResolved == true { snapshot.resolved.append(path) }
                }
            }
            if MonotonicInstant.now >= end { return changes }
        }
        for path in snapshot.unseen ?? [] { changes += remove(path) }
        for path in snapshot.resolved { completeServices(of: path) }
        snapshot.isDone = true
        return changes
    }
}
