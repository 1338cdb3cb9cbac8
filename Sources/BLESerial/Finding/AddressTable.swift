import CoreBlueZ
import DequeModule

/// A value for each of the addresses found most recently.
///
/// Phones change their addresses every quarter of an hour, and a device may send a new one with each advertisement.
/// Beyond `limit`, the address added first is removed.
struct AddressTable<Value> {
    /// How many addresses have been added so far.
    private(set) var total = 0

    private let limit: Int
    private var values: [BluetoothAddress?: Value] = [:]
    private var order: Deque<BluetoothAddress?> = []

    init(limit: Int = 1_000) {
        self.limit = limit
    }

    /// The value of an address. Setting it adds the address if it is not there.
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
