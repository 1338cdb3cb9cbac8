import BlueZJSONLine
import BlueZValues

/// `adapter`: an adapter, or a change of it.
package struct RecordedAdapter: Equatable, Sendable, RecordedFields {
    let name = "adapter"
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

    init(_ fields: EventFields) throws(FileError) {
        adapter = try fields.required("adapter", fields.text("adapter"))
        address = try fields.address("address")
        powered = try fields.flag("powered")
        removed = try fields.flag("removed")
    }

    func write(to line: inout EventLine) {
        line.add("adapter", adapter)
        line.add("address", address?.description)
        line.add("powered", powered)
        line.add("removed", removed)
    }
}
