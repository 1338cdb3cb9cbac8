import BlueZPrintableText

/// Reads, writes or changes the keys of an object, in their order: each kind of object lists its keys once, for all
/// three.
public struct JSONKeys {
    // What is generic is inlined: otherwise it is several times slower in other modules.
    @usableFromInline let object: JSONNode?
    @usableFromInline let change: (any JSONChange)?
    @usableFromInline let isStrict: Bool
    /// Asked first, because writing is what a recording does all the time.
    @usableFromInline let isWriting: Bool
    @usableFromInline var names: [String] = []
    @usableFromInline var output = JSONOutput()
    /// The first error of what is read.
    @usableFromInline var failure: FileError?

    @usableFromInline init(object: JSONNode? = nil, isStrict: Bool = false, change: (any JSONChange)? = nil) {
        self.object = object
        self.isStrict = isStrict
        isWriting = object == nil && change == nil
        self.change = change
    }

    /// Reads an object.
    ///
    /// - Parameters:
    ///   - kind: what it is, for messages.
    ///   - value: what it is without any keys.
    ///   - isStrict: whether other keys are errors.
    @inlinable public static func read<Value>(
        _ node: JSONNode, _ kind: String, into value: Value, isStrict: Bool = false,
        _ keys: (inout Value, inout JSONKeys) -> Void
    ) throws(FileError) -> Value {
        var value = value
        try update(&value, from: node, kind, isStrict: isStrict, keys)
        return value
    }

    /// Reads an object into a value, which keeps what the object doesn't have.
    @inlinable public static func update<Value>(
        _ value: inout Value, from node: JSONNode, _ kind: String, isStrict: Bool = false,
        _ keys: (inout Value, inout JSONKeys) -> Void
    ) throws(FileError) {
        guard case .object(let members) = node.content else {
            throw node.error("Expected \(kind), which is an object, found \(node.summary)")
        }
        var object = JSONKeys(object: node, isStrict: isStrict)
        keys(&value, &object)
        if isStrict, let member = members.first(where: { !object.names.contains($0.key) }) {
            throw object.unknown(member, kind)
        }
        if let failure = object.failure { throw failure }
    }

    /// Writes an object.
    @inlinable public static func write<Value>(
        _ value: Value, to output: inout JSONOutput, _ keys: (inout Value, inout JSONKeys) -> Void
    ) {
        var (object, value) = (JSONKeys(), value)
        swap(&object.output, &output)
        let isOuterFirst = object.output.beginObject()
        keys(&value, &object)
        object.output.endObject(isOuterFirst)
        swap(&object.output, &output)
    }

    /// Changes the values of an object.
    @inlinable public static func change<Value>(
        _ value: Value, _ change: any JSONChange, _ keys: (inout Value, inout JSONKeys) -> Void
    ) -> Value {
        var (object, value) = (JSONKeys(change: change), value)
        keys(&value, &object)
        return value
    }

    // MARK: Keys

    /// A key that may be missing or null, and is not written if the value is nil.
    @inlinable public mutating func add<Value>(
        _ key: String, _ value: inout Value?, _ field: @autoclosure () -> JSONField<Value>
    ) {
        if isWriting {
            if let value { output.add(key, value, field()) }
        } else if let object {
            if let read = read(key, object, field()) { value = read }
        } else if let change, let old = value {
            value = field().change(old, change)
        }
    }

    /// A key that must be there.
    @inlinable public mutating func add<Value>(
        _ key: String, required value: inout Value, _ field: @autoclosure () -> JSONField<Value>
    ) {
        if !isWriting, let object, failure == nil, object[key] == nil { failure = FileError(object.line, missing: key) }
        add(key, orElse: &value, field())
    }

    /// A key that is always written. If it is missing, the value stays as it is.
    @inlinable public mutating func add<Value>(
        _ key: String, orElse value: inout Value, _ field: @autoclosure () -> JSONField<Value>
    ) {
        if isWriting { return output.add(key, value, field()) }
        var optional: Value? = value
        add(key, &optional, field())
        value = optional ?? value
    }

    /// A key that is left out if the value is this one.
    @inlinable public mutating func add<Value: Equatable>(
        _ key: String, _ value: inout Value, unless missing: Value, _ field: @autoclosure () -> JSONField<Value>
    ) {
        let isReading = !isWriting && object != nil
        if isReading { value = missing }
        if isReading || value != missing { add(key, orElse: &value, field()) }
    }

    /// Members that have no keys of their own.
    public mutating func add(_ members: [JSONMember]) {
        if isWriting { output.add(members) }
    }

    /// A key that is written, and not read.
    @inlinable public mutating func write<Value>(
        _ key: String, _ value: Value?, _ field: @autoclosure () -> JSONField<Value>
    ) {
        if isWriting, let value { output.add(key, value, field()) }
    }

    /// The line of an object that is read.
    public var line: Int? { object?.line }

    /// Permits keys that are not read.
    public mutating func ignore(_ keys: [String]) { names += keys }

    /// Whether an object that is read has a key.
    public func has(_ key: String) -> Bool { object?[key] != nil }

    /// Refuses what was read, if nothing else was wrong.
    ///
    /// - Parameter path: the keys and indices of the value.
    public mutating func refuse(_ message: String, at path: [String] = []) {
        guard failure == nil, var node = object else { return }
        for step in path {
            let index = Int(step).flatMap { node.elements.indices.contains($0) ? $0 : nil }
            node = node[step] ?? index.map { node.elements[$0] } ?? node
        }
        failure = path.reversed().reduce(node.error(message)) { $0.inside($1) }
    }

    @inlinable mutating func read<Value>(
        _ key: String, _ object: JSONNode, _ field: @autoclosure () -> JSONField<Value>
    ) -> Value? {
        if isStrict, !names.contains(key) { names.append(key) }
        guard failure == nil, let node = object[key] else { return nil }
        do throws(FileError) {
            return try field().read(node)
        } catch {
            failure = error.inside(key)
            return nil
        }
    }

    @usableFromInline func unknown(_ member: JSONMember, _ kind: String) -> FileError {
        let hint =
            member.key.nearest(among: names).map { "did you mean \"\($0)\"?" }
            ?? "its keys are \(names.joined(separator: ", "))"
        return FileError(member.line, "\(kind) has no key \(JSONNode.quoted(member.key)); \(hint)")
    }
}

/// A change of the values of objects, whatever their keys are.
public protocol JSONChange {
    /// Returns the changed value, or the same.
    func changed<Value>(_ value: Value) -> Value
}
