/// How the value of a key is read, written and changed.
public struct JSONField<Value> {
    /// Reads a value; throws what is wrong with it.
    public let read: (JSONNode) throws(FileError) -> Value
    /// Writes a value.
    public let write: (Value, inout JSONOutput) -> Void
    /// Changes a value.
    public let change: (Value, any JSONChange) -> Value

    /// Creates a field of three functions.
    @inlinable public init(
        _ read: @escaping (JSONNode) throws(FileError) -> Value,
        write: @escaping (Value, inout JSONOutput) -> Void,
        change: @escaping (Value, any JSONChange) -> Value = { value, _ in value }
    ) {
        self.read = read
        self.write = write
        self.change = change
    }
}

extension JSONField {
    /// A value that is written as text.
    ///
    /// - Parameter expected: what it should be, for messages.
    @inlinable public init(
        _ expected: String, text format: @escaping (Value) -> String, _ parse: @escaping (String) -> Value?
    ) {
        self.init { node throws(FileError) in
            guard case .string(let text) = node.content else { throw node.error(wanted: "text in quotation marks") }
            guard let value = parse(text) else { throw node.error(wanted: expected) }
            return value
        } write: { value, output in
            output.append(format(value))
        }
    }

    /// A value of the same form that a `JSONChange` gets; one without this doesn't change.
    @inlinable public var changeable: JSONField {
        JSONField(read, write: write) { value, change in change.changed(value) }
    }

    /// A value with a condition.
    ///
    /// - Parameter check: returns what is wrong; nil for nothing.
    @inlinable public func checked(_ check: @escaping (Value) -> String?) -> JSONField {
        JSONField(
            { node throws(FileError) in
                let value = try read(node)
                if let message = check(value) { throw node.error(message) }
                return value
            }, write: write, change: change)
    }

    /// An object with keys of its own.
    ///
    /// - Parameters: see `JSONKeys.read`.
    @inlinable public static func object(
        _ kind: String, _ value: Value, isStrict: Bool = false,
        _ keys: @escaping (inout Value, inout JSONKeys) -> Void
    ) -> JSONField {
        JSONField { node throws(FileError) in
            try JSONKeys.read(node, kind, into: value, isStrict: isStrict, keys)
        } write: { value, output in
            JSONKeys.write(value, to: &output, keys)
        } change: { value, change in
            JSONKeys.change(value, change, keys)
        }
    }

    /// A list of such values.
    @inlinable public static func list<Element>(_ element: JSONField<Element>) -> JSONField where Value == [Element] {
        JSONField { node throws(FileError) in
            guard case .array(let nodes) = node.content else { throw node.error(wanted: "a list") }
            var elements: [Element] = []
            elements.reserveCapacity(nodes.count)
            for (index, node) in nodes.enumerated() {
                do throws(FileError) {
                    elements.append(try element.read(node))
                } catch {
                    throw error.inside("\(index)")
                }
            }
            return elements
        } write: { elements, output in
            output.list(elements, element.write)
        } change: { elements, change in
            elements.map { element.change($0, change) }
        }
    }

    /// An object whose keys are data.
    ///
    /// - Parameter expected: what a key should be, for messages.
    @inlinable public static func dictionary<Key: Hashable & Comparable, Element>(
        _ expected: String, of element: JSONField<Element>, key format: @escaping (Key) -> String,
        _ parse: @escaping (String) -> Key?
    ) -> JSONField where Value == [Key: Element] {
        JSONField { node throws(FileError) in
            guard case .object(let members) = node.content else { throw node.error(wanted: "an object") }
            var elements: [Key: Element] = [:]
            for member in members {
                do throws(FileError) {
                    guard let key = parse(member.key) else { throw member.value.error("The key is not \(expected)") }
                    elements[key] = try element.read(member.value)
                } catch {
                    throw error.inside(JSONNode.quoted(member.key))
                }
            }
            return elements
        } write: { elements, output in
            let isOuterFirst = output.beginObject()
            for (key, value) in elements.sorted(by: { $0.key < $1.key }) { output.add(format(key), value, element) }
            output.endObject(isOuterFirst)
        } change: { elements, change in
            elements.mapValues { element.change($0, change) }
        }
    }

    /// A whole number, which may also be written like 1.0 or 1e3.
    @inlinable public static func number(from least: Value = .min, to most: Value = .max) -> JSONField
    where Value: FixedWidthInteger {
        JSONField { node throws(FileError) in
            guard case .number(let digits) = node.content,
                let number = Value(digits) ?? Double(digits).flatMap({ Value(exactly: $0) }),
                (least...most).contains(number)
            else { throw node.error(wanted: "a whole number from \(least) to \(most)") }
            return number
        } write: { number, output in
            output.append(number: number)
        }
    }

    /// One of several words.
    @inlinable public static func choice() -> JSONField where Value: RawRepresentable<String> & CaseIterable {
        JSONField { node throws(FileError) in
            let word = try JSONField<String>.text.read(node)
            if let value = Value(rawValue: word) { return value }
            throw node.error(wanted: "one of \(Value.allCases.map(\.rawValue).joined(separator: ", "))")
        } write: { value, output in
            output.append(value.rawValue)
        }
    }

    /// One of several words.
    ///
    /// - Parameter name: the word for a value.
    @inlinable public static func choice(
        _ choices: [(name: String, value: Value)], _ name: @escaping (Value) -> String
    ) -> JSONField {
        JSONField { node throws(FileError) in
            let word = try JSONField<String>.text.read(node)
            if let found = choices.first(where: { $0.name == word }) { return found.value }
            throw node.error(wanted: "one of \(choices.map(\.name).joined(separator: ", "))")
        } write: { value, output in
            output.append(name(value))
        }
    }
}

extension JSONField<String> {
    /// Text.
    @inlinable public static var text: JSONField { JSONField("text", text: { $0 }, { $0 }) }
}

extension JSONField<Bool> {
    /// `true` or `false`.
    @inlinable public static var flag: JSONField {
        JSONField { node throws(FileError) in
            guard case .boolean(let flag) = node.content else { throw node.error(wanted: "true or false") }
            return flag
        } write: { flag, output in
            output.append(raw: flag ? "true" : "false")
        }
    }
}
