import BlueZJSONLine
import BlueZValues

/// `value`: a value that came without a request.
package struct RecordedValue: Equatable, Sendable, RecordedFields {
    /// The way in which the value came.
    package enum Way: String, CaseIterable, Sendable {
        /// In a D-Bus signal.
        case signal
        /// Through the socket of AcquireNotify.
        case socket
        case notification
        case indication
    }

    let name = "value"
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

    init(_ fields: EventFields) throws(FileError) {
        device = try fields.required("device", fields.address("device"))
        isServedHere = try fields.isServedHere()
        handle = try fields.required("handle", fields.handle("handle"))
        value = try fields.required("value", fields.bytes("value"))
        by = try fields.required("by", fields.choice("by", Way.self))
    }

    func write(to line: inout EventLine) {
        line.add("device", device.description)
        if isServedHere { line.add("server", "here") }
        line.add("handle", Int64(handle))
        line.add("value", bytes: value)
        line.add("by", by.rawValue)
    }
}

/// `note`: what cannot be known, or was left out.
package struct RecordedNote: Equatable, Sendable, RecordedFields {
    /// Something was left out because of a limit, or lost.
    package static let dropped = "dropped"

    let name = "note"
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

    init(_ fields: EventFields) throws(FileError) {
        kind = try fields.required("kind", fields.text("kind"))
        text = try fields.required("text", fields.text("text"))
        device = try fields.address("device")
    }

    func write(to line: inout EventLine) {
        line.add("device", device?.description)
        line.add("kind", kind)
        line.add("text", text)
    }
}
