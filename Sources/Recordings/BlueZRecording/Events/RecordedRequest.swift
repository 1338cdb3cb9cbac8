import BlueZJSONLine
import BlueZValues

/// `request`: something that was asked for.
package struct RecordedRequest: Equatable, Sendable, RecordedFields {
    let name = "request"
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

    init(_ fields: EventFields) throws(FileError) {
        number = try fields.required("n", fields.integer("n", 0...Int64.max))
        operation = RecordedOperation(rawValue: try fields.required("op", fields.text("op")))
        client = try fields.text("client")
        device = try fields.address("device")
        isServedHere = try fields.isServedHere()
        handle = try fields.handle("handle")
        handles = try fields.handles("handles")
        uuid = try fields.uuid("uuid")
        offset = try fields.handle("offset")
        value = try fields.bytes("value")
        setting =
            try fields.dictionary("setting", "\"setting\"") { key, fields throws(FileError) in
                (key, try fields.text(key) ?? "")
            } ?? [:]
    }

    func write(to line: inout EventLine) {
        line.add("n", number)
        line.add("op", operation.rawValue)
        line.add("client", client)
        line.add("device", device?.description)
        if isServedHere { line.add("server", "here") }
        line.add("handle", handle.map { Int64($0) })
        line.add("handles", handles) { handle, line in line.append(number: handle) }
        line.add("uuid", uuid?.description)
        line.add("offset", offset.map { Int64($0) })
        line.add("value", bytes: value)
        guard !setting.isEmpty else { return }
        line.add(
            "setting",
            object: { line in
                for (key, text) in setting.sorted(by: { $0.key < $1.key }) { line.add(key, text) }
            })
    }
}

extension EventFields {
    func isServedHere() throws(FileError) -> Bool {
        guard let text = try text("server") else { return false }
        guard text == "here" else { throw error("server", "must be here") }
        return true
    }
}
