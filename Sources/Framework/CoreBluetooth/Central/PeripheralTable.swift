/// The objects of a manager's peripherals, which belong to the program.
struct PeripheralTable {
    private struct Entry {
        weak var peripheral: CBPeripheral?
    }

    private var entries: [UUID: Entry] = [:]
    private var limit = 64

    /// The object of a peripheral, if the program holds it.
    subscript(identifier: UUID) -> CBPeripheral? { entries[identifier]?.peripheral }

    /// All objects that the program holds.
    var present: [CBPeripheral] { entries.values.compactMap(\.peripheral) }

    /// Returns the only object of a peripheral.
    mutating func object(of identifier: UUID, or new: () -> CBPeripheral) -> CBPeripheral {
        if let peripheral = self[identifier] { return peripheral }
        if entries.count >= limit {
            entries = entries.filter { $0.value.peripheral != nil }
            limit = max(64, 2 * entries.count)
        }
        let peripheral = new()
        entries[identifier] = Entry(peripheral: peripheral)
        return peripheral
    }
}
