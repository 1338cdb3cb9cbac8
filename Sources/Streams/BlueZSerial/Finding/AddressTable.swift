import CoreBlueZ
import DequeModule

/// A table with a value for each of the addresses that were found most recently.
///
/// Phones change their addresses every 15 minutes, and a device may use a new one for each advertisement. If there are
/// more than `limit`, the address that was added first is removed.
struct AddressTable<Value> {
    /// The number of addresses added so far.
    private(set) var total = 0

    private let limit: Int
    private var values: [BluetoothAddress?: Value] = [:]
    private var order: Deque<BluetoothAddress?> = []

    init(limit: Int = 1_000) {
        self.limit = limit
    }

    /// The value of an address. Setting it adds the address if necessary.
    subscript(address: BluetoothAddress?) -> Value? {
        get { values[address] }
        set {
            guard let newValue, values.updateValue(newValue, forKey: address) == nil else { return }
            total += 1
            order.append(address)
            if order.count > limit { values[order.removeFirst()] = nil }
        }
    }
}
