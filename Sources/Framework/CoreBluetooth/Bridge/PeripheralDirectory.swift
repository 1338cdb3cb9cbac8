import CoreBlueZ

/// The devices that bluetoothd knows, and some that it has forgotten, for the manager's methods that return some at
/// once.
final class PeripheralDirectory: Sendable {
    /// A device.
    struct Entry: Sendable {
        let identifier: UUID
        var name: String?
        var isConnected = false
        var services: [BluetoothUUID] = []
    }

    private struct Content {
        var present: [UUID: Entry] = [:]
        /// The devices that bluetoothd has forgotten, the oldest first.
        var former: [Entry] = []

        mutating func limitFormer() { former.removeFirst(max(0, former.count - PeripheralDirectory.limit)) }
    }

    /// How many devices are kept that bluetoothd has forgotten: as many as `StoredPeripherals` stores.
    static let limit = StoredPeripherals.limit

    private let content = Lock(Content())

    /// The device with an identifier.
    subscript(identifier: UUID) -> Entry? {
        content.withLock { content in
            content.present[identifier] ?? content.former.first { $0.identifier == identifier }
        }
    }

    /// Adds or changes a device that bluetoothd knows.
    func list(_ entry: Entry) {
        content.withLock { content in
            if content.present.updateValue(entry, forKey: entry.identifier) == nil {
                content.former.removeAll { $0.identifier == entry.identifier }
            }
        }
    }

    /// Keeps a device that bluetoothd has forgotten, in place of the oldest one if there are too many.
    func forget(_ identifier: UUID) {
        content.withLock { content in
            guard let entry = content.present.removeValue(forKey: identifier) else { return }
            content.former.append(Entry(identifier: identifier, name: entry.name))
            content.limitFormer()
        }
    }

    /// Adds devices that the program has stored, the oldest first.
    func add(stored identifiers: [UUID]) {
        content.withLock { content in
            let known = Set(content.former.map(\.identifier))
            let new = identifiers.filter { content.present[$0] == nil && !known.contains($0) }
            content.former = new.map { Entry(identifier: $0) } + content.former
            content.limitFormer()
        }
    }

    /// Returns the connected devices with one of the services, ordered by identifier.
    func connected(with services: [BluetoothUUID]) -> [Entry] {
        let wanted = Set(services)
        let present = content.withLock { Array($0.present.values) }
        return present.filter { $0.isConnected && !wanted.isDisjoint(with: $0.services) }
            .sorted { $0.identifier.uuidString < $1.identifier.uuidString }
    }
}
