import CoreBlueZ

/// The devices that bluetoothd knows, for the manager's methods that return some at once.
final class PeripheralDirectory: Sendable {
    /// A device.
    struct Entry: Sendable {
        let identifier: UUID
        let name: String?
        let isConnected: Bool
        let services: [BluetoothUUID]
    }

    private let entries = Lock<[UUID: Entry]>([:])

    /// The device with an identifier.
    subscript(identifier: UUID) -> Entry? {
        get { entries.withLock { $0[identifier] } }
        set { entries.withLock { $0[identifier] = newValue } }
    }

    /// Returns the connected devices with one of the services, ordered by identifier.
    func connected(with services: [BluetoothUUID]) -> [Entry] {
        let wanted = Set(services)
        let present = entries.withLock { Array($0.values) }
        return present.filter { $0.isConnected && !wanted.isDisjoint(with: $0.services) }
            .sorted { $0.identifier.uuidString < $1.identifier.uuidString }
    }
}
