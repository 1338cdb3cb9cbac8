import BlueZJSONLine

/// Reads, writes or redacts the keys of an object of a recording, in their order: each kind of object lists its keys once,
/// for all three.
struct EventCoder {
    private let object: EventObject?
    private let redaction: Redaction?
    private var line = EventLine()
    /// The first error of what is read.
    private var failure: FileError?

    /// Reads an object.
    ///
    /// - Parameter value: what it is without any keys.
    static func read<Value>(
        _ object: EventObject, into value: Value, _ keys: (inout Value, inout EventCoder) -> Void
    ) throws(FileError) -> Value {
        var (coder, value) = (EventCoder(object: object, redaction: nil), value)
        keys(&value, &coder)
        if let failure = coder.failure { throw failure }
        return value
    }

    static func write<Value>(
        _ value: Value, to line: inout EventLine, _ keys: (inout Value, inout EventCoder) -> Void
    ) {
        var (coder, value) = (EventCoder(object: nil, redaction: nil), value)
        swap(&coder.line, &line)
        let isOuterFirst = coder.line.beginObject()
        keys(&value, &coder)
        coder.line.endObject(isOuterFirst)
        swap(&coder.line, &line)
    }

    /// Replaces the addresses and UUIDs of a value.
    static func redact<Value>(
        _ value: Value, _ redaction: Redaction, _ keys: (inout Value, inout EventCoder) -> Void
    ) -> Value {
        var (coder, value) = (EventCoder(object: nil, redaction: redaction), value)
        keys(&value, &coder)
        return value
    }

    private init(object: EventObject?, redaction: Redaction?) {
        self.object = object
        self.redaction = redaction
    }

    // MARK: Keys

    /// A key that may be missing, and is not written if the value is nil.
    mutating func add<Value>(_ key: String, _ value: inout Value?, _ field: EventField<Value>) {
        if let object {
            if let read = read(key, object, field) { value = read }
        } else if let redaction {
            value = value.map { field.redact($0, redaction) }
        } else if let value {
            line.add(key, value, field)
        }
    }

    /// A key that must be there.
    mutating func add<Value>(_ key: String, required value: inout Value, _ field: EventField<Value>) {
        if let object, failure == nil, object[key] == nil { failure = object.missing(key) }
        add(key, orElse: &value, field)
    }

    /// A key that is always written. The value without it is the one that there is.
    mutating func add<Value>(_ key: String, orElse value: inout Value, _ field: EventField<Value>) {
        var optional: Value? = value
        add(key, &optional, field)
        value = optional ?? value
    }

    /// A key that is left out if the value is this one.
    mutating func add<Value: Equatable>(
        _ key: String, _ value: inout Value, unless missing: Value, _ field: EventField<Value>
    ) {
        if object != nil { value = missing }
        if object != nil || value != missing { add(key, orElse: &value, field) }
    }

    /// Members that are no keys of the event.
    mutating func add(_ members: [JSONMember]) {
        if object == nil, redaction == nil { line.add(members) }
    }

    private mutating func read<Value>(_ key: String, _ object: EventObject, _ field: EventField<Value>) -> Value? {
        guard failure == nil, let node = object[key] else { return nil }
        do throws(FileError) {
            return try field.read(node, EventPlace(object: object, key: key))
        } catch {
            failure = error
            return nil
        }
    }
}

/// The members of an object of a recording.
struct EventObject {
    let members: [JSONMember]
    private let line: Int
    /// What the object is, for messages.
    private let kind: String

    init(_ node: JSONNode, _ kind: String) throws(FileError) {
        guard case .object(let members) = node.content else {
            throw FileError(node.line, "Expected an object for \(kind), found \(node.summary)")
        }
        self.members = members
        self.kind = kind
        line = node.line
    }

    subscript(_ key: String) -> JSONNode? { members.first { $0.key == key }?.value }

    func error(_ key: String, _ message: String) -> FileError {
        FileError(line, "In \(kind), \(JSONNode.quoted(key)) \(message)")
    }

    func missing(_ key: String) -> FileError { FileError(line, "There is no \"\(key)\" in \(kind)") }
}

/// The place of a value, for its error.
struct EventPlace {
    let object: EventObject
    let key: String

    func error(_ message: String) -> FileError { object.error(key, message) }
}
