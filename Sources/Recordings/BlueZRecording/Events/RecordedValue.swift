import BlueZJSONLine
import BlueZValues

/// `value`: a value that came without a request.
package struct RecordedValue: Equatable, Sendable, RecordedDeviceFields {
    /// The way in which the value came.
    package enum Way: String, CaseIterable, Sendable {
        /// In a D-Bus signal.
        case signal
        /// Through the socket of AcquireNotify.
        case socket
        case notification
        case indication
    }

    static let name = "value"
    package var device: BluetoothAddress
    /// Whether this side has sent it.
    package var isServedHere: Bool
    package var handle: UInt16
    package var value: [UInt8]
    package var by: Way

    package init(device: BluetoothAddress, isServedHere: Bool = false, handle: UInt16, value: [UInt8], by: Way) {
        self.device = device
        self.isServedHere = isServedHere
        self.handle = handle
        self.value = value
        self.by = by
    }

    package init() { self.init(device: .unread, handle: 0, value: [], by: .signal) }

    var content: RecordedEvent.Content { .value(self) }

    package mutating func code(_ keys: inout JSONKeys) {
        keys.add("device", required: &device, .address)
        keys.add("server", &isServedHere, unless: false, .here)
        keys.add("handle", required: &handle, .number())
        keys.add("value", required: &value, .bytes)
        keys.add("by", required: &by, .choice())
    }
}

/// `note`: what cannot be known, or was left out.
package struct RecordedNote: Equatable, Sendable, RecordedFields {
    /// Something was left out because of a limit, or lost.
    package static let dropped = "dropped"

    static let name = "note"
    /// A word or two for programs.
    package var kind: String
    /// A sentence for users.
    package var text: String
    package var device: BluetoothAddress?

    package init(kind: String, text: String, device: BluetoothAddress? = nil) {
        self.kind = kind
        self.text = text
        self.device = device
    }

    package init() { self.init(kind: "", text: "") }

    var content: RecordedEvent.Content { .note(self) }
    var subject: BluetoothAddress? { device }

    package mutating func code(_ keys: inout JSONKeys) {
        keys.add("device", &device, .address)
        keys.add("kind", required: &kind, .text)
        keys.add("text", required: &text, .text)
    }
}
