import CoreBlueZ

/// The tokens of CoreBlueZ's attributes of one kind, for as long as they are valid.
struct AttributeTable<Attribute: Hashable> {
    private var attributes: [Int: Attribute] = [:]
    private var tokens: [Attribute: Int] = [:]

    /// The attribute with a token, if it is still valid.
    subscript(token: Int) -> Attribute? { attributes[token] }

    /// Everything in the table.
    var all: [(token: Int, attribute: Attribute)] { attributes.map { ($0.key, $0.value) } }

    /// Returns the token of an attribute, the same as before if it has one.
    mutating func token(of attribute: Attribute, last: inout Int) -> Int {
        if let token = tokens[attribute] { return token }
        last += 1
        attributes[last] = attribute
        tokens[attribute] = last
        return last
    }

    /// Makes an attribute invalid.
    mutating func remove(_ attribute: Attribute) {
        if let token = tokens.removeValue(forKey: attribute) { attributes[token] = nil }
    }

    /// Makes all attributes invalid.
    mutating func removeAll() {
        attributes = [:]
        tokens = [:]
    }
}
