import BlueZJSONLine
import BlueZValues

/// `connected`: a link is up.
package struct RecordedConnection: Equatable, Sendable, RecordedDeviceFields {
    static let name = "connected"
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

    package init() { self.init(device: .unread) }

    var content: RecordedEvent.Content { .connected(self) }

    package mutating func code(_ keys: inout JSONKeys) {
        keys.add("device", required: &device, .address)
        keys.add("addressType", &addressType, .addressType)
        keys.add("mtu", &mtu, .number())
        keys.add("incoming", &incoming, .flag)
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
package struct RecordedDisconnection: Equatable, Sendable, RecordedDeviceFields {
    static let name = "disconnected"
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

    package init() { self.init(device: .unread) }

    var content: RecordedEvent.Content { .disconnected(self) }

    package mutating func code(_ keys: inout JSONKeys) {
        keys.add("device", required: &device, .address)
        keys.add("reason", &reason, .number())
        keys.add("by", &by, .choice())
    }
}

/// `mtu`: the MTU of a link.
package struct RecordedMTU: Equatable, Sendable, RecordedDeviceFields {
    static let name = "mtu"
    package var device: BluetoothAddress
    package var mtu: UInt16

    package init(device: BluetoothAddress, mtu: UInt16) {
        self.device = device
        self.mtu = mtu
    }

    package init() { self.init(device: .unread, mtu: 0) }

    var content: RecordedEvent.Content { .mtu(self) }

    package mutating func code(_ keys: inout JSONKeys) {
        keys.add("device", required: &device, .address)
        keys.add("mtu", required: &mtu, .number())
    }
}

/// `pairing`: a step of a pairing. It never contains a passkey, a PIN or a key.
package struct RecordedPairing: Equatable, Sendable, RecordedDeviceFields {
    static let name = "pairing"
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

    package init() { self.init(device: .unread, step: "") }

    var content: RecordedEvent.Content { .pairing(self) }

    package mutating func code(_ keys: inout JSONKeys) {
        keys.add("device", required: &device, .address)
        keys.add("step", required: &step, .text)
        keys.add("method", &method, .text)
        keys.add("reason", &reason, .number())
        keys.add("text", &text, .text)
        keys.add("by", &by, .choice())
    }
}
