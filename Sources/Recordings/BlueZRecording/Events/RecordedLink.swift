import BlueZJSONLine
import BlueZValues

/// `connected`: a link is up.
package struct RecordedConnection: Equatable, Sendable, RecordedFields {
    let name = "connected"
    package var device: BluetoothAddress
    package var addressType: BluetoothAddress.Kind?
    package var mtu: UInt16?
    /// Whether the device has made the link.
    package var incoming: Bool?

    package init(
        device: BluetoothAddress, addressType: BluetoothAddress.Kind? = nil, mtu: UInt16? = nil, incoming: Bool? = nil
    ) {
        self.device = device
        self.addressType = addressType
        self.mtu = mtu
        self.incoming = incoming
    }

    init(_ fields: EventFields) throws(FileError) {
        device = try fields.required("device", fields.address("device"))
        addressType = try fields.addressType()
        mtu = try fields.handle("mtu")
        incoming = try fields.flag("incoming")
    }

    func write(to line: inout EventLine) {
        line.add("device", device.description)
        line.add("addressType", addressType?.rawValue)
        line.add("mtu", mtu.map { Int64($0) })
        line.add("incoming", incoming)
    }
}

/// One of the ends of a link, or neither.
package enum RecordedSide: String, CaseIterable, Sendable {
    case here
    case there
    /// The link broke.
    case lost
}

/// `disconnected`: a link is gone.
package struct RecordedDisconnection: Equatable, Sendable, RecordedFields {
    let name = "disconnected"
    package var device: BluetoothAddress
    /// The controller's code (Core Specification, volume 1, part F).
    package var reason: UInt8?
    /// The side that ended the link.
    package var by: RecordedSide?

    package init(device: BluetoothAddress, reason: UInt8? = nil, by: RecordedSide? = nil) {
        self.device = device
        self.reason = reason
        self.by = by
    }

    init(_ fields: EventFields) throws(FileError) {
        device = try fields.required("device", fields.address("device"))
        reason = try fields.byte("reason")
        by = try fields.choice("by", RecordedSide.self)
    }

    func write(to line: inout EventLine) {
        line.add("device", device.description)
        line.add("reason", reason.map { Int64($0) })
        line.add("by", by?.rawValue)
    }
}

/// `mtu`: the MTU of a link.
package struct RecordedMTU: Equatable, Sendable, RecordedFields {
    let name = "mtu"
    package var device: BluetoothAddress
    package var mtu: UInt16

    package init(device: BluetoothAddress, mtu: UInt16) {
        self.device = device
        self.mtu = mtu
    }

    init(_ fields: EventFields) throws(FileError) {
        device = try fields.required("device", fields.address("device"))
        mtu = try fields.required("mtu", fields.handle("mtu"))
    }

    func write(to line: inout EventLine) {
        line.add("device", device.description)
        line.add("mtu", Int64(mtu))
    }
}

/// `pairing`: a step of a pairing. It never contains a passkey, a PIN or a key.
package struct RecordedPairing: Equatable, Sendable, RecordedFields {
    let name = "pairing"
    package var device: BluetoothAddress
    /// `begun`, `method`, `question`, `confirmed`, `failed`, `ended` or `encrypted`.
    package var step: String
    package var method: String?
    /// The code of a failure (Core Specification, volume 3, part H, 3.5.5).
    package var reason: UInt8?
    package var text: String?
    package var by: RecordedSide?

    package init(
        device: BluetoothAddress, step: String, method: String? = nil, reason: UInt8? = nil, text: String? = nil,
        by: RecordedSide? = nil
    ) {
        self.device = device
        self.step = step
        self.method = method
        self.reason = reason
        self.text = text
        self.by = by
    }

    init(_ fields: EventFields) throws(FileError) {
        device = try fields.required("device", fields.address("device"))
        step = try fields.required("step", fields.text("step"))
        method = try fields.text("method")
        reason = try fields.byte("reason")
        text = try fields.text("text")
        by = try fields.choice("by", RecordedSide.self)
    }

    func write(to line: inout EventLine) {
        line.add("device", device.description)
        line.add("step", step)
        line.add("method", method)
        line.add("reason", reason.map { Int64($0) })
        line.add("text", text)
        line.add("by", by?.rawValue)
    }
}
