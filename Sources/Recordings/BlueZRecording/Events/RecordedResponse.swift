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

    static let name = "response"
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

    package init() { self.init(number: 0) }

    var content: RecordedEvent.Content { .response(self) }

    package mutating func code(_ keys: inout JSONKeys) {
        keys.add("n", required: &number, .number(from: 0))
        keys.add("value", &value, .bytes)
        keys.add("values", &values, .list(.value))
        keys.add("mtu", &mtu, .number())
        var isMissing = failure == .noResponse ? true : nil
        var error = failure == .noResponse ? nil : failure
        keys.add("none", &isMissing, .flag)
        keys.add("error", &error, .failure)
        failure = isMissing == true ? .noResponse : error
    }
}

extension JSONField<RecordedResponse.Value> {
    fileprivate static var value: JSONField {
        .object("a value", RecordedResponse.Value(handle: 0, value: [])) { value, keys in
            keys.add("handle", required: &value.handle, .number())
            keys.add("value", required: &value.value, .bytes)
        }
    }
}

extension JSONField<RecordedResponse.Failure> {
    fileprivate static var failure: JSONField {
        .object("an error", .noResponse) { failure, keys in
            var (att, hci, name, text): (UInt8?, UInt8?, String?, String?)
            switch failure {
            case .att(let error): att = error.rawValue
            case .hci(let code): hci = code
            case .bus(let busName, let busText): (name, text) = (busName, busText)
            case .noResponse: break
            }
            keys.add("att", &att, .number())
            keys.add("hci", &hci, .number())
            if let att { return failure = .att(ATTError(rawValue: att)) }
            if let hci { return failure = .hci(hci) }
            var known = name ?? ""
            keys.add("name", required: &known, .text)
            keys.add("text", &text, .text)
            failure = .bus(name: known, text: text ?? "")
        }
    }
}
