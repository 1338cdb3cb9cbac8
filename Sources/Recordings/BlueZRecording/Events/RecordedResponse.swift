import BlueZJSONLine
import BlueZValues

/// `response`: the end of a request.
package struct RecordedResponse: Equatable, Sendable, RecordedFields {
    /// Why a request failed.
    package enum Failure: Equatable, Sendable {
        /// A code of the Attribute Protocol.
        case att(ATTError)
        /// A code of the controller (Core Specification, volume 1, part F).
        case hci(UInt8)
        /// A D-Bus error.
        case bus(name: String, text: String)
        /// No response came before the end of the link, or of the recording.
        case noResponse
    }

    /// The value of one of several attributes.
    package struct Value: Equatable, Sendable {
        package var handle: UInt16
        package var value: [UInt8]

        package init(handle: UInt16, value: [UInt8]) {
            self.handle = handle
            self.value = value
        }
    }

    let name = "response"
    /// That of the request.
    package var number: Int64
    package var value: [UInt8]?
    /// Those of a request for several attributes.
    package var values: [Value]?
    package var mtu: UInt16?
    /// Nil if the request succeeded.
    package var failure: Failure?

    package init(
        number: Int64, value: [UInt8]? = nil, values: [Value]? = nil, mtu: UInt16? = nil, failure: Failure? = nil
    ) {
        self.number = number
        self.value = value
        self.values = values
        self.mtu = mtu
        self.failure = failure
    }

    init(_ fields: EventFields) throws(FileError) {
        number = try fields.required("n", fields.integer("n", 0...Int64.max))
        value = try fields.bytes("value")
        values = try fields.objects("values", "a value") { fields throws(FileError) in
            Value(
                handle: try fields.required("handle", fields.handle("handle")),
                value: try fields.required("value", fields.bytes("value")))
        }
        mtu = try fields.handle("mtu")
        if try fields.flag("none") == true {
            failure = .noResponse
        } else if let node = fields["error"] {
            failure = try Failure(EventFields(node, "\"error\""))
        }
    }

    func write(to line: inout EventLine) {
        line.add("n", number)
        line.add("value", bytes: value)
        line.add("values", values) { value, line in
            line.object { line in
                line.add("handle", Int64(value.handle))
                line.add("value", bytes: value.value)
            }
        }
        line.add("mtu", mtu.map { Int64($0) })
        guard let failure else { return }
        if failure == .noResponse { return line.add("none", true) }
        line.add("error", object: { line in failure.write(to: &line) })
    }
}

extension RecordedResponse.Failure {
    fileprivate init(_ fields: EventFields) throws(FileError) {
        if let code = try fields.byte("att") {
            self = .att(ATTError(rawValue: code))
        } else if let code = try fields.byte("hci") {
            self = .hci(code)
        } else {
            let name = try fields.required("name", fields.text("name"))
            self = .bus(name: name, text: try fields.text("text") ?? "")
        }
    }

    fileprivate func write(to line: inout EventLine) {
        switch self {
        case .att(let error): line.add("att", Int64(error.rawValue))
        case .hci(let code): line.add("hci", Int64(code))
        case .bus(let name, let text):
            line.add("name", name)
            line.add("text", text)
        case .noResponse: break
        }
    }
}
