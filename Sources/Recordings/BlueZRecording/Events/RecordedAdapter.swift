import BlueZJSONLine
import BlueZValues

/// `adapter`: an adapter, or a change of it.
package struct RecordedAdapter: Equatable, Sendable, RecordedFields {
    static let name = "adapter"
    /// Its name, such as "hci0".
    package var adapter: String
    package var address: BluetoothAddress?
    package var powered: Bool?
    /// Whether it is gone.
    package var removed: Bool?

    package init(adapter: String, address: BluetoothAddress? = nil, powered: Bool? = nil, removed: Bool? = nil) {
        self.adapter = adapter
        self.address = address
        self.powered = powered
        self.removed = removed
    }

    package init() { self.init(adapter: "") }

    var content: RecordedEvent.Content { .adapter(self) }

    package mutating func code(_ keys: inout JSONKeys) {
        keys.add("adapter", required: &adapter, .text)
        keys.add("address", &address, .address)
        keys.add("powered", &powered, .flag)
        keys.add("removed", &removed, .flag)
    }
}
