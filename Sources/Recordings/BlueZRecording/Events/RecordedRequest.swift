import BlueZJSONLine
import BlueZValues

/// `request`: something that was asked for.
package struct RecordedRequest: Equatable, Sendable, RecordedFields {
    static let name = "request"
    /// The number that the response repeats. It occurs in no other request.
    package var number: Int64
    package var operation: RecordedOperation
    /// The client that asked, if there are several.
    package var client: String?
    package var device: BluetoothAddress?
    /// Whether the other side asks for an attribute of this side.
    package var isServedHere = false
    /// The attribute's handle: for a characteristic, that of its value.
    package var handle: UInt16?
    /// Those of a request for several attributes.
    package var handles: [UInt16]?
    /// The type of the attributes of a request that names no handle.
    package var uuid: BluetoothUUID?
    package var offset: UInt16?
    package var value: [UInt8]?
    /// Other parameters.
    package var setting: [String: String] = [:]

    package init(number: Int64, _ operation: RecordedOperation, device: BluetoothAddress? = nil) {
        self.number = number
        self.operation = operation
        self.device = device
    }

    package init() { self.init(number: 0, .read) }

    var content: RecordedEvent.Content { .request(self) }
    var subject: BluetoothAddress? { device }

    package mutating func code(_ keys: inout JSONKeys) {
        keys.add("n", required: &number, .number(from: 0))
        keys.add("op", required: &operation, .operation)
        keys.add("client", &client, .text)
        keys.add("device", &device, .address)
        keys.add("server", &isServedHere, unless: false, .here)
        keys.add("handle", &handle, .number())
        keys.add("handles", &handles, .list(.number()))
        keys.add("uuid", &uuid, .uuid)
        keys.add("offset", &offset, .number())
        keys.add("value", &value, .bytes)
        keys.add("setting", &setting, unless: [:], .dictionary("", of: .text, key: { $0 }, { $0 }))
    }
}

extension JSONField<RecordedOperation> {
    fileprivate static var operation: JSONField {
        JSONField("", text: \.rawValue) { RecordedOperation(rawValue: $0) }
    }
}
